// --freeze on a module: which arguments become constants, what is left of the others, of a snapshot's
// values and of aliases, and what cannot be frozen (driver/pipeline/freeze.cpp).
#include "driver/pipeline/freeze.h"

#include <catch2/catch.hpp>

#include "driver/captured_output.h"
#include "driver/text_module.h"
#include "import/npy.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::PrimitiveType;

Literal counts(std::vector<int32_t> values) {
  return Literal::array<int32_t>(PrimitiveType::kS32, {static_cast<int64_t>(values.size())},
                                 values);
}

// Leaves: 0 gain, 1 offset, 2 and 3 of pair, 4 state, which is donated.
const char* const kFrozenModel =
    R"(HloModule m, input_output_alias={ {1}: (3, {}, may-alias) }
ENTRY e {
  gain = s32[1] parameter(0)
  offset = s32[1] parameter(1)
  pair = (s32[1], s32[1]) parameter(2)
  state = s32[1] parameter(3)
  first = s32[1] get-tuple-element(pair), index=0
  sum = s32[1] add(gain, offset)
  next = s32[1] add(state, first)
  ROOT r = (s32[1], s32[1]) tuple(sum, next)
})";

struct Frozen {
  std::string error, said;
  import::Imported model;
};

Frozen frozen_by(const std::vector<std::string>& names, const char* text = kFrozenModel,
                 std::optional<import::Snapshot> snapshot = {}) {
  tests::TemporaryFolder folder;
  const std::string file = folder.write("one.npy", import::write_npy(counts({7})));
  CommandLine line;
  for (const std::string& name : names) line.reading.frozen.push_back(cat(name, "=", file));
  Frozen out{{}, {}, {module_of_text(text), std::move(snapshot)}};
  const tests::CapturedOutput said(stderr);
  const Status status = freeze_arguments(line, out.model);
  if (!status) out.error = status.error().message;
  out.said = said.text();
  return out;
}

TEST_CASE("frozen arguments are constants, and those behind them move up") {
  const Frozen none = frozen_by({}), one = frozen_by({"gain"}), two = frozen_by({"offset", "gain"});
  CHECK(none.said.empty());
  CHECK(none.model.module.entry_parameters.size() == 4);
  REQUIRE(one.error.empty());
  CHECK(one.said.find("--freeze made constants of gain; arguments are now 0 offset, 1 pair_0, 2 "
                      "pair_1, 3 state\n") != std::string::npos);
  CHECK(one.model.module.entry_parameters.size() == 3);
  CHECK(one.model.module.aliases[0].parameter == 2);
  REQUIRE(two.error.empty());
  CHECK(two.said.find("--freeze made constants of gain, offset; arguments are now 0 pair_0, 1 "
                      "pair_1, 2 state\n") != std::string::npos);
  const hlo::Computation& entry = two.model.module.entry_computation();
  REQUIRE(entry.parameters.size() == 2);
  CHECK(entry[entry.parameters[1]].get<hlo::ParameterAttributes>().number == 1);
  int constants = 0;
  for (const hlo::Instruction& i : entry.instructions)
    if (i.opcode == hlo::Opcode::kConstant) {
      ++constants;
      CHECK(i.get<hlo::ConstantAttributes>().value == counts({7}));
    }
  CHECK(constants == 2);
}

TEST_CASE("what cannot be frozen is named") {
  CHECK(frozen_by({"pair_1"}).error == "--freeze pair_1: it is a part of a tuple");
  CHECK(frozen_by({"state"}).error ==
        "--freeze state: it is donated: every run changes it, as state");
  const char* const small =
      "HloModule m\nENTRY e {\n a = s32[1] parameter(0)\n b = s32[1] parameter(1)\n ROOT r = "
      "s32[1] add(a, b)\n}\n";
  CHECK(frozen_by({"a"}, small).error.empty());
  CHECK(frozen_by({"a", "b"}, small).error ==
        "--freeze: the model would be left without an argument");
  CHECK(frozen_by({"a"}, "HloModule m\nENTRY e {\n ROOT r = s32[1] constant({1})\n}\n")
            .error.find("the model has no argument a") != std::string::npos);
}

TEST_CASE("a snapshot keeps the values of what is left, and what it has beside them") {
  const import::Snapshot whole{
      {counts({1}), counts({2}), Literal::make_tuple({counts({3}), counts({4})}), counts({5})},
      Literal()};
  const Frozen one = frozen_by({"offset"}, kFrozenModel, whole);
  REQUIRE(one.model.snapshot);
  REQUIRE(one.model.snapshot->arguments.size() == 3);
  CHECK(one.model.snapshot->arguments[0] == counts({1}));
  CHECK(one.model.snapshot->arguments[2] == counts({5}));
  import::Snapshot longer = whole;
  longer.arguments.push_back(counts({6}));
  const Frozen more = frozen_by({"gain"}, kFrozenModel, longer);
  REQUIRE(more.model.snapshot->arguments.size() == 4);
  CHECK(more.model.snapshot->arguments[3] == counts({6}));
}

TEST_CASE("--from is of a snapshot, and for --freeze") {
  tests::TemporaryFolder folder;
  CommandLine line;
  line.reading.frozen_from = folder.write("m.hlo", std::string(kFrozenModel));
  import::Imported model{module_of_text(kFrozenModel), {}};
  const auto told = [&] {
    const Status status = freeze_arguments(line, model);
    return status ? std::string() : status.error().message;
  };
  CHECK(told() == "--from: there is no --freeze");
  line.reading.frozen = {"gain"};
  CHECK(told() == "--from: it is no snapshot: it holds no arguments");
}

}  // namespace
}  // namespace hlocc::driver
