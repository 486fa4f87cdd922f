// What a kernel does as a string of numbers, values numbered in the order of their definition: the
// text of printer.cpp without its words, and a tenth of its work.
#include <algorithm>
#include <array>
#include <variant>

#include "kernel/kernel.h"

namespace hlocc::kernel {
namespace {

class KeyWriter {
 public:
  explicit KeyWriter(const Kernel& kernel) : kernel_(kernel), number_(kernel.types.size(), kNone) {}

  std::string write() {
    put(static_cast<int64_t>(kernel_.buffers.size()));
    for (const Buffer& b : kernel_.buffers) {
      put(static_cast<int64_t>(b.element));
      put(b.elements);
      put(static_cast<int64_t>(b.direction));
      put(static_cast<int64_t>(b.space));
      put(b.alignment);
    }
    define(kernel_.parameters);
    region(kernel_.body);
    flush();
    return std::move(key_);
  }

 private:
  void put(int64_t number) {
    if (used_ == room_.size()) flush();
    room_[used_++] = number;
  }
  void flush() {
    key_.append(reinterpret_cast<const char*>(room_.data()), used_ * sizeof(int64_t));
    used_ = 0;
  }

  void define(const std::vector<ValueId>& values) {
    put(static_cast<int64_t>(values.size()));
    for (const ValueId value : values) {
      number_[value] = next_++;
      const Type type = kernel_.types[value];
      put(static_cast<int64_t>(type.scalar) << 32 | type.lanes);
    }
  }
  int number(ValueId value) const {
    return static_cast<size_t>(value) < number_.size() ? number_[value] : kNone;
  }
  void use(ValueId value) { put(number(value)); }
  void use(const std::vector<ValueId>& values) {
    put(static_cast<int64_t>(values.size()));
    for (const ValueId value : values) use(value);
  }
  // Terms in the order of their numbers.
  void use(const Affine& affine) {
    const size_t count = affine.terms.size();
    put(static_cast<int64_t>(count));
    put(affine.offset);
    if (count == 1) {
      use(affine.terms[0].value);
      put(affine.terms[0].scale);
      return;
    }
    std::vector<std::pair<int, int64_t>> terms;
    terms.reserve(count);
    for (const Affine::Term& term : affine.terms)
      terms.emplace_back(number(term.value), term.scale);
    std::sort(terms.begin(), terms.end());
    for (const auto& [value, scale] : terms) {
      put(value);
      put(scale);
    }
  }

  void operator()(std::monostate) {}
  void operator()(const Constant& constant) {
    put(static_cast<int64_t>(constant.lanes.size()));
    for (const uint64_t bits : constant.lanes) put(static_cast<int64_t>(bits));
  }
  void operator()(Predicate predicate) { put(static_cast<int64_t>(predicate)); }
  void operator()(Lane lane) { put(lane.index); }
  void operator()(const Shuffle& shuffle) {
    put(static_cast<int64_t>(shuffle.lanes.size()));
    for (const int lane : shuffle.lanes) put(lane);
  }
  void operator()(RoundedShift by) {
    put(by.rounding);
    put(by.shift);
  }
  void operator()(const Access& access) {
    put(access.buffer);
    use(access.at);
    put(access.lane_indices == kNone ? access.lane_stride : 0);
    use(access.lane_indices);
    use(access.stored);
    use(access.mask);
    use(access.otherwise);
  }
  void operator()(const Loop& loop) {
    use(loop.lower);
    use(loop.upper);
    put(loop.step);
    // No count is negative, which is what follows where a loop is not mapped.
    if (loop.is_mapped()) put(-static_cast<int64_t>(loop.mapping));
  }

  // What is used has its number before what is defined gets one.
  void op(const Op& op) {
    put(static_cast<int64_t>(op.kind));
    put(static_cast<int64_t>(op.payload.index()));
    std::visit([this](const auto& held) { (*this)(held); }, op.payload);
    if (!std::holds_alternative<Access>(op.payload)) use(op.operands);
    put(static_cast<int64_t>(op.regions.size()));
    for (const Region& inner : op.regions) region(inner);
    define(op.results);
  }
  void region(const Region& region) {
    define(region.arguments);
    put(static_cast<int64_t>(region.ops.size()));
    for (const Op& each : region.ops) op(each);
    use(region.yields);
  }

  const Kernel& kernel_;
  std::vector<int> number_;  // by ValueId, in the order of definition
  int next_ = 0;
  std::array<int64_t, 512> room_;
  size_t used_ = 0;
  std::string key_;
};

}  // namespace

std::string code_key(const Kernel& kernel) { return KeyWriter(kernel).write(); }
bool same_code(const Kernel& a, const Kernel& b) { return code_key(a) == code_key(b); }

}  // namespace hlocc::kernel
