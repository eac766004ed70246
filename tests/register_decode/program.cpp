// Reads cycles (rst_i and the words of in_i, hexadecimal), and prints for each what is seen in it, before its edge.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include "verilated.h"

extern "C" int quell_print(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vfprintf(stderr, format, args);
  va_end(args);
  return n;
}

int main() {
  VerilatedContext context;
  context.randReset(2);  // what reset leaves out is random
  context.randSeed(1);
  Vtop top(&context);
  unsigned word;
  while (scanf("%x", &word) == 1) {
    top.rst_i = word;
    for (unsigned i = 0; i < sizeof top.in_i / sizeof(uint32_t); ++i) {
      if (scanf("%x", &word) != 1) return 1;
      top.in_i[i] = word;
    }
    top.clk_i = 0;
    top.load_i = 0;
    top.eval();
    top.load_i = 1;
    top.eval();
    for (unsigned i = 0; i < sizeof top.seen_o / sizeof(uint32_t); ++i) printf("%x ", unsigned{top.seen_o[i]});
    putchar('\n');
    top.clk_i = 1;
    top.load_i = 0;
    top.eval();
  }
  return 0;
}
