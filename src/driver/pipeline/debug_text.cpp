// See debug_text.h.
#include "driver/pipeline/debug_text.h"

#include <algorithm>

#include "ops/text/printer.h"

namespace hlocc::driver {
namespace {

bool is_text(const hlo::Module& module) {
  return std::ranges::any_of(
      module.entry_computation().instructions,
      [](const hlo::Instruction& instruction) { return instruction.line > 0; });
}

}  // namespace

std::optional<hlo::Module> with_printed_lines(const hlo::Module& module, const Target& target,
                                              const std::set<package::Emit>& emit) {
  if (!target.options.debug || (is_text(module) && !emit.contains(package::Emit::kHloText)))
    return std::nullopt;
  hlo::Module numbered = module;
  ops::number_lines(numbered);
  return numbered;
}

bool shows_text(const kernel::Steps& steps, const kernel::Signature& signature) {
  const std::string file = kernel::hlo_text_file(signature.stem);
  bool found = false;
  kernel::for_each_step(steps, [&](const kernel::Step& step) {
    found |= !step.origin.source.empty() && step.origin.source[0].file == file;
  });
  return found;
}

}  // namespace hlocc::driver
