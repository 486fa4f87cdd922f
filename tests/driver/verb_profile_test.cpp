// `hlocc profile` as a whole: which dump of a log is the model's, and what is said where none is
// (driver/analyze/verb_profile.cpp).
#include <catch2/catch.hpp>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/text_module.h"
#include "driver/verb_told.h"
#include "package/names.h"
#include "planning/timed_steps.h"
#include "support/require.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

const std::string kProfiled =
    "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n y = f32[2] sine(x)\n w = f32[2,2] "
    "constant({{1,2},{3,4}})\n ROOT d = f32[2] dot(y, w), lhs_contracting_dims={0}, "
    "rhs_contracting_dims={0}\n}\n";

// The hash of what is planned of it for a chip.
std::string hash_for(const std::string& chip) {
  const hlo::Module module = module_of_text(kProfiled);
  Target target = tests::require(resolve_target(chip, {}));
  target.options.stem = "m";
  const Planned planned = tests::require(plan_module(
      module, tests::require(package::make_signature(module, target.options)), target, {}));
  return planning::steps_hash(planned.program, planned.plan);
}

std::string dump_of(const std::string& chip, const std::string& hash, int steps = 2) {
  std::string out = cat("hlocc-steps begin m ", chip, " -O2 ", hash, " steps ", steps, " runs 1\n");
  for (int i = 0; i < steps; ++i)
    out += cat("hlocc-steps step ", i, " calls 1 total 40 least 40 most 40\n");
  return out + "hlocc-steps end\n";
}

TEST_CASE("of a log's dumps the first one of the model is told") {
  const tests::TemporaryFolder folder;
  const std::string model = folder.write("m.hlo", kProfiled);
  const auto told = [&](const std::string& log) {
    return told_by(cat("profile ", folder.write("log.txt", log), " --model ", model));
  };
  const std::string right = hash_for("cortex-m4f"), other = hash_for("cortex-m0");
  const Told alone = told(dump_of("cortex-m4f", right));
  CHECK(alone.code == kExitDone);
  CHECK(alone.out.find("sine_0") != std::string::npos);
  // Behind dumps of another plan, of another chip and of the same one.
  for (const char* chip : {"cortex-m4f", "cortex-m0"}) {
    const Told second = told(dump_of(chip, "0123456789abcdef") + dump_of("cortex-m4f", right));
    CHECK(second.code == kExitDone);
    CHECK(second.out == alone.out);
  }
  CHECK(told(dump_of("cortex-m0", other)).code == kExitDone);
  const Told none = told(dump_of("cortex-m4f", "0123456789abcdef") + dump_of("cortex-m0", "f"));
  CHECK(none.code == kExitInput);
  CHECK(none.out.empty());
  CHECK(none.errors.find("note: it is of m for cortex-m0 at -O2, m for cortex-m4f at -O2") !=
        std::string::npos);
  const Told damaged = told(dump_of("cortex-m4f", right, 1));
  CHECK(damaged.code == kExitInput);
  CHECK(damaged.errors.find("the profile of m has 1 steps, its plan 2") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
