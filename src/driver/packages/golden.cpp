// See golden.h.
#include "driver/packages/golden.h"

#include "driver/pipeline/load.h"
#include "driver/run/random_arguments.h"
#include "driver/run/values.h"
#include "package/names.h"

namespace hlocc::driver {
namespace {

Result<import::Snapshot> values_of(const CommandLine& line, const import::Imported& imported) {
  const std::vector<std::string>& inputs = line.values.inputs;
  const std::vector<std::string>& expected = line.values.expected;
  if (imported.snapshot && inputs.empty() && expected.empty()) return *imported.snapshot;
  import::Snapshot out;
  if (inputs.empty() && !imported.snapshot) {
    out.arguments = random_arguments(imported.module);
  } else {
    HLOCC_TRY_ASSIGN(out.arguments, gather_arguments(imported, inputs));
  }
  HLOCC_TRY_ASSIGN(out.result, gather_expected(imported, out.arguments, expected));
  return out;
}

}  // namespace

Result<GoldenTest> golden_test(const CommandLine& line, const PackageModel& model,
                               const import::Imported& imported) {
  Options options = line.options;
  options.name = model.names.class_name;
  HLOCC_TRY(name_leaves(imported.module, line, options));
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(imported.module, options));
  HLOCC_TRY_ASSIGN(const import::Snapshot values, values_of(line, imported));
  // The rules that lie beside a snapshot, as `verify` holds its results against them.
  HLOCC_TRY_ASSIGN(const Case one, case_of_snapshot(model.path, {}));
  const auto rules = all_rules(one.rules, imported.module, values.result);
  return GoldenTest{selftest_parts(rules, values, signature, ByteOrder::kLittle),
                    selftest_parts(rules, values, signature, ByteOrder::kBig), signature.arguments,
                    signature.results};
}

}  // namespace hlocc::driver
