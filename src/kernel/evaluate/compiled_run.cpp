// Running the evaluator's nodes.
#include <algorithm>
#include <cstring>

#include "kernel/evaluate/compiled_kernel.h"
#include "kernel/program.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// What memory holds before anybody wrote: scratch starts with it, so that a kernel that trusts in
// zeros is found out.
constexpr std::byte kGarbage{0xa5};

}  // namespace

Status CompiledKernel::bind(std::span<const std::span<std::byte>> buffers) {
  views_.clear();
  scratch_.clear();
  scratch_.reserve(kernel_.buffers.size());
  size_t next = 0;
  for (const Buffer& buffer : kernel_.buffers) {
    const bool scratch = buffer.direction == Direction::kScratch;
    const bool own = scratch && (buffer.space != Space::kArena || next >= buffers.size());
    if (!own && next >= buffers.size())
      return error(DiagnosticKind::kInternal, "kernel " + kernel_.name + ": too few buffers");
    std::span<std::byte> bytes;
    if (own) {
      scratch_.emplace_back(static_cast<size_t>(buffer.elements * scalar_bytes(buffer.element)),
                            kGarbage);
      bytes = scratch_.back();
    } else {
      bytes = buffers[next++];
    }
    View view{
        .data = bytes.data(), .element = buffer.element, .bytes = scalar_bytes(buffer.element)};
    view.elements = static_cast<int64_t>(bytes.size()) / view.bytes;
    view.canonical = scalar_bits(buffer.element) == 8 * view.bytes;
    view.negative = is_signed(buffer.element) || buffer.element == Scalar::kIndex;
    views_.push_back(view);
  }
  return {};
}

Status CompiledKernel::run(std::span<const std::span<std::byte>> buffers,
                           std::span<const int64_t> integers, std::span<const Overlap> overlaps,
                           AccessWatch* watch) {
  HLOCC_TRY(bind(buffers));
  watch_ = watch;
  watch_groups(buffers);
  lay_over(overlaps);
  if (integers.size() != kernel_.parameters.size())
    return error(DiagnosticKind::kInternal,
                 "kernel " + kernel_.name + ": wrong number of integers");
  for (size_t i = 0; i < integers.size(); ++i)
    registers_[static_cast<size_t>(slot_[kernel_.parameters[i]])] =
        static_cast<uint64_t>(integers[i]);
  if (!run(body_.nodes))
    return error(DiagnosticKind::kInternal, "kernel " + kernel_.name + ": " + fault_);
  return {};
}

bool CompiledKernel::run(const std::vector<Node>& nodes) {
  for (const Node& node : nodes)
    if (!run(node)) return false;
  return true;
}

bool CompiledKernel::run(const Node& node) {
  uint64_t* const r = registers_.data();
  switch (node.action) {
    case Action::kApply: apply(node); return true;
    case Action::kSelect:
      for (int i = 0; i < node.lanes; ++i) {
        const bool first = r[node.operand[0] + i * node.step[0]] != 0;
        r[node.result + i] = r[node.operand[first ? 1 : 2] + i];
      }
      return true;
    case Action::kMove: r[node.result] = r[node.operand[0]]; return true;
    case Action::kSplat:
      for (int i = 0; i < node.lanes; ++i) r[node.result + i] = r[node.operand[0]];
      return true;
    case Action::kInsert:
      for (int i = 0; i < node.lanes; ++i) r[node.result + i] = r[node.operand[0] + i];
      r[node.result + node.group] = r[node.operand[1]];
      return true;
    case Action::kShuffle:
      for (int i = 0; i < node.lanes; ++i)
        r[node.result + i] = node.picks[i] < 0 ? 0
                             : node.op         ? node.op(r[node.picks[i]])
                                               : r[node.picks[i]];
      return true;
    case Action::kReduce: reduce(node); return true;
    case Action::kDot: dot(node); return true;
    case Action::kMulShift: mul_shift(node); return true;
    case Action::kSaturate: saturate(node); return true;
    case Action::kMatrix: matrix(node); return true;
    case Action::kLoad: return load(node);
    case Action::kStore: return store(node);
    case Action::kNothing:
    case Action::kBarrier: return true;
    case Action::kLoop: return loop(node);
    case Action::kWhile: return while_loop(node);
    case Action::kGroups: return run_groups(node);
    case Action::kIf: {
      const Block& taken = node.blocks[r[node.operand[0]] != 0 ? 0 : 1];
      if (!run(taken.nodes)) return false;
      move(taken.next);
      return true;
    }
  }
  return true;
}

