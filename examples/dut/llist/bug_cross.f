// llist_port with a bug: docs/dut.md.
+define+BUG_CROSS
llist_port.sv
