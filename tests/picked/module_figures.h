// The figures of a module: how many instructions of each kind and type there are, and what they
// make.
#pragma once
#include "hlo/module.h"
#include "support/figures.h"
#include "support/text.h"

namespace hlocc::tests {

inline Figures figures_of(const hlo::Module& module) {
  Figures figures;
  figures.add("modules", 1);
  figures.add("computations", static_cast<int64_t>(module.computations.size()));
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions) {
      int64_t elements = 0, bytes = 0;
      for (const hlo::Shape& leaf : hlo::leaf_shapes(i.shape))
        if (!leaf.is_token()) elements += leaf.element_count(), bytes += leaf.byte_size();
      const bool known = i.opcode == hlo::Opcode::kConstant;
      figures.add("instructions", 1);
      figures.add("elements", elements);
      figures.add("bytes", known ? 0 : bytes);
      figures.add("constants", known ? bytes : 0);
      std::string kind(hlo::opcode_name(i.opcode));
      if (i.opcode == hlo::Opcode::kFusion) {
        const auto schedule = hlo::schedule_name(i.get<hlo::FusionAttributes>().schedule);
        if (!schedule.empty()) kind += cat(" ", schedule);
      }
      if (!i.shape.is_tuple() && !i.shape.is_token())
        kind += cat(" ", hlo::type_name(i.shape.element_type));
      figures.count(kind);
    }
  return figures;
}

}  // namespace hlocc::tests
