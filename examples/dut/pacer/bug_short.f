// nic_pacer with a bug: docs/dut.md.
+define+BUG_SHORT
nic_pacer.v
