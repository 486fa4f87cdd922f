// Programs of StableHLO that tests write: a whole file, or one operation, with what it is in HLO or
// what is said of it.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "import/stablehlo/import.h"
#include "ops/text/printer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::tests {

inline Result<hlo::Module> read_program(const std::string& text) {
  Budget budget;
  const BudgetScope scope(&budget);
  import::Elided elided;
  return import::stablehlo::read_stablehlo(text, "file", elided);
}

// One operation of arguments %a, %b, ...: "2x3xf32 3xi32" are their types.
inline Result<hlo::Module> read_op(std::string_view arguments, std::string_view result,
                                   std::string_view op) {
  std::string list;
  char name = 'a';
  for (const std::string& type : split(arguments, ' '))
    list += cat(list.empty() ? "" : ", ", "%", std::string(1, name++), ": tensor<", type, ">");
  return read_program(cat("module @m {\n  func.func public @main(", list, ") -> (tensor<", result,
                          ">) {\n    %0 = ", op, "\n    return %0 : tensor<", result,
                          ">\n  }\n}\n"));
}

// The root as HLO, without its name and what tells where it comes from.
inline std::string root_of(const hlo::Module& module) {
  const hlo::Computation& entry = module.computations[static_cast<size_t>(module.entry)];
  std::string text = ops::to_text(module, entry, entry[entry.root]);
  text.erase(0, text.find(" = ") + 3);
  std::erase(text, '%');
  return text.substr(0, text.find(", metadata="));
}

struct Form {
  std::string_view arguments, result, op, hlo;
};

inline void check_forms(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    INFO(form.op);
    const Result<hlo::Module> module = read_op(form.arguments, form.result, form.op);
    INFO((module ? "" : module.error().to_string()));
    REQUIRE(module);
    CHECK(root_of(*module) == form.hlo);
  }
}

struct Refused {
  std::string_view arguments, result, op, message;
};

inline void check_refused(const std::vector<Refused>& rows) {
  for (const Refused& row : rows) {
    INFO(row.op);
    const Result<hlo::Module> module = read_op(row.arguments, row.result, row.op);
    REQUIRE_FALSE(module);
    CHECK_THAT(module.error().message, Catch::Contains(std::string(row.message)));
    CHECK_THAT(module.error().message, Catch::Contains("(column "));
    CHECK(module.error().location.line >= 3);
  }
}

}  // namespace hlocc::tests
