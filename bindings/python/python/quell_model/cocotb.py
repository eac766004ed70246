"""A checker that runs beside a cocotb test (docs/bindings.md).

    checker = quell_model.cocotb.Checker(dut, "hca-throttle", "tiny", clock=dut.clk_i, reset=dut.rst_i, state=True)
    checker.start()

In every cycle after reset it takes the design's inputs and outputs after the falling edge of the clock, when those of the cycle stand, and compares.
So the test must change inputs at a rising or a falling edge. A difference fails the test with the report that `quell cosim` prints.
"""

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

import quell_model


def _bits(handle):
    """A handle's value as text of 0, 1, x and z, whichever cocotb it is."""
    value = handle.value
    return str(getattr(value, "binstr", value)).lower()


def _numbers(text: str):
    """Value and unknown bits."""
    if text.strip("01"):
        known = "".join(c if c in "01" else "0" for c in text)
        unknown = "".join("0" if c in "01" else "1" for c in text)
        return int(known, 2), int(unknown, 2)
    return int(text, 2), 0


class Checker(quell_model.Checker):
    """Compares a design, whose ports have the unit's names, with its golden model.

    `pins` gives other names (signal: name of the pin, or None for one that is not there). An output that is not there, nor in `pins`, is an error;
    state that is not there is not compared. With `state` = True some must be there.
    """

    def __init__(self, dut, kind, build=None, *, clock, reset, active=1, state=False, pins=None, **parameters):
        super().__init__(kind, build, state=state, **parameters)
        self._clock, self._reset, self._active = clock, reset, active
        self._inputs, self._shown = [], []
        pins = dict(pins or {})
        for name in pins:
            self.signal(name)  # an error if there is none
        for s in self.signals:
            if s.group == "state" and not state:
                continue
            pin = pins.get(s.name, s.port)
            handle = getattr(dut, pin, None) if pin else None
            if handle is None:
                if pin and (s.group != "state" or s.name in pins):
                    raise ValueError(f"{dut._name} has no pin {pin} for {s.group} {s.name}: name it, or give None, in pins")
                continue
            if len(handle) != s.width * s.count:
                raise ValueError(f"{dut._name}.{pin} has {len(handle)} bits, and {s.name} of {self.title} has {s.width * s.count}")
            (self._inputs if s.group == "input" else self._shown).append((s.name, handle))
        self.cycles = 0

    def start(self):
        """Runs beside the test; a difference fails it."""
        return cocotb.start_soon(self._run())

    async def _run(self):
        running = False
        while True:
            # Before the rising edge, since simulators differ in whether registers have changed when it is told.
            await FallingEdge(self._clock)
            await ReadOnly()
            if _bits(self._reset) == str(self._active):
                self.reset()
                running = True
            elif running:
                self._cycle()

    def _cycle(self):
        for name, handle in self._inputs:
            self[name] = _numbers(_bits(handle))[0]
        for name, handle in self._shown:
            self.see(name, *_numbers(_bits(handle)))
        self.check()
        self.step()
        self.cycles += 1
