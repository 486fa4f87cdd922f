// See table_steps.h.
#include "backends/spirv/table_steps.h"

#include "hlocc_launch_table.h"

namespace hlocc::backends {

void TableSteps::put(std::initializer_list<int64_t> words) {
  for (const int64_t word : words) words_.push_back(static_cast<uint32_t>(word));
}

void TableSteps::open() {
  if (commands_at_ != 0) return;
  put({HLOCC_STEP_SEGMENT, segments_++, 1, 0});
  commands_at_ = words_.size();
  hazards_.begin_list();
}

void TableSteps::close() {
  if (commands_at_ == 0) return;
  words_[commands_at_ - 1] = static_cast<uint32_t>(words_.size() - commands_at_);
  commands_at_ = 0;
}

uint32_t TableSteps::waits_for(const std::vector<DeviceAccess>& accesses) {
  const bool waits = hazards_.must_wait(accesses);
  waits_ += waits;
  return waits;
}

void TableSteps::launch(uint32_t shader, int64_t groups, const std::vector<uint32_t>& pushed,
                        const std::vector<DeviceAccess>& accesses) {
  open();
  ++launches_;
  put({HLOCC_COMMAND_LAUNCH, waits_for(accesses), shader, groups,
       static_cast<int64_t>(pushed.size())});
  words_.insert(words_.end(), pushed.begin(), pushed.end());
}

void TableSteps::copy(Spot to, Spot from, int64_t bytes) {
  open();
  ++copies_;
  put({HLOCC_COMMAND_COPY,
       waits_for({{to.memory, to.offset, to.offset + bytes, true},
                  {from.memory, from.offset, from.offset + bytes, false}}),
       to.memory, to.offset, from.memory, from.offset, bytes});
}

void TableSteps::repeat(int64_t times) {
  close();
  open();
  words_[commands_at_ - 2] = static_cast<uint32_t>(times);
}

size_t TableSteps::here() {
  close();
  return words_.size();
}

TableSteps::Placeholder TableSteps::placeholder() {
  words_.push_back(0);
  placeholders_.push_back(words_.size() - 1);
  return placeholders_.back();
}

TableSteps::Placeholder TableSteps::jump() {
  close();
  put({HLOCC_STEP_JUMP});
  return placeholder();
}

TableSteps::Placeholder TableSteps::unless(Spot flag) {
  close();
  put({HLOCC_STEP_UNLESS, flag.memory, flag.offset});
  return placeholder();
}

std::vector<TableSteps::Placeholder> TableSteps::choose(Spot selector, int bytes, size_t branches) {
  close();
  put({HLOCC_STEP_CHOOSE, selector.memory, selector.offset, bytes, static_cast<int64_t>(branches)});
  std::vector<Placeholder> placeholders;
  for (size_t i = 0; i < branches; ++i) placeholders.push_back(placeholder());
  return placeholders;
}

std::vector<uint32_t> TableSteps::finish(size_t at) {
  close();
  put({HLOCC_STEP_END});
  for (const Placeholder placeholder : placeholders_)
    words_[placeholder] += static_cast<uint32_t>(at);
  return words_;
}

}  // namespace hlocc::backends
