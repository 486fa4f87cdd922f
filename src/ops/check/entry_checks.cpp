// Checks of entry layouts and aliases.
#include "ops/check/entry_checks.h"

#include <set>

#include "ops/check/checks.h"
#include "ops/check/locate.h"
#include "ops/check/well_formed.h"

namespace hlocc::ops {
namespace {

// The part of a tuple shape that an index path names; null where there is none.
const Shape* part_at(const Shape& shape, const Dimensions& path) {
  const Shape* part = &shape;
  for (int64_t index : path) {
    if (index < 0 || index >= static_cast<int64_t>(part->tuple.size())) return nullptr;
    part = &part->tuple[index];
  }
  return part;
}

Status check_layouts(const Module& module) {
  const Computation& entry = module.entry_computation();
  HLOCC_TRY(check(module.entry_parameters.size() == entry.parameters.size(), kStructure,
                  "the entry layout has ", module.entry_parameters.size(),
                  " parameters, the entry computation ", entry.parameters.size()));
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const std::string what = cat("entry parameter ", i);
    HLOCC_TRY(check_well_formed(module.entry_parameters[i], what));
    HLOCC_TRY(check_same_shape(module.entry_parameters[i], entry[entry.parameters[i]].shape, what));
  }
  HLOCC_TRY(check_well_formed(module.entry_result, "the entry result"));
  return check_same_shape(module.entry_result, entry.root_instruction().shape, "the entry result");
}

// Shapes may differ, as the bytes alone are handed over.
int64_t memory_bytes(const Shape& array) {
  const int64_t packed = array.layout.element_bits;
  return packed == 0 ? array.byte_size() : (array.element_count() * packed + 7) / 8;
}
Status check_same_size(const Shape& parameter, const Shape& result) {
  const std::vector<Shape> from = hlo::leaf_shapes(parameter), to = hlo::leaf_shapes(result);
  bool fits = parameter.is_tuple() == result.is_tuple() && from.size() == to.size();
  for (size_t i = 0; fits && i < from.size(); ++i)
    fits = memory_bytes(from[i]) == memory_bytes(to[i]);
  return check(fits, kShape, "a donated parameter is ", parameter,
               ", the result that takes its memory ", result,
               ": they must have equally many bytes");
}

Status check_aliases(const Module& module) {
  std::set<Dimensions> outputs;
  std::set<std::pair<int64_t, Dimensions>> parameters;
  for (const hlo::Alias& alias : module.aliases) {
    const Shape* output = part_at(module.entry_result, alias.output_index);
    HLOCC_TRY(check(output != nullptr, kAttribute, "input_output_alias names result ",
                    Listed{alias.output_index}, ", which does not exist"));
    const bool known = alias.parameter >= 0 &&
                       alias.parameter < static_cast<int64_t>(module.entry_parameters.size());
    const Shape* parameter =
        known ? part_at(module.entry_parameters[alias.parameter], alias.parameter_index) : nullptr;
    HLOCC_TRY(check(parameter != nullptr, kAttribute, "input_output_alias names parameter ",
                    alias.parameter, " ", Listed{alias.parameter_index}, ", which does not exist"));
    HLOCC_TRY(check_same_size(*parameter, *output));
    HLOCC_TRY(check(outputs.insert(alias.output_index).second, kAttribute, "result ",
                    Listed{alias.output_index}, " is aliased twice"));
    HLOCC_TRY(check(parameters.insert({alias.parameter, alias.parameter_index}).second, kAttribute,
                    "parameter ", alias.parameter, " ", Listed{alias.parameter_index},
                    " is donated twice"));
  }
  return {};
}

}  // namespace

Status check_entry(const Module& module) {
  for (Status (*rule)(const Module&) : {check_layouts, check_aliases})
    if (Status status = rule(module); !status) return locate(std::move(status).error(), module);
  return {};
}

}  // namespace hlocc::ops
