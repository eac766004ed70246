// nic_pacer with a bug: docs/dut.md.
+define+BUG_FROM_START
nic_pacer.v
