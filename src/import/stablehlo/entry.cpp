// Translator: the entry. Its parameters and results, what they are called, which arguments results
// take the place of.
#include <algorithm>

#include "import/stablehlo/op.h"
#include "import/stablehlo/translator.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {

Status Translator::build() {
  const Function* entry = find("main");
  for (const Function& one : program_.functions) {
    if (entry != nullptr || !one.is_public) continue;
    entry = &one;
  }
  if (entry == nullptr || !entry->has_body)
    return source_.fail_at(0, DiagnosticKind::kStructure,
                           "no function is called @main, and none is public");
  builder_.begin(entry->name);
  scopes_.emplace_back();
  HLOCC_TRY(add_parameters(*entry));
  functions_[entry->name] = kOpen;
  const std::vector<InstructionId> results = body(entry->region);
  if (!builder_.failure() && results.size() != entry->result_types.size())
    fail(entry->at, DiagnosticKind::kArity,
         cat("@", entry->name, " returns ", results.size(), " values and declares ",
             entry->result_types.size()));
  for (size_t i = 0; i < results.size() && !builder_.failure(); ++i)
    if (!hlo::same_dimensions_and_type(builder_.shape(results[i]), entry->result_types[i]))
      fail(entry->at, DiagnosticKind::kShape,
           cat("result ", i, " of @", entry->name, " is ", builder_.shape(results[i]),
               " and declared as ", entry->result_types[i]));
  if (builder_.failure()) return *builder_.failure();
  module_.entry = finish(results);
  if (builder_.failure()) return *builder_.failure();
  HLOCC_TRY(count_devices());
  return name_results(*entry);
}

Status Translator::add_parameters(const Function& function) {
  int64_t number = 0;
  for (const Argument& one : function.region.arguments) {
    HLOCC_TRY_ASSIGN(hlo::Metadata metadata, locations_.of(one.location));
    builder_.set_metadata(std::move(metadata));
    define(one.name, 0, builder_.parameter(number, one.type, std::string(one.name)));
    HLOCC_TRY(donate(one, number, function.result_types));
    ++number;
  }
  if (builder_.failure()) return *builder_.failure();
  return {};
}

// jax.result_info = "result['y']": HLO has no place for names of results but notes on the root.
Status Translator::name_results(const Function& function) {
  hlo::Computation& entry = module_.entry_computation();
  for (size_t i = 0; i < function.result_attributes.size(); ++i) {
    const Fields fields(source_, builder_, function.result_attributes[i], cat("result ", i),
                        function.at);
    for (const char* name : {"mhlo.layout_mode", "mhlo.memory_kind"}) fields.ignore(name);
    std::string name;
    if (fields.has("jax.result_info")) name = fields.string("jax.result_info");
    if (name.starts_with("result")) name.erase(0, std::string_view("result").size());
    if (name.find_first_not_of("[]0123456789.") != std::string::npos)
      entry[entry.root].frontend_attributes[cat("result_name.", i)] = name;
    fields.finish();
  }
  return builder_.failure() ? Status(*builder_.failure()) : Status();
}

Status Translator::count_devices() {
  const Fields fields(source_, builder_, program_.attributes, "module", 0);
  module_.replica_count = fields.integer("mhlo.num_replicas", 1);
  module_.num_partitions = fields.integer("mhlo.num_partitions", 1);
  return builder_.failure() ? Status(*builder_.failure()) : Status();
}

// tf.aliasing_output: the result that takes the argument's place. jax.buffer_donor says that any
// result may, which is so here of every argument.
Status Translator::donate(const Argument& argument, int64_t number,
                          const std::vector<Shape>& results) {
  const Fields fields(source_, builder_, argument.attributes, cat("argument ", number), 0);
  for (const char* name :
       {"jax.buffer_donor", "jax.arg_info", "jax.global_constant", "mhlo.layout_mode",
        "mhlo.memory_kind", "mhlo.parameter_replication", "mhlo.is_same_data_across_replicas"})
    fields.ignore(name);
  if (fields.has("tf.aliasing_output")) {
    const int64_t result = fields.integer("tf.aliasing_output");
    const auto count = std::ssize(results);
    const Dimensions index = count == 1 ? Dimensions() : Dimensions{result};
    const auto taken = [&](const hlo::Alias& one) { return one.output_index == index; };
    if (result < 0 || result >= count)
      fields.refuse("tf.aliasing_output",
                    cat("is ", result, ", and there are ", count, " results"));
    else if (results[result].is_tuple() != argument.type.is_tuple() ||
             results[result].byte_size() != argument.type.byte_size())
      fields.refuse("tf.aliasing_output", cat("is result ", result, ", a ", results[result],
                                              ", which does not fit a ", argument.type));
    else if (std::ranges::any_of(module_.aliases, taken))
      fields.refuse("tf.aliasing_output", cat("is result ", result, ", as of another argument"));
    module_.aliases.push_back({.output_index = index, .parameter = number});
  }
  fields.finish();
  return builder_.failure() ? Status(*builder_.failure()) : Status();
}

}  // namespace hlocc::import::stablehlo
