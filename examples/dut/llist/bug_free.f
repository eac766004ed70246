// llist_port with a bug: docs/dut.md.
+define+BUG_FREE
llist_port.sv
