// fifo_port with a bug: docs/dut.md.
+define+BUG_OVERDRAW
fifo_port.v