void CompiledKernel::apply(const Node& node) {
  uint64_t* const r = registers_.data();
  for (int i = 0; i < node.lanes; ++i)
    r[node.result + i] =
        node.op(r[node.operand[0] + i * node.step[0]], r[node.operand[1] + i * node.step[1]],
                r[node.operand[2] + i * node.step[2]]);
}

// --- memory ---

int64_t CompiledKernel::address(const Address& at) const {
  int64_t sum = at.offset;
  for (const auto& [slot, scale] : at.terms)
    sum += scale * static_cast<int64_t>(registers_[static_cast<size_t>(slot)]);
  return sum;
}

int64_t CompiledKernel::lane_address(const Node& node, int64_t base, int lane) const {
  if (node.indices < 0) return base + lane * node.stride;
  return base + static_cast<int64_t>(registers_[static_cast<size_t>(node.indices + lane)]);
}

bool CompiledKernel::is_left_out(const Node& node, int lane) const {
  return node.mask >= 0 && registers_[static_cast<size_t>(node.mask + lane * node.mask_step)] == 0;
}

bool CompiledKernel::out_of_range(const Node& node, int64_t at) {
  const View& view = views_[static_cast<size_t>(node.buffer)];
  if (at >= 0 && at < view.elements) return false;
  fault_ =
      cat(node.action == Action::kLoad ? "reads" : "writes", " element ", at, " of ",
          kernel_.buffers[static_cast<size_t>(node.buffer)].name, ", which has ", view.elements);
  return true;
}

bool CompiledKernel::is_refused(const Node& node, int64_t at) {
  note_op(node);
  if (node.action == Action::kLoad ? watch_->load(node.buffer, at) : watch_->store(node.buffer, at))
    return false;
  fault_ = watch_->fault();
  return true;
}

template <typename Unsigned, typename Signed>
static uint64_t read_as(const std::byte* data, int64_t at, bool negative) {
  Unsigned bits;
  std::memcpy(&bits, data + at * static_cast<int64_t>(sizeof(bits)), sizeof(bits));
  return negative ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<Signed>(bits))) : bits;
}

template <typename Unsigned>
static void write_as(std::byte* data, int64_t at, uint64_t bits) {
  const Unsigned narrow = static_cast<Unsigned>(bits);
  std::memcpy(data + at * static_cast<int64_t>(sizeof(narrow)), &narrow, sizeof(narrow));
}

uint64_t CompiledKernel::read(const View& view, int64_t at) {
  switch (view.bytes) {
    case 1: {
      const uint64_t bits = read_as<uint8_t, int8_t>(view.data, at, view.negative);
      return view.canonical ? bits : canonical_bits(view.element, bits);
    }
    case 2: return read_as<uint16_t, int16_t>(view.data, at, view.negative);
    case 4: return read_as<uint32_t, int32_t>(view.data, at, view.negative);
    default: return read_as<uint64_t, int64_t>(view.data, at, false);
  }
}

void CompiledKernel::write(const View& view, int64_t at, uint64_t bits) {
  switch (view.bytes) {
    case 1: return write_as<uint8_t>(view.data, at, bits);
    case 2: return write_as<uint16_t>(view.data, at, bits);
    case 4: return write_as<uint32_t>(view.data, at, bits);
    default: return write_as<uint64_t>(view.data, at, bits);
  }
}

bool CompiledKernel::load(const Node& node) {
  uint64_t* const r = registers_.data();
  const View& view = views_[static_cast<size_t>(node.buffer)];
  const int64_t base = address(node.at);
  for (int i = 0; i < node.lanes; ++i) {
    if (is_left_out(node, i)) {
      r[node.result + i] = node.otherwise < 0 ? 0 : r[node.otherwise + i];
      continue;
    }
    const int64_t at = lane_address(node, base, i);
    if (out_of_range(node, at)) return false;
    if (view.covered && is_lost(node.buffer, at)) return false;
    if (watch_ != nullptr && is_refused(node, at)) return false;
    r[node.result + i] = read(view, at);
  }
  return true;
}

