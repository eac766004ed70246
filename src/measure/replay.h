// Replays recorded runs on a Verilated wrapper and compares; included once, after the class of the model.
//
// A file of runs (src/measure/vectors.rs writes it): "QVEC0001", then 64-bit little-endian numbers: words of an input
// vector, runs, and for each run its cycles and its seed; then for each run all its input vectors (32-bit words), and for
// each cycle of it three numbers: sum of the outputs, sum of the state, and progress (upper 32 bits) and errors (lower).
#ifndef QUELL_REPLAY_H
#define QUELL_REPLAY_H
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "verilated.h"
#if VM_COVERAGE
#include "cpp/Vtop__Syms.h"
#endif

// A combinational loop that does not settle ends in vl_fatal; it must not end the process.
struct DoesNotSettle : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void vl_fatal(const char*, int, const char*, const char* message) { throw DoesNotSettle(message); }

namespace quell {

struct Run {
  uint64_t cycles, seed;
  const uint32_t* in;
  const uint64_t* sums;
};

struct Runs {
  std::vector<Run> runs;

  explicit Runs(const char* path, size_t in_words) {
    const int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) fail(path, "cannot be opened");
    const void* p = mmap(nullptr, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) fail(path, "cannot be mapped");
    const uint64_t* h = static_cast<const uint64_t*>(p);
    if (st.st_size < 24 || memcmp(h, "QVEC0001", 8) != 0 || h[1] != in_words) fail(path, "is not a file of these runs");
    const char* at = reinterpret_cast<const char*>(h + 3 + 2 * h[2]);
    for (uint64_t i = 0; i < h[2]; ++i) {
      Run r;
      r.cycles = h[3 + 2 * i];
      r.seed = h[4 + 2 * i];
      r.in = reinterpret_cast<const uint32_t*>(at);
      at += (4 * in_words * r.cycles + 7) & ~uint64_t{7};
      r.sums = reinterpret_cast<const uint64_t*>(at);
      at += 24 * r.cycles;
      runs.push_back(r);
    }
    if (at != static_cast<const char*>(p) + st.st_size) fail(path, "is cut off");
  }

  [[noreturn]] static void fail(const char* path, const char* why) {
    fprintf(stderr, "replay: %s %s\n", path, why);
    exit(2);
  }
};

// The same numbers as multipliers() of vectors.rs: any change of one word changes the sum.
inline std::vector<uint32_t> multipliers(size_t n) {
  std::vector<uint32_t> m(n);
  uint64_t x = 0;
  for (uint32_t& w : m) {
    x += 0x9e3779b97f4a7c15u;
    uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    w = static_cast<uint32_t>(z >> 32) | 1;
  }
  return m;
}

template <class V, size_t IN, size_t OUT, size_t STATE, size_t EXTRA>
class Device {
 public:
  static constexpr size_t in_words = IN, out_words = OUT;

  // Power-up as in the lockstep runs.
  explicit Device(uint64_t seed) {
    seed_ = static_cast<uint32_t>(((seed + 1) * 0x9e3779b97f4a7c15u) >> 32);
    context_.randReset(2);
    context_.randSeed(static_cast<int>((seed_ & 0x3fffffff) + 1));
    top_ = std::make_unique<V>(&context_, "top");
    // Verilator draws the inputs' first values by chance, too.
    if (EXTRA > 0) memset(extra(), 0, 4 * EXTRA);
    static const std::vector<uint32_t> m = multipliers(OUT + STATE);
    m_ = m.data();
  }
  ~Device() { top_->final(); }

  VerilatedContext& context() { return context_; }
  // The inputs that the netlist has beyond the unit's.
  uint32_t* extra() {
    if constexpr (EXTRA > 0) {
      static_assert(sizeof(top_->x_i) == 4 * EXTRA);
      return reinterpret_cast<uint32_t*>(&top_->x_i);
    } else {
      return nullptr;
    }
  }
  const uint32_t* out() const { return reinterpret_cast<const uint32_t*>(&top_->out_o); }

  void reset() {
    top_->clk_i = 0;
    top_->load_i = 0;
    top_->rst_i = 1;
    top_->eval();
    uint32_t x = seed_ | 1;
    for (uint32_t c = 0; c <= seed_ % 4; ++c) {
      uint32_t in[IN];
      for (uint32_t& w : in) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        w = x;
      }
      begin(in);
      edge();
    }
    top_->rst_i = 0;
  }

  // A cycle up to the edge.
  void begin(const uint32_t* in) {
    memcpy(&top_->in_i, in, 4 * IN);
    top_->clk_i = 0;
    top_->load_i = 0;
    top_->eval();
    top_->load_i = 1;
    top_->eval();
  }
  void edge() {
    top_->clk_i = 1;
    top_->load_i = 0;
    top_->eval();
  }

#if VM_COVERAGE
  // Verilator's counters, one for each point.
  auto& coverage() { return top_->rootp->vlSymsp->__Vcoverage; }
