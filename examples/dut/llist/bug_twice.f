// llist_port with a bug: docs/dut.md.
+define+BUG_TWICE
llist_port.sv
