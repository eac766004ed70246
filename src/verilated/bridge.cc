#include "model.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace {
thread_local std::string* buffer = nullptr;
}

extern "C" int quell_print(const char* format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (buffer) {
    buffer->append(text);
  } else {
    fputs(text, stderr);
  }
  return n;
}

namespace quell {

void print_to(std::string* b) { buffer = b; }

std::unique_ptr<Model> new_model(rust::Str prefix, uint32_t seed) {
  // Verilator's contexts register themselves in global data, and draw the power-up values from a global generator.
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  for (const Entry* e = REGISTRY; e->prefix; ++e) {
    if (prefix == rust::Str(e->prefix)) return std::unique_ptr<Model>(e->make(seed));
  }
  return nullptr;
}

}  // namespace quell
