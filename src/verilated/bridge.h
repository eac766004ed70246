// The base class of the models, as Rust sees it.
#ifndef QUELL_BRIDGE_H
#define QUELL_BRIDGE_H
#include <memory>

#include "model.h"
#include "rust/cxx.h"

namespace quell {

// An instance of the model whose factory is at this address.
std::unique_ptr<Model> new_model(size_t factory, uint32_t seed, uint32_t fault);

inline void reset(Model& m, uint32_t cycles) { m.reset(cycles); }
inline size_t run(Model& m, size_t n, rust::Slice<const uint32_t> in, rust::Slice<uint32_t> out,
                  rust::Slice<uint32_t> state) {
  return m.cycles(n, in.data(), out.data(), state.data());
}
inline uint64_t run_bare(Model& m, size_t n, rust::Slice<const uint32_t> in) { return m.bare(n, in.data()); }
inline void sample(Model& m, rust::Slice<uint32_t> out, rust::Slice<uint32_t> state) {
  m.sample(out.data(), state.empty() ? nullptr : state.data());
}
inline bool advance(Model& m, rust::Slice<const uint32_t> in, rust::Slice<uint32_t> out, rust::Slice<uint32_t> state) {
  return m.advance(in.data(), out.data(), state.empty() ? nullptr : state.data());
}
inline size_t in_words(const Model& m) { return m.in_words(); }
inline size_t out_words(const Model& m) { return m.out_words(); }
inline size_t state_words(const Model& m) { return m.state_words(); }
inline void go_on(Model& m) { m.go_on(); }
inline void note(Model& m, uint64_t from, uint64_t to) { m.note(from, to); }
inline rust::Slice<const uint8_t> noted(Model& m) {
  const std::string& text = m.noted();
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline rust::String message(const Model& m) { return rust::String::lossy(m.message()); }

}  // namespace quell
#endif
