// See window_spacing.h.
#include "kernel/window_spacing.h"

#include <cstring>

namespace hlocc::kernel {
namespace {

constexpr int64_t kWords = 3;  // what is next, the count of rows, the spacing

}  // namespace

void space_windows(Program& program, int64_t every) {
  ProgramValue& state = program.values[static_cast<size_t>(program.stream->state)];
  state.elements = kWords;
  std::vector<std::byte> data(static_cast<size_t>(state.bytes()));
  const auto word = static_cast<int32_t>(every);
  std::memcpy(data.data() + (kWords - 1) * sizeof word, &word, sizeof word);
  state.data = std::make_shared<const std::vector<std::byte>>(std::move(data));
}

int64_t window_spacing(const ProgramValue& state) {
  if (state.elements < kWords) return 0;
  int32_t word = 0;
  std::memcpy(&word, state.data->data() + (kWords - 1) * sizeof word, sizeof word);
  return word;
}

int64_t window_spacing(const Program& program) {
  if (!program.stream) return 0;
  return window_spacing(program.values[static_cast<size_t>(program.stream->state)]);
}

}  // namespace hlocc::kernel
