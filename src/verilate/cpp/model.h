// The one base class through which Rust drives every Verilated model, wherever its object file came from.
#ifndef QUELL_MODEL_H
#define QUELL_MODEL_H
#include <cstddef>
#include <cstdint>
#include <string>

namespace quell {

class Model {
 public:
  virtual ~Model() = default;
  // Clocks `cycles` cycles with rst_i = 1 and pseudo-random inputs, then releases rst_i.
  virtual void reset(uint32_t cycles) = 0;
  // Runs n cycles: inputs, evaluate, sample outputs and state, rising edge. Returns how many ended without a checker firing.
  virtual size_t cycles(size_t n, const uint32_t* in, uint32_t* out, uint32_t* state) = 0;
  // As `cycles`, but folds all outputs and state into a number: the plain C++ loop of the benchmark.
  virtual uint64_t bare(size_t n, const uint32_t* in) = 0;
  // For a Moore unit. Samples outputs and state (if not null) of the current cycle.
  virtual void sample(uint32_t* out, uint32_t* state) = 0;
  // For a Moore unit: the inputs of the current cycle and the edge that ends it, then `sample`. False: a checker fired.
  virtual bool advance(const uint32_t* in, uint32_t* out, uint32_t* state) = 0;
  virtual size_t in_words() const = 0;
  virtual size_t out_words() const = 0;
  virtual size_t state_words() const = 0;
  // What a checker printed; empty if none fired.
  virtual const char* message() const = 0;
  // Goes on after a checker fired, as if none had: what was printed is forgotten.
  virtual void go_on() = 0;
  // Of a model that is made with QUELL_INTERNALS: from now on all signals are noted in cycles `from` to `to` - 1, counted from the
  // reset, as each stands before the edge that ends it; call it before the reset. The text of a VCD file with the number of
  // the cycle as time comes by `noted`, its header first, each part once. Of another model: no text.
  virtual void note(uint64_t from, uint64_t to) = 0;
  virtual const std::string& noted() = 0;
};

// What a kept model exports under the name `quell_model`, and nothing else. Not to be called by two threads at once: Verilator's
// contexts register themselves in data of the object, and draw the power-up values from a generator there. Which fault is on is for
// a design that is broken on purpose (0: none).
using Factory = Model* (*)(uint32_t seed, uint32_t fault);

}  // namespace quell
#endif