#endif

  uint64_t out_sum() const { return sum(out(), m_, OUT); }
  uint64_t state_sum() const { return sum(reinterpret_cast<const uint32_t*>(&top_->st_o), m_ + OUT, STATE); }

 private:
  static uint64_t sum(const uint32_t* w, const uint32_t* m, size_t n) {
    uint64_t s = 0;
    for (size_t i = 0; i < n; ++i) s += static_cast<uint64_t>(w[i]) * m[i];
    return s;
  }
  uint32_t seed_;
  VerilatedContext context_;
  std::unique_ptr<V> top_;
  const uint32_t* m_;
};

// For each number on standard input: the runs in turn, with that extra bit set, until something differs.
template <class D>
void mutants(const Runs& runs) {
  unsigned long k;
  while (scanf("%lu", &k) == 1) {
    std::string verdict = "survived";
    for (size_t r = 0; r < runs.runs.size() && verdict == "survived"; ++r) {
      const Run& run = runs.runs[r];
      uint64_t t = 0;
      try {
        D d(run.seed);
        // Number 0 is the design as it is.
        if (k > 0) d.extra()[(k - 1) / 32] |= uint32_t{1} << (k - 1) % 32;
        d.reset();
        for (; t < run.cycles; ++t) {
          d.begin(run.in + t * D::in_words);
          const bool out = d.out_sum() != run.sums[3 * t];
          if (out || d.state_sum() != run.sums[3 * t + 1]) {
            verdict = std::string(out ? "output " : "state ") + std::to_string(r) + " " + std::to_string(t);
            break;
          }
          d.edge();
        }
      } catch (const DoesNotSettle&) {
        verdict = "loop " + std::to_string(r) + " " + std::to_string(t);
      }
    }
    printf("%lu %s\n", k, verdict.c_str());
    fflush(stdout);
  }
}

// Words of the outputs: those that show errors, those that show progress.
struct Watch {
  std::vector<size_t> errors, progress;

  Watch(const char* errors_text, const char* progress_text) : errors(list(errors_text)), progress(list(progress_text)) {}

  static uint32_t join(const uint32_t* out, const std::vector<size_t>& words) {
    uint32_t all = 0;
    for (size_t w : words) all |= out[w];
    return all;
  }

 private:
  static std::vector<size_t> list(const char* text) {
    std::vector<size_t> v;
    for (char* end; *text; text = *end ? end + 1 : end) v.push_back(strtoul(text, &end, 10));
    return v;
  }
};

// What a flip does in the cycles that follow, as a word:
//   masked      no output and no shown state is wrong at the end, and no output ever was
//   latent      no output was wrong, but shown state still is
//   detected:N  an error bit that the golden model does not show, N cycles after the flip
//   hang        outputs were wrong, and in the second half of the time nothing moves while it should
//   silent:N    outputs were wrong, first N cycles after the flip, and no error bit says so
template <class D>
std::string aftermath(D& d, const Run& run, uint64_t from, uint64_t horizon, unsigned long bit, const Watch& watch) {
  const uint64_t end = std::min(run.cycles, from + horizon);
  uint64_t wrong = end, moved = 0, should = 0;
  bool state = false;
  for (uint64_t t = from; t < end; ++t) {
    if (t == from) d.extra()[bit / 32] ^= uint32_t{1} << bit % 32;
    if (t == from + 1) d.extra()[bit / 32] ^= uint32_t{1} << bit % 32;
    d.begin(run.in + t * D::in_words);
    const uint64_t* sums = run.sums + 3 * t;
    const uint32_t* out = d.out();
    if (Watch::join(out, watch.errors) & ~static_cast<uint32_t>(sums[2])) return "detected:" + std::to_string(t - from);
    if (wrong == end && d.out_sum() != sums[0]) wrong = t;
    state = d.state_sum() != sums[1];
    if (t >= from + (end - from) / 2) {
      moved += Watch::join(out, watch.progress) != 0;
      should += sums[2] >> 32 != 0;
    }
    d.edge();
  }
  if (wrong == end) return state ? "latent" : "masked";
  return moved == 0 && should > 0 ? "hang" : "silent:" + std::to_string(wrong - from);
}

// Each line: a run, and flips CYCLE:BIT in the order of their cycles. The run is played once; each flip goes on in a process of
// its own from where it is.
template <class D>
void flips(const Runs& runs, uint64_t horizon, const Watch& watch) {
  std::string line;
  for (int c; (c = getchar()) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    char* at = &line[0];
    const size_t r = strtoul(at, &at, 10);
    if (r >= runs.runs.size()) exit(2);
    const Run& run = runs.runs[r];
    std::string answer = std::to_string(r);
    D d(run.seed);
    d.reset();
    uint64_t t = 0;
    while (*at) {
      const uint64_t cycle = strtoull(at, &at, 10);
      if (*at != ':' || cycle < t || cycle >= run.cycles) exit(2);
      const unsigned long bit = strtoul(at + 1, &at, 10);
      for (; t < cycle; ++t) {
        d.begin(run.in + t * D::in_words);
        d.edge();
      }
      int ends[2];
      if (pipe(ends) != 0) exit(2);
      const pid_t child = fork();
      if (child < 0) exit(2);
      if (child == 0) {
        std::string said;
        try {
          said = aftermath(d, run, cycle, horizon, bit, watch);
        } catch (const DoesNotSettle&) {
          said = "hang";
        }
        const bool told = write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        _exit(told ? 0 : 1);
      }
      close(ends[1]);
      char said[64];
      ssize_t n;
      answer += ' ';
      while ((n = read(ends[0], said, sizeof said)) > 0) answer.append(said, n);
      close(ends[0]);
      int status;
      if (waitpid(child, &status, 0) != child || status != 0) exit(2);
    }
    printf("%s\n", answer.c_str());
    fflush(stdout);
    line.clear();
  }
}

