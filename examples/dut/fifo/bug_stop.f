// fifo_port with a bug: docs/dut.md.
+define+BUG_STOP
fifo_port.v
