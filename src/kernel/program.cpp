// Sizes of leaves, and walks over the tree of steps.
#include "kernel/program.h"

#include "kernel/program_values.h"

namespace hlocc::kernel {

int64_t Leaf::bytes() const {
  const int64_t count = shape.element_count();
  if (shape.layout.element_bits == 0) return count * hlo::storage_bytes(shape.element_type);
  return (count * shape.layout.element_bits + 7) / 8;
}

void add_stream(Program& program, int64_t iterations) {
  ProgramValue state{.name = "stream", .element = Scalar::kS32, .elements = 2};
  state.role = ValueRole::kState;
  state.data = std::make_shared<const std::vector<std::byte>>(state.bytes());
  program.stream = {program.signature.stream->leaf,
                    static_cast<ProgramValueId>(program.values.size()), iterations};
  program.values.push_back(std::move(state));
}

bool takes_rows(const Program& program, const Step& step) {
  const auto* loop = std::get_if<WhileStep>(&step.what);
  if (loop == nullptr) return false;
  bool found = false;
  Steps body = loop->body;
  replace_values(body, [&](ProgramValueId id) {
    found = found || program.is_streamed(id);
    return id;
  });
  return found;
}

void drop_stream_condition(const Program& program, Steps& steps) {
  for (Step& step : steps)
    if (takes_rows(program, step)) std::get<WhileStep>(step.what).condition.clear();
}

std::vector<Buffer> arena_scratch(const Kernel& kernel, const Launch& launch) {
  std::vector<Buffer> out;
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.direction != Direction::kScratch || buffer.space != Space::kArena) continue;
    out.push_back(buffer);
    if (!launch.scratch.empty()) out.back().elements = launch.scratch[out.size() - 1];
  }
  return out;
}

void for_each_step(const Steps& steps, const std::function<void(const Step&)>& visit) {
  for (const Step& step : steps) {
    visit(step);
    if (const auto* loop = std::get_if<WhileStep>(&step.what)) {
      for_each_step(loop->condition, visit);
      for_each_step(loop->body, visit);
    }
    if (const auto* choice = std::get_if<ConditionalStep>(&step.what))
      for (const Steps& branch : choice->branches) for_each_step(branch, visit);
  }
}

void for_each_launch(Steps& steps, const std::function<void(Launch&)>& visit) {
  for (Step& step : steps) {
    if (auto* const launch = std::get_if<Launch>(&step.what)) visit(*launch);
    if (auto* const loop = std::get_if<WhileStep>(&step.what)) {
      for_each_launch(loop->condition, visit);
      for_each_launch(loop->body, visit);
    }
    if (auto* const choice = std::get_if<ConditionalStep>(&step.what))
      for (Steps& branch : choice->branches) for_each_launch(branch, visit);
  }
}

bool uses_queues(const Steps& steps) {
  bool found = false;
  for_each_step(steps, [&](const Step& step) {
    found |= std::holds_alternative<Transfer>(step.what) ||
             std::holds_alternative<Submit>(step.what) || std::holds_alternative<Wait>(step.what);
  });
  return found;
}

}  // namespace hlocc::kernel
