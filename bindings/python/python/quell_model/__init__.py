"""quell's golden models of congestion management for lossless interconnects (docs/bindings.md).

    unit = quell_model.Unit("hca-throttle", "tiny", FLOWS=6)
    unit["req"] = 0b10
    unit.step()
    print(unit["ready"], unit.get("st_fp", element=1))

Names are those of the unit's page, with or without `_i` and `_o`; values are whole numbers of any size. Errors are ValueErrors that name the field
and what is legal.
"""

from typing import NamedTuple, Optional

from . import _native

__version__ = _native.__version__
__all__ = ["Checker", "Cover", "Mismatch", "Parameter", "Signal", "Unit", "builds", "kinds", "parameters"]


class Signal(NamedTuple):
    """`count` elements of `width` bits; `group` is input, output or state."""

    name: str
    group: str
    width: int
    count: int
    rules: str

    @property
    def port(self) -> str:
        """The name of the RTL's port."""
        return self.name + ("_i" if self.group == "input" else "_o")


class Parameter(NamedTuple):
    """A parameter: its value in a unit made without parameters, and what is legal by itself."""

    name: str
    value: int
    least: int
    most: int
    legal: str


class Cover(NamedTuple):
    """A cover point, and how often it was hit since the unit was made."""

    name: str
    rules: str
    text: str
    count: int


class Mismatch(AssertionError):
    """A design and its golden model differ; the text is the report that `quell cosim` prints."""


def kinds() -> dict:
    """The units that can be made: name, RTL module."""
    return dict(_native.kinds())


def parameters(kind: str) -> list:
    """A unit's parameters."""
    return [Parameter(*row) for row in _native.parameters(kind)]


def builds(kind: str) -> list:
    """The names of a unit's parameter sets; the first is that of a unit made without parameters."""
    return _native.builds(kind)


def _bytes(value, field: str) -> bytes:
    try:
        value = value.__index__()
    except AttributeError:
        raise TypeError(f"{field}: a whole number is wanted, not {type(value).__name__}") from None
    if value < 0:
        raise ValueError(f"{field}: {value} is out of range: values are not negative")
    return value.to_bytes((value.bit_length() + 7) // 8, "little")


class Unit:
    """A golden unit, reset, with idle inputs. `build` is the name of a parameter set; parameters are by name, `FLOWS=6`."""

    def __init__(self, kind: str, build: Optional[str] = None, **parameters: int):
        text = [build] if build else []
        text += [f"{name}={int(value)}" for name, value in parameters.items()]
        self._golden = _native.Golden(kind, " ".join(text))
        self.kind = self._golden.kind()
        self.title = self._golden.title()
        self.parameters = dict(self._golden.parameters())
        self.signals = [Signal(*row) for row in self._golden.signals()]

    def __repr__(self) -> str:
        return f"<quell_model.{type(self).__name__} {self.title}, cycle {self.cycle}>"

    def signal(self, name: str) -> Signal:
        """A signal by name."""
        return self.signals[self._golden.find(name)]

    def set(self, name: str, value: int, element: int = 0) -> None:
        """Sets an element of an input; it stands until it is set anew."""
        self._golden.set(self._golden.find(name), self._element(name, element), _bytes(value, name))

    def get(self, name: str, element: int = 0) -> int:
        """An element of any signal in this cycle."""
        return int.from_bytes(self._golden.get(self._golden.find(name), self._element(name, element)), "little")

    def __setitem__(self, name: str, value: int) -> None:
        """All elements of an input as one number, element 0 lowest, as the RTL's port has them."""
        self._golden.set_all(self._golden.find(name), _bytes(value, name))

    def __getitem__(self, name: str) -> int:
        """All elements of a signal as one number."""
        return int.from_bytes(self._golden.get_all(self._golden.find(name)), "little")

    @staticmethod
    def _element(name: str, element: int) -> int:
        if element < 0:
            raise ValueError(f"{name}: element {element} is out of range: it is not negative")
        return element

    @property
    def cycle(self) -> int:
        """Cycles since reset."""
        return self._golden.cycle()

    @property
    def is_moore(self) -> bool:
        """True if no output depends on an input of the same cycle."""
        return self._golden.is_moore()

    def reset(self) -> None:
        """The reset state; inputs stay."""
        self._golden.reset()

    def step(self) -> None:
        """The clock edge that ends the cycle."""
        self._golden.step()

    def cover(self) -> list:
        """The cover points."""
        return [Cover(*row) for row in self._golden.cover()]


class Checker(Unit):
    """A golden unit with which a design is compared: `see` what the design shows, `check`, `step`.

    `state` = True compares architectural state (`st_*`) beside the outputs.
    """

    def __init__(self, kind: str, build: Optional[str] = None, *, state: bool = False, **parameters: int):
        super().__init__(kind, build, **parameters)
        self.state = state

    def see(self, name: str, value: int, unknown: int = 0) -> None:
        """All elements of an output or of state that the design shows in this cycle, as one number. Ones in `unknown` are x or z: they
        differ from any value. What was shown once is compared in every cycle until the next reset."""
        self._golden.see_all(self._golden.find(name), _bytes(value, name), _bytes(unknown, name))

    def not_compared(self) -> list:
        """What the design has not shown."""
        return self._golden.not_compared(self.state)

    def report(self) -> Optional[str]:
        """Compares; the report of a difference, None if there is none."""
        return self._golden.check(self.state)

    def check(self) -> None:
        """Compares; raises Mismatch with the report of a difference."""
        report = self.report()
        if report is not None:
            raise Mismatch(report)
