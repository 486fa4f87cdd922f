// See unfolding.h. Texts that happen to be messages are counted as such: too many, not too few.
#include "import/proto/unfolding.h"

#include "import/limits.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

// Of a message as an object and of what is made of it.
constexpr int64_t kMessageBytes = 256;
// Of one instruction, or of another part of a module.
constexpr int64_t kMaxMessages = int64_t{1} << 20;

int64_t count_to_depth(Bytes bytes, int depth, uint32_t left_out = 0) {
  int64_t count = 0;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);)
    if (field.type == WireType::kLength && field.number != left_out)
      count += 1 + (depth > 0 ? count_to_depth(field.payload, depth - 1) : 0);
  return reader.failed() ? 0 : count;
}

}  // namespace

int64_t count_messages(Bytes bytes, uint32_t left_out) {
  return count_to_depth(bytes, kMaxNesting, left_out);
}

Status charge_unfolding(Bytes bytes, const std::function<std::string()>& name, uint32_t left_out) {
  const int64_t count = count_messages(bytes, left_out);
  if (count > kMaxMessages)
    return error(DiagnosticKind::kLimit,
                 cat(name(), " holds more than ", kMaxMessages, " messages"));
  return charge_memory(kMessageBytes * count,
                       [&] { return cat(name(), ", as its messages unfold,"); });
}

}  // namespace hlocc::import
