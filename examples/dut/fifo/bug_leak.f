// fifo_port with a bug: docs/dut.md.
+define+BUG_LEAK
fifo_port.v