bool CompiledKernel::store(const Node& node) {
  const uint64_t* const r = registers_.data();
  const View& view = views_[static_cast<size_t>(node.buffer)];
  const int64_t base = address(node.at);
  for (int i = 0; i < node.lanes; ++i) {
    if (is_left_out(node, i)) continue;
    const int64_t at = lane_address(node, base, i);
    if (out_of_range(node, at)) return false;
    if (watch_ != nullptr && is_refused(node, at)) return false;
    if (view.covers) cover(node.buffer, at);
    write(view, at, r[node.operand[0] + i]);
  }
  return true;
}

// --- overlaps ---

// The result would begin `ahead` bytes before the operand.
void CompiledKernel::lay_over(std::span<const Overlap> overlaps) {
  covers_.clear();
  for (const Overlap& overlap : overlaps) {
    View &result = views_[static_cast<size_t>(overlap.result)],
         &operand = views_[static_cast<size_t>(overlap.operand)];
    result.covers = operand.covered = true;
    covers_.push_back({overlap.result, overlap.operand, overlap.bytes,
                       std::vector<bool>(static_cast<size_t>(operand.elements * operand.bytes))});
  }
}

void CompiledKernel::cover(int buffer, int64_t at) {
  const int64_t bytes = views_[static_cast<size_t>(buffer)].bytes;
  for (Cover& each : covers_) {
    if (each.result != buffer) continue;
    const int64_t size = static_cast<int64_t>(each.lost.size()), first = at * bytes - each.ahead;
    for (int64_t i = std::max<int64_t>(first, 0); i < std::min(first + bytes, size); ++i)
      each.lost[static_cast<size_t>(i)] = true;
  }
}

bool CompiledKernel::is_lost(int buffer, int64_t at) {
  const int64_t bytes = views_[static_cast<size_t>(buffer)].bytes;
  for (const Cover& each : covers_) {
    if (each.operand != buffer) continue;
    for (int64_t i = at * bytes; i < (at + 1) * bytes; ++i) {
      if (!each.lost[static_cast<size_t>(i)]) continue;
      fault_ = cat("reads element ", at, " of ", kernel_.buffers[static_cast<size_t>(buffer)].name,
                   " after ", kernel_.buffers[static_cast<size_t>(each.result)].name,
                   " was written over it, which the launch allows");
      return true;
    }
  }
  return false;
}

// --- control ---

// All at once: an iteration may swap what it carries.
void CompiledKernel::move(const std::vector<std::pair<int, int>>& pairs) {
  uint64_t* const r = registers_.data();
  if (pairs.size() == 1) {
    r[pairs[0].first] = r[pairs[0].second];
    return;
  }
  moved_.resize(std::max(moved_.size(), pairs.size()));
  for (size_t i = 0; i < pairs.size(); ++i) moved_[i] = r[pairs[i].second];
  for (size_t i = 0; i < pairs.size(); ++i) r[pairs[i].first] = moved_[i];
}

bool CompiledKernel::loop(const Node& node) {
  const int64_t lower = address(node.at), upper = address(node.upper);
  move(node.enter);
  for (int64_t i = lower; i < upper; i += node.stride) {
    registers_[static_cast<size_t>(node.counter)] = static_cast<uint64_t>(i);
    if (!run(node.blocks[0].nodes)) return false;
    move(node.blocks[0].next);
  }
  move(node.leave);
  return true;
}

bool CompiledKernel::while_loop(const Node& node) {
  const Block &condition = node.blocks[0], &body = node.blocks[1];
  move(node.enter);
  while (true) {
    if (!run(condition.nodes)) return false;
    if (registers_[static_cast<size_t>(condition.condition)] == 0) break;
    move(condition.next);
    if (!run(body.nodes)) return false;
    move(body.next);
  }
  move(node.leave);
  return true;
}

}  // namespace hlocc::kernel
