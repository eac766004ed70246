// nic_pacer with a bug: docs/dut.md.
+define+BUG_INDEX
nic_pacer.v
