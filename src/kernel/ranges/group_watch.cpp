// See group_watch.h.
#include "kernel/ranges/group_watch.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::kernel {

GroupWatch::GroupWatch(const Kernel& kernel, std::span<const std::span<std::byte>> buffers)
    : RaceWatch(kernel, buffers), shared_(kernel.buffers.size()) {
  if (const std::optional<MappedLoops> loops = mapped_loops(kernel))
    threads_ = static_cast<int>(loops->threads);
  for (size_t i = 0; i < shared_.size(); ++i)
    if (kernel.buffers[i].space == Space::kShared)
      shared_[i].resize(static_cast<size_t>(kernel.buffers[i].elements));
}

void GroupWatch::begin_group(int64_t group) {
  group_ = group;
  ++phase_;
  unwritten_.reset();
  for (std::vector<Element>& buffer : shared_) std::ranges::fill(buffer, Element());
}

void GroupWatch::begin_thread(int thread) {
  thread_ = thread;
  begin(static_cast<int>(group_ * threads_ + thread));
}

bool GroupWatch::barrier() {
  ++phase_;
  if (!unwritten_) return true;
  begin_thread(unwritten_->thread);
  return fails(cat(name_of(range()), " reads ",
                   RaceWatch::name_of(unwritten_->buffer, unwritten_->at), " (op ", unwritten_->op,
                   "), which no thread of the group has written"));
}

bool GroupWatch::load(int buffer, int64_t at) {
  if (!is_shared(buffer)) return RaceWatch::load(buffer, at);
  Element& held = element(buffer, at);
  if (held.writer.thread == kNoThread && !unwritten_) unwritten_ = {buffer, thread_, op_, at};
  if (meets(held.writer)) return misses_barrier(buffer, at, "reads", held.writer, "writes");
  if (held.readers[0].thread != thread_) held.readers[1] = held.readers[0];
  held.readers[0] = now();
  return true;
}

bool GroupWatch::store(int buffer, int64_t at) {
  if (!is_shared(buffer)) return RaceWatch::store(buffer, at);
  Element& held = element(buffer, at);
  if (meets(held.writer)) return misses_barrier(buffer, at, "writes", held.writer, "writes");
  for (const Visit& reader : held.readers)
    if (meets(reader)) return misses_barrier(buffer, at, "writes", reader, "reads");
  held.writer = now();
  return true;
}

bool GroupWatch::misses_barrier(int buffer, int64_t at, const char* what, const Visit& other,
                                const char* others_do) {
  return fails(cat(name_of(range()), " ", what, " ", RaceWatch::name_of(buffer, at), " (op ", op_,
                   "), which thread ", other.thread, " ", others_do, " (op ", other.op,
                   ") with no barrier between"));
}

std::string GroupWatch::name_of(int range) const {
  return cat("thread ", range % threads_, " of group ", range / threads_);
}

}  // namespace hlocc::kernel
