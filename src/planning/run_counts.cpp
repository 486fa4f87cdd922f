// Runs the steps on the few values that are known; see run_counts.h.
#include "planning/run_counts.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "kernel/evaluate/evaluator.h"

namespace hlocc::planning {
namespace {

using namespace kernel;
using Id = ProgramValueId;
using Bytes = std::vector<std::byte>;

// Beyond these a program's steps are no longer followed, and values are data, not counters.
constexpr int64_t kMostVisits = 50'000, kMostElements = 8;

class RunCounter {
 public:
  explicit RunCounter(const Program& program) : program_(program) {}

  void block(const Steps& steps) {
    for (const Step& each : steps) {
      ++counts_[&each];
      ++visits_;
      std::visit([&](const auto& what) { step(what); }, each.what);
    }
  }

  std::map<const Step*, std::optional<int64_t>> counts() const {
    std::map<const Step*, std::optional<int64_t>> out(counts_.begin(), counts_.end());
    for (const Step* step : without_number_) out[step] = std::nullopt;
    return out;
  }

 private:
  const Bytes* known(Id id) const {
    if (const auto found = known_.find(id); found != known_.end()) return &found->second;
    if (id >= static_cast<Id>(program_.values.size())) return nullptr;
    const ProgramValue& value = program_.values[static_cast<size_t>(id)];
    const bool is_small = value.role == ValueRole::kConstant && value.elements <= kMostElements;
    return is_small ? value.data.get() : nullptr;
  }

  void assign(Id to, Id from) {
    if (const Bytes* bytes = known(from))
      known_[to] = *bytes;
    else
      known_.erase(to);
  }

  // All at once: some may be others' old values.
  void assign_all(const std::vector<Id>& to, const std::vector<Id>& from) {
    std::vector<std::optional<Bytes>> values;
    for (Id id : from) {
      const Bytes* bytes = known(id);
      values.push_back(bytes ? std::optional(*bytes) : std::nullopt);
    }
    for (size_t i = 0; i < to.size(); ++i) {
      if (values[i])
        known_[to[i]] = *std::move(values[i]);
      else
        known_.erase(to[i]);
    }
  }

  // Of pred or s32, as selectors and conditions are.
  std::optional<int64_t> number(Id id) const {
    const Bytes* bytes = known(id);
    if (bytes == nullptr) return std::nullopt;
    if (bytes->size() == 1) return static_cast<int64_t>((*bytes)[0]);
    int32_t wide = 0;
    if (bytes->size() != sizeof(wide)) return std::nullopt;
    std::memcpy(&wide, bytes->data(), sizeof(wide));
    return wide;
  }

  void step(const Launch& launch) {
    const Kernel& kernel = program_.kernels[static_cast<size_t>(launch.kernel)];
    std::vector<Bytes> buffers;
    const bool runs = bind(kernel, launch, buffers);
    std::vector<std::span<std::byte>> spans(buffers.begin(), buffers.end());
    const bool is_run = runs && kernel::evaluate(kernel, spans, launch.integers).ok();
    for (size_t i = 0; i < launch.operands.size() && i < kernel.buffers.size(); ++i) {
      if (kernel.buffers[i].direction == Direction::kIn) continue;
      if (is_run)
        known_[launch.operands[i]] = std::move(buffers[i]);
      else
        known_.erase(launch.operands[i]);
    }
  }

  // Small kernels of known operands alone.
  bool bind(const Kernel& kernel, const Launch& launch, std::vector<Bytes>& buffers) const {
    if (launch.ranges != 1 || !launch.updates.empty() ||
        kernel.operand_buffers() != kernel.bound_buffers())
      return false;
    for (int i = 0; i < kernel.operand_buffers(); ++i) {
      const Buffer& buffer = kernel.buffers[static_cast<size_t>(i)];
      const Bytes* bytes = known(launch.operands[static_cast<size_t>(i)]);
      const bool is_read = buffer.direction != Direction::kOut;
      if (buffer.elements > kMostElements || (is_read && bytes == nullptr)) return false;
      buffers.push_back(
          is_read ? *bytes
                  : Bytes(static_cast<size_t>(buffer.elements * scalar_bytes(buffer.element))));
    }
    return true;
  }

  void step(const Copy& copy) { assign(copy.to, copy.from); }

  void step(const Join& join) { known_.erase(join.to); }

  void step(const WhileStep& loop) {
    assign_all(loop.carried, loop.initial);
    for (;;) {
      block(loop.condition);
      const std::optional<int64_t> goes_on = number(loop.condition_value);
      if (!goes_on || visits_ > kMostVisits) break;
      if (*goes_on == 0) return assign_all(loop.result, loop.carried);
      block(loop.body);
      assign_all(loop.carried, loop.next);
    }
    for (const Steps* steps : {&loop.condition, &loop.body})
      for_each_step(*steps, [&](const Step& step) { without_number_.insert(&step); });
    forget(loop.result);
  }

  void step(const ConditionalStep& choice) {
    const std::optional<int64_t> selector = number(choice.selector);
    const auto last = static_cast<int64_t>(choice.branches.size()) - 1;
    if (selector) {
      const bool is_pred = known(choice.selector)->size() == 1;
      const int64_t asked = is_pred ? int64_t{*selector == 0} : *selector;
      const auto taken = static_cast<size_t>(asked < 0 || asked > last ? last : asked);
      block(choice.branches[taken]);
      return assign_all(choice.results, choice.yields[taken]);
    }
    for (const Steps& branch : choice.branches) block(branch);
    forget(choice.results);
  }

  void step(const UserCall& call) { forget(call.results); }
  void step(const Submit& submit) { forget(submit.results); }
  void step(const Transfer& transfer) { known_.erase(transfer.to); }
  void step(const Wait&) {}
  void forget(const std::vector<Id>& ids) {
    for (Id id : ids) known_.erase(id);
  }

  const Program& program_;
  std::map<Id, Bytes> known_;
  std::map<const Step*, int64_t> counts_;
  std::set<const Step*> without_number_;
  int64_t visits_ = 0;
};

}  // namespace

std::map<const Step*, std::optional<int64_t>> run_counts(const Program& program,
                                                         const Steps& steps) {
  RunCounter counter(program);
  counter.block(steps);
  return counter.counts();
}

}  // namespace hlocc::planning
