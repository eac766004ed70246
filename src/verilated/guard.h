// A model of a design that is not ours, or is broken on purpose: what would end the program (a loop that does not settle, $finish) ends the run.
#ifndef QUELL_GUARD_H
#define QUELL_GUARD_H
#include "shim.h"

namespace quell {

struct Stopped {};

// Why the last one was thrown in this thread.
inline std::string& why() {
  static thread_local std::string text;
  return text;
}

template <class V, size_t IN, size_t OUT, size_t STATE>
class Guarded final : public Model {
  using M = ModelOf<V, IN, OUT, STATE>;

 public:
  explicit Guarded(uint32_t seed, const char* plus = nullptr) {
    guarded([&] { inner_ = std::make_unique<M>(seed, false, plus); });
  }
  ~Guarded() override {
    guarded([&] { inner_.reset(); });
  }
  void reset(uint32_t cycles) override {
    guarded([&] { inner_->reset(cycles); });
  }
  // One by one, so that it is known how many were whole.
  size_t cycles(size_t n, const uint32_t* in, uint32_t* out, uint32_t* state) override {
    for (size_t i = 0; i < n; ++i) {
      bool good = false;
      guarded([&] {
        good = inner_->cycles(1, in + i * IN, out + i * OUT, state + i * STATE) == 1;
      });
      if (!good) return i;
    }
    return n;
  }
  uint64_t bare(size_t n, const uint32_t* in) override {
    uint64_t hash = 0;
    guarded([&] { hash = inner_->bare(n, in); });
    return hash;
  }
  void sample(uint32_t* out, uint32_t* state) override {
    guarded([&] { inner_->sample(out, state); });
  }
  bool advance(const uint32_t* in, uint32_t* out, uint32_t* state) override {
    bool good = false;
    guarded([&] { good = inner_->advance(in, out, state); });
    return good;
  }
  size_t in_words() const override { return IN; }
  size_t out_words() const override { return OUT; }
  size_t state_words() const override { return STATE; }
  // What has stopped stays so.
  void go_on() override {
    if (inner_) inner_->go_on();
  }
  void note(uint64_t from, uint64_t to) override {
    guarded([&] { inner_->note(from, to); });
  }
  const std::string& noted() override {
    static const std::string none;
    return inner_ ? inner_->noted() : none;
  }
  const char* message() const override { return stopped_.empty() && inner_ ? inner_->message() : stopped_.c_str(); }

 private:
  template <class F>
  void guarded(F f) {
    if (!stopped_.empty()) return;
    try {
      f();
    } catch (const Stopped&) {
      printed() = nullptr;
      // The first character says that the cycle has no outputs.
      stopped_ = "\x01" + why();
    }
  }
  std::string stopped_;
  std::unique_ptr<M> inner_;
};
}  // namespace quell

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
  quell::why() = std::string(file ? file : "") + ":" + std::to_string(line) + ": " + message;
  throw quell::Stopped{};
}

void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE {
  quell::why() = std::string(file ? file : "") + ":" + std::to_string(line) + ": the design calls $finish";
  throw quell::Stopped{};
}
#endif
