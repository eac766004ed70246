// nic_pacer with a bug: docs/dut.md.
+define+BUG_UNFAIR
nic_pacer.v
