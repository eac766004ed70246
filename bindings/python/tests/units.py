"""What the package does, and what it says of bad input."""

import quell_model
from quell_model import Checker, Mismatch, Unit


def refused(text, call, *args, error=ValueError, **named):
    try:
        call(*args, **named)
    except error as e:
        assert text in str(e), (text, str(e))
    else:
        raise AssertionError(f"it is taken, and `{text}` should be said")


assert quell_model.kinds()["hca-throttle"] == "hca_throttle"
assert quell_model.builds("switch")[0] == "voq8"
cct = quell_model.parameters("hca_throttle")[3]
assert (cct.name, cct.value, cct.least, cct.most, cct.legal) == ("CCT", 128, 8, 16384, "a power of two, 8..16384"), cct

u = Unit("hca-throttle", "tiny", FLOWS=6)
assert u.title == "hca-throttle tiny FLOWS=6" and u.parameters["FLOWS"] == 6 and u.is_moore and u.cycle == 0
assert u.signal("req_i").port == "req_i" and u.signal("req").width == 6 and u.signal("st_fp").count == 16
u["req"] = 0b101010
u["sl_ok"] = 0xFFFF
offers = []
for _ in range(200):
    if u["inj_valid"]:
        offers.append(u["inj_flow"])
    u["inj_ready"] = u["inj_valid"]
    u.step()
assert u.cycle == 200 and set(offers) == {1, 3, 5}, offers
assert any(point.count > 0 for point in u.cover())
u.reset()
assert u.cycle == 0 and u["ready"] == 0 and u["req"] == 0b101010

# Elements, and values of more than a word.
p = Unit("input-port", "tiny")
p.set("grant", 1, element=4)
assert p["grant"] == 0b10000 and p.get("grant", 4) == 1
p["rx_data"] = 1 << 255 | 5
assert p["rx_data"] == 1 << 255 | 5 == p.get("rx_data")

# A design that is ready too soon, and one whose flow is unknown.
c = Checker("hca-throttle", "tiny")
refused("the design has shown nothing that could be compared", c.check)
c.see("ready", 0)
c.check()
assert "inj_valid" in c.not_compared() and "ready" not in c.not_compared()
c.see("ready", 1)
c.see("inj_flow", 0x30, unknown=0xF)
refused("hca-throttle tiny: RTL and golden model differ in cycle 0\n  output ready, rules H6\n    RTL 1, golden 0, differing bits 1\n", c.check, error=Mismatch)
assert "  output inj_flow, rules H8\n    RTL 3x, golden 0, differing bits 3f\n" in c.report()
s = Checker("hca-throttle", "tiny", state=True)
s.see("ready", 0)
refused("the design has shown no state", s.check)

refused("there is no unit hub: legal are input-port, ", Unit, "hub")
refused("hca-throttle has no build huge: there are f64, ", Unit, "hca-throttle", "huge")
refused("parameter FLOWS = 1 is out of range: legal is 2..4096", Unit, "hca-throttle", FLOWS=1)
refused("hca-throttle has no parameter PORTS", Unit, "hca-throttle", PORTS=4)
refused("there is no unit hub", quell_model.parameters, "hub")
refused("has no signal rx_dat: is it rx_data?", p.get, "rx_dat")
refused("grant: element 6 is out of range: legal is 0..5", p.set, "grant", 1, element=6)
refused("grant: element -1 is out of range", p.get, "grant", -1)
refused("fctbs: 0x1000 in its highest word is out of range", p.set, "fctbs", 0x1000)
refused("fctbs: the value is out of range: an element has 12 bits", p.set, "fctbs", 1 << 40)
refused("fctbs: the value is out of range: it has 12 bits", p.__setitem__, "fctbs", 1 << 40)
refused("fctbs: -1 is out of range: values are not negative", p.set, "fctbs", -1)
refused("fctbs: a whole number is wanted, not str", p.set, "fctbs", "1", error=TypeError)
refused("ready is an output: only inputs can be set", p.set, "ready", 1)
refused("grant is an input: outputs and state are compared", Checker("input-port", "tiny").see, "grant", 1)
print("all is told")
