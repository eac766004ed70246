// fifo_port with a bug: docs/dut.md.
+define+BUG_SILENCE
fifo_port.v