// All runs on one device, compared; then its coverage goes to a file.
template <class D>
int cover(const Runs& runs, const char* path) {
  D d(1);
  for (size_t r = 0; r < runs.runs.size(); ++r) {
    const Run& run = runs.runs[r];
    d.reset();
    for (uint64_t t = 0; t < run.cycles; ++t) {
      d.begin(run.in + t * D::in_words);
      if (d.out_sum() != run.sums[3 * t] || d.state_sum() != run.sums[3 * t + 1]) {
        printf("differs in run %zu, cycle %llu\n", r, static_cast<unsigned long long>(t));
        return 1;
      }
      d.edge();
    }
    printf("%zu\n", r);
    fflush(stdout);
  }
#if VM_COVERAGE
  d.context().coveragep()->write(path);
#endif
  return 0;
}

#if VM_COVERAGE
// Stimuli on standard input, each a line "CYCLES" (of at most 2^20) or "forget", and after CYCLES the input vectors and then the
// three numbers of each cycle, as in a file of runs. The answer, on a line of its own after what Verilator may say:
//   @equal N     N pairs of a coverage point and how often it was reached (1, 2, 3, 4-7, 8-15, 16-31, 32-127, more) are new
//   @differs T   outputs or state of cycle T are wrong
//   @fails T     an assertion failed in cycle T
// All run on one device, which is reset before each.
template <class D>
void fuzz() {
  std::vector<uint8_t> seen;
  auto d = std::make_unique<D>(1);
  char line[32];
  while (fgets(line, sizeof line, stdin)) {
    if (strcmp(line, "forget\n") == 0) {
      seen.assign(seen.size(), 0);
      printf("@forgotten\n");
      fflush(stdout);
      continue;
    }
    const size_t cycles = strtoul(line, nullptr, 10);
    if (cycles > size_t{1} << 20) exit(2);
    std::vector<uint32_t> in(cycles * D::in_words);
    std::vector<uint64_t> sums(3 * cycles);
    if (fread(in.data(), 4, in.size(), stdin) != in.size() || fread(sums.data(), 8, sums.size(), stdin) != sums.size()) exit(2);
    auto& counts = d->coverage();
    seen.resize(std::size(counts));
    for (auto& c : counts) c = 0;
    size_t t = 0;
    const char* wrong = nullptr;
    try {
      d->reset();
      for (; t < cycles && !wrong; ++t) {
        d->begin(in.data() + t * D::in_words);
        if (d->out_sum() != sums[3 * t] || d->state_sum() != sums[3 * t + 1]) {
          wrong = "differs";
          break;
        }
        d->edge();
      }
    } catch (const DoesNotSettle&) {
      wrong = "fails";
    }
    if (wrong) {
      printf("\n@%s %zu\n", wrong, t);
      // An exception may have left it anywhere.
      d = std::make_unique<D>(1);
    } else {
      size_t news = 0;
      for (size_t i = 0; i < seen.size(); ++i) {
        const uint32_t c = counts[i];
        const int k = c <= 3 ? static_cast<int>(c) - 1 : c < 8 ? 3 : c < 16 ? 4 : c < 32 ? 5 : c < 128 ? 6 : 7;
        if (c == 0 || (seen[i] >> k & 1)) continue;
        seen[i] |= 1 << k;
        ++news;
      }
      printf("\n@equal %zu\n", news);
    }
    fflush(stdout);
  }
}
#endif

template <class D>
int main_of(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "mutants" && argc == 3) {
    mutants<D>(Runs(argv[2], D::in_words));
  } else if (what == "flips" && argc == 6) {
    flips<D>(Runs(argv[2], D::in_words), strtoull(argv[3], nullptr, 10), Watch(argv[4], argv[5]));
  } else if (what == "cover" && argc == 4) {
    return cover<D>(Runs(argv[2], D::in_words), argv[3]);
#if VM_COVERAGE
  } else if (what == "fuzz" && argc == 3) {
    fuzz<D>();
#endif
  } else {
    fprintf(stderr, "usage: replay mutants RUNS | flips RUNS HORIZON ERRORS PROGRESS | cover RUNS FILE | fuzz -\n");
    return 2;
  }
  return 0;
}

}  // namespace quell

// Verilator's VL_PRINTF (src/verilate/cpp/print.h).
extern "C" int quell_print(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vprintf(format, args);
  va_end(args);
  return n;
}
#endif
