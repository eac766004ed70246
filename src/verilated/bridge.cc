#include "bridge.h"

#include <mutex>

namespace quell {

std::unique_ptr<Model> new_model(size_t factory, uint32_t seed, uint32_t fault) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  return std::unique_ptr<Model>(reinterpret_cast<Factory>(factory)(seed, fault));
}

}  // namespace quell
