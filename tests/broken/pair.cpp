// Drives tb/link_pair.sv: for each seed traffic, then silence, to the first seed with which an assertion fails.
// Arguments: seeds, cycles of traffic, +fault=N.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "verilated.h"

extern "C" int quell_print(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vprintf(format, args);
  va_end(args);
  return n;
}

static bool run(unsigned seed, unsigned cycles, const char* plus) {
  VerilatedContext context;
  const char* args[] = {"pair", plus};
  context.commandArgs(2, args);
  context.randReset(2);
  context.randSeed(static_cast<int>(seed));
  context.fatalOnError(false);
  Vtop top(&context, "top");
  top.seed_i = seed * 0x9e3779b9u ^ seed;
  for (unsigned t = 0; t < cycles + 3010; ++t) {
    top.rst_i = t < 3;
    top.traffic_i = t < cycles;
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  top.final();
  return !context.gotError();
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  for (int seed = 1; seed <= atoi(argv[1]); ++seed) {
    if (!run(seed, atoi(argv[2]), argv[3])) return 1;
  }
  return 0;
}
