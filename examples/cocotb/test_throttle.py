"""A throttle checked against quell's golden model in every cycle: random flows, BECNs and table entries (docs/bindings.md)."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from quell_model.cocotb import Checker

FLOWS, CCT = 16, 8
CYCLES = 300


@cocotb.test()
async def equal_to_the_golden_model(dut):
    rng = random.Random(1)
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    checker = Checker(dut, "hca-throttle", VLS=2, FLOWS=FLOWS, CCT=CCT, TS_W=10, clock=dut.clk_i, reset=dut.rst_i, state=True)
    checker.start()
    for s in checker.signals:
        if s.group == "input":
            getattr(dut, s.port).value = 0
    dut.sl_ok_i.value = 0xFFFF
    dut.inj_len_i.value = 4
    dut.rst_i.value = 1
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_i.value = 0

    offers = 0
    writes = [(0, 1), (1, 1), (2, 7)]  # CTRL.enable, CCTI_INCREASE, CCTI_LIMIT
    for cycle in range(CYCLES):
        await RisingEdge(dut.clk_i)
        ready = checker["ready"]
        offers += checker["inj_valid"]
        write = bool(ready and writes)
        dut.cfg_we_i.value = int(write)
        if write:
            dut.cfg_addr_i.value, dut.cfg_data_i.value = writes.pop(0)
        dut.cct_we_i.value = ready
        dut.cct_addr_i.value = cycle % CCT
        dut.cct_data_i.value = 8 * (cycle % CCT)
        dut.becn_valid_i.value = int(ready and rng.random() < 0.25)
        dut.becn_flow_i.value = rng.randrange(FLOWS)
        dut.req_i.value = rng.getrandbits(FLOWS)
        dut.inj_ready_i.value = rng.getrandbits(1)
        dut.sent_i.value = int(rng.random() < 0.25)
    assert checker.cycles > CYCLES - 3 and offers > 10, (checker.cycles, offers)
    hit = sum(point.count > 0 for point in checker.cover())
    dut._log.info("equal in %d cycles, %d cycles with an offer, %d cover points hit", checker.cycles, offers, hit)
