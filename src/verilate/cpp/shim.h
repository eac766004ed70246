// A Verilated class behind the base class; included once per model.
#ifndef QUELL_SHIM_H
#define QUELL_SHIM_H
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "model.h"
#include "print.h"
#include "verilated.h"
#ifdef QUELL_INTERNALS
#include "verilated_vcd_c.h"
#endif

namespace quell {

#ifdef QUELL_INTERNALS
// A VCD file that is text in memory.
class Text final : public VerilatedVcdFile {
 public:
  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* from, ssize_t length) override {
    text_.append(from, length);
    return length;
  }
  // What has come since this was called last.
  void take(std::string& to) {
    to.swap(text_);
    text_.clear();
  }

 private:
  std::string text_;
};

// All signals of a design in some cycles.
class Notes {
 public:
  template <class V>
  void begin(V& top, uint64_t from, uint64_t to) {
    if (!vcd_.isOpen()) {
      // To any depth.
      top.trace(&vcd_, 99);
      vcd_.open("notes");
    }
    from_ = from;
    to_ = to;
  }
  void reset() { cycle_ = 0; }
  void cycle() {
    if (cycle_ >= from_ && cycle_ < to_) vcd_.dump(cycle_);
    ++cycle_;
  }
  const std::string& noted() {
    if (vcd_.isOpen()) vcd_.flush();
    file_.take(taken_);
    return taken_;
  }

 private:
  Text file_;
  VerilatedVcdC vcd_{&file_};
  std::string taken_;
  uint64_t cycle_ = 0, from_ = 0, to_ = 0;
};
#else
class Notes {
 public:
  template <class V>
  void begin(V&, uint64_t, uint64_t) {}
  void reset() {}
  void cycle() {}
  const std::string& noted() { return none_; }

 private:
  std::string none_;
};
#endif

// Where quell_print writes in this thread; nullptr: standard error.
inline std::string*& printed() {
  static thread_local std::string* buffer = nullptr;
  return buffer;
}

template <class V, size_t IN, size_t OUT, size_t STATE>
class ModelOf final : public Model {
 public:
  // A block of its own (`blocks`) takes its first sight of the clock for no edge: it has that before the reset.
  // `plus`: an argument for $value$plusargs.
  ModelOf(uint32_t seed, bool blocks, const char* plus = nullptr) : seed_(seed) {
    const char* args[] = {"model", plus};
    if (plus) context_.commandArgs(2, args);
#ifdef QUELL_INTERNALS
    context_.traceEverOn(true);
#endif
    // Before construction: uninitialised registers and memories take random values.
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(static_cast<int>((seed & 0x3fffffff) + 1));
    enter();
    top_ = std::make_unique<V>(&context_, "top");
    static_assert(sizeof(top_->in_i) == 4 * IN && sizeof(top_->out_o) == 4 * OUT && sizeof(top_->st_o) == 4 * STATE,
                  "the wrapper's ports do not have the layout's size");
    top_->clk_i = 0;
    top_->load_i = 0;
    top_->rst_i = 1;
    top_->eval();
    if (blocks) {
      take();
      edge();
    }
    leave();
  }
  ~ModelOf() override {
    enter();
    top_->final();
    top_.reset();
    leave();
  }

  void reset(uint32_t cycles) override {
    enter();
    context_.gotError(false);
    context_.gotFinish(false);
    message_.clear();
    top_->rst_i = 1;
    uint32_t x = seed_ | 1;
    for (uint32_t c = 0; c < cycles; ++c) {
      uint32_t in[IN];
      for (uint32_t& w : in) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        w = x;
      }
      std::memcpy(&top_->in_i, in, sizeof in);
      take();
      edge();
    }
    top_->rst_i = 0;
    notes_.reset();
    leave();
  }

  size_t cycles(size_t n, const uint32_t* in, uint32_t* out, uint32_t* state) override {
    enter();
    const size_t done = run(n, in, [&](size_t i) {
      std::memcpy(out + i * OUT, &top_->out_o, 4 * OUT);
      std::memcpy(state + i * STATE, &top_->st_o, 4 * STATE);
    });
    leave();
    return done;
  }

  uint64_t bare(size_t n, const uint32_t* in) override {
    enter();
    uint64_t hash = 0;
    run(n, in, [&](size_t) {
      uint32_t words[OUT + STATE];
      std::memcpy(words, &top_->out_o, 4 * OUT);
      std::memcpy(words + OUT, &top_->st_o, 4 * STATE);
      uint32_t sum = 0;
      for (uint32_t w : words) sum += w;
      hash = (hash ^ sum) * 0x100000001b3u;
    });
    leave();
    return hash;
  }

  void sample(uint32_t* out, uint32_t* state) override {
    enter();
    copy(out, state);
    leave();
  }

  bool advance(const uint32_t* in, uint32_t* out, uint32_t* state) override {
    enter();
    std::memcpy(&top_->in_i, in, 4 * IN);
    take();
    edge();
    copy(out, state);
    leave();
    return !context_.gotError();
  }

  size_t in_words() const override { return IN; }
  size_t out_words() const override { return OUT; }
  size_t state_words() const override { return STATE; }
  const char* message() const override { return message_.c_str(); }
  void go_on() override {
    context_.gotError(false);
    message_.clear();
  }
  void note(uint64_t from, uint64_t to) override {
    enter();
    notes_.begin(*top_, from, to);
    leave();
  }
  const std::string& noted() override { return notes_.noted(); }

 private:
  void enter() {
    Verilated::threadContextp(&context_);
    printed() = &message_;
  }
  void leave() { printed() = nullptr; }
  // The wrapper takes the inputs, the clock rises, or both: then the edge sees the inputs that stood before it.
  void rise(bool load, bool clock) {
    top_->load_i = load;
    top_->clk_i = clock;
    top_->eval();
    top_->load_i = 0;
    top_->clk_i = 0;
    top_->eval();
  }
  void take() { rise(true, false); }
  void edge() { rise(false, true); }

  // Runs n cycles, with `see` called in each before the edge that ends it. Returns how many ended without a checker firing.
  template <class F>
  size_t run(size_t n, const uint32_t* in, F see) {
    for (size_t i = 0; i < n; ++i) {
      std::memcpy(&top_->in_i, in + i * IN, 4 * IN);
      rise(true, i > 0);
      if (VL_UNLIKELY(context_.gotError())) return i > 0 ? i - 1 : 0;
      see(i);
      notes_.cycle();
    }
    if (n == 0) return 0;
    edge();
    return VL_UNLIKELY(context_.gotError()) ? n - 1 : n;
  }

  void copy(uint32_t* out, uint32_t* state) {
    std::memcpy(out, &top_->out_o, 4 * OUT);
    if (state) std::memcpy(state, &top_->st_o, 4 * STATE);
  }

  std::string message_;
  uint32_t seed_;
  VerilatedContext context_;
  std::unique_ptr<V> top_;
  // Ends before what it notes.
  Notes notes_;
};

}  // namespace quell

extern "C" int quell_print(const char* format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (quell::printed()) {
    quell::printed()->append(text);
  } else {
    fputs(text, stderr);
  }
  return n;
}
#endif
