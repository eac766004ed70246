// llist_port with a bug: docs/dut.md.
+define+BUG_LATE
llist_port.sv
