// nic_pacer with a bug: docs/dut.md.
+define+BUG_LOST_CN
nic_pacer.v
