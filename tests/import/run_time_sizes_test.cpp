// Sizes that a program sets at run time, beside those that only look like it.
#include <catch2/catch.hpp>

#include "import/models.h"

namespace hlocc::import {
namespace {

const hlo::Instruction& sized_root_of(const hlo::Module& module) {
  return module.entry_computation().root_instruction();
}

TEST_CASE("sizes that are set at run time") {
  const std::string head = "p = f32[2,6] parameter(0)\nn = s32[] parameter(1)\n";
  const auto shape_of = [&](const std::string& lines, std::string_view name) {
    const hlo::Module module = module_from(entry_with(head + lines));
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      if (i.name == name) return to_string(i.shape, false);
    return std::string();
  };
  CHECK(shape_of("d = f32[2,6] set-dimension-size(p, n), dimensions={0}\n"
                 "ROOT g = s32[] get-dimension-size(d), dimensions={0}",
                 "d") == "f32[<=2,6]");
  CHECK(shape_of("three = s32[] constant(3)\n"
                 "d = f32[2,6] set-dimension-size(p, three), dimensions={1}\n"
                 "ROOT g = s32[] get-dimension-size(d), dimensions={1}",
                 "d") == "f32[2,<=6]");
  // What the program says of one dimension stays where another is set, too.
  CHECK(shape_of("e = f32[<=2,6] set-dimension-size(p, n), dimensions={0}\n"
                 "ROOT d = f32[<=2,6] set-dimension-size(e, n), dimensions={1}",
                 "d") == "f32[<=2,<=6]");
  const hlo::Module both = module_from(
      entry_with(head + "e = f32[<=2,6] set-dimension-size(p, n), dimensions={0}\n"
                        "ROOT d = f32[<=2,6] set-dimension-size(e, n), dimensions={1}"));
  CHECK(to_string(sized_root_of(both).shape, false) == "f32[<=2,6]");
  // A function that sets one gives it to whoever calls.
  const hlo::Module called = module_from(
      "HloModule m\nf { p = f32[6] parameter(0) n = s32[] parameter(1) ROOT d = f32[6] "
      "set-dimension-size(p, n), dimensions={0} }\nENTRY main {\nx = f32[6] parameter(0)\n"
      "n = s32[] parameter(1)\nc = f32[6] call(x, n), to_apply=f\n"
      "ROOT g = s32[] get-dimension-size(c), dimensions={0}\n}");
  CHECK(to_string(called.entry_computation().operand(sized_root_of(called), 0).shape, false) ==
        "f32[<=6]");
  // Dimensions and sizes that are not there are the verifier's to refuse.
  for (const char* dimensions : {"", "-1", "2", "0,1"}) {
    const hlo::Module module =
        module_from(entry_with(cat(head, "d = f32[2,6] set-dimension-size(p, n), dimensions={",
                                   dimensions, "}\nROOT none = () tuple()")));
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      CHECK(i.shape.dynamic.empty());
  }
  CHECK(shape_of("ROOT d = f32[2,6] set-dimension-size(p), dimensions={1}", "d") == "f32[2,6]");
  CHECK(shape_of("six = s64[] constant(6)\nd = f32[2,6] set-dimension-size(p, six), "
                 "dimensions={1}\nROOT g = s32[] get-dimension-size(d), dimensions={1}",
                 "d") == "f32[2,<=6]");
  // Only what is set has its bound again where the program states it.
  const hlo::Module stated =
      module_from(entry_with(head + "ROOT d = f32[2,6] set-dimension-size(p, n), dimensions={1}"));
  CHECK(stated.entry_computation().instructions.size() == 5);
}

}  // namespace
}  // namespace hlocc::import
