// One overload a kind of step names all the values that it holds.
#include "kernel/program_values.h"

namespace hlocc::kernel {
namespace {

using Ids = std::vector<ProgramValueId>;
using Replacement = std::function<ProgramValueId(ProgramValueId)>;

void replace(Ids& ids, const Replacement& replacement) {
  for (ProgramValueId& id : ids) id = replacement(id);
}
void replace(Launch& launch, const Replacement& replacement) {
  replace(launch.operands, replacement);
  for (Update& update : launch.updates) update.from = replacement(update.from);
}
void replace(Copy& copy, const Replacement& replacement) {
  copy.from = replacement(copy.from);
  copy.to = replacement(copy.to);
}
void replace(Join& join, const Replacement& replacement) {
  for (Join::Run& run : join.runs) run.from = replacement(run.from);
  join.to = replacement(join.to);
}
void replace(WhileStep& loop, const Replacement& replacement) {
  for (Ids* ids : {&loop.initial, &loop.carried, &loop.next, &loop.result})
    replace(*ids, replacement);
  loop.condition_value = replacement(loop.condition_value);
  replace_values(loop.condition, replacement);
  replace_values(loop.body, replacement);
}
void replace(ConditionalStep& choice, const Replacement& replacement) {
  choice.selector = replacement(choice.selector);
  replace(choice.results, replacement);
  for (Ids& yields : choice.yields) replace(yields, replacement);
  for (Steps& branch : choice.branches) replace_values(branch, replacement);
}
void replace(UserCall& call, const Replacement& replacement) {
  replace(call.operands, replacement);
  replace(call.results, replacement);
}

void replace(Transfer& transfer, const Replacement& replacement) {
  transfer.from = replacement(transfer.from);
  transfer.to = replacement(transfer.to);
}
void replace(Submit& submit, const Replacement& replacement) {
  replace(submit.operands, replacement);
  replace(submit.results, replacement);
}
void replace(Wait&, const Replacement&) {}

}  // namespace

std::string_view role_name(ValueRole role) {
  constexpr std::string_view names[] = {"temporary", "argument", "state", "constant"};
  return names[static_cast<int>(role)];
}

void replace_values(Steps& steps, const Replacement& replacement) {
  for (Step& step : steps) std::visit([&](auto& what) { replace(what, replacement); }, step.what);
}

std::vector<ProgramValueId> drop_unread_constants(Program& program) {
  const size_t count = program.values.size();
  std::vector<bool> kept(count);
  for (size_t i = 0; i < count; ++i) kept[i] = program.values[i].role != ValueRole::kConstant;
  const auto keep = [&](ProgramValueId id) {
    kept[id] = true;
    return id;
  };
  replace_values(program.steps, keep);
  replace(program.results, keep);

  std::vector<ProgramValueId> to(count, kNone);
  std::vector<ProgramValue> values;
  for (size_t i = 0; i < count; ++i) {
    if (!kept[i]) continue;
    to[i] = static_cast<ProgramValueId>(values.size());
    values.push_back(std::move(program.values[i]));
  }
  program.values = std::move(values);
  const auto renumber = [&](ProgramValueId id) { return to[id]; };
  replace_values(program.steps, renumber);
  replace(program.arguments, renumber);
  replace(program.results, renumber);
  if (program.stream) program.stream->state = renumber(program.stream->state);
  return to;
}

}  // namespace hlocc::kernel
