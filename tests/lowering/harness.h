// What the tests of lowering share: small programs, lowered for a scalar chip, a vector one and a
// wide one, as they stand and after all passes, run by the kernel evaluator, at planned places too,
// and compared with the interpreter.
//
// Floats are quarters in [-2, 2], so that sums of products are exact in f32 whatever their order:
// fast paths must agree with the plain meaning bit for bit, and only ops that round (division,
// transcendentals) need a tolerance.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "hlo/compare.h"
#include "hlo/module.h"
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::tests {

struct Machine {
  std::string name;
  Target target;
};
// cortex-m4f (scalar), cortex-a53 (128-bit vectors), and the same with 256 bits and 16 registers,
// as a host has.
const std::vector<Machine>& machines();

// A whole module, or the lines of an ENTRY computation alone, after the verifier.
hlo::Module module_from(const std::string& text);
// The module's leaves without names, nothing donated.
kernel::Signature signature_of(const hlo::Module& module);
// Lowered and verified; fails the test if lowering refuses.
kernel::Program lowered(const hlo::Module& module, const Target& target);
// Its figures go to golden/programs.txt; `lowered` has done so.
void add_program(const kernel::Program& program, const Target& target);
// Arguments that any op likes: small integers, quarters.
std::vector<hlo::Literal> arguments_of(const hlo::Module& module, uint32_t seed);
// The results of the program on these arguments, one a leaf.
std::vector<hlo::Literal> run_program(const kernel::Program& program,
                                      const std::vector<hlo::Literal>& arguments);
// The same with every value at its planned place; the plan is validated.
std::vector<hlo::Literal> run_planned(const kernel::Program& program, const Target& target,
                                      const std::vector<hlo::Literal>& arguments);

// How programs are lowered: as they stand, as they stand and after every pass, or only after every
// pass.
enum class Passes { kNone, kAll, kOnlyAll };
// Lowers the text for every machine and compares with the interpreter on random arguments.
void agrees(const std::string& text, Passes passes = Passes::kAll,
            const hlo::CompareRule& rule = {.exact = true});

// The module as it stands, for one machine.
void agrees_on(const hlo::Module& module, const Machine& machine, const hlo::CompareRule& rule);

// The same at -Os, as the text stands.
void agrees_small(const std::string& text);

// "f32[2,3] constant(...)": quarters, whole numbers for s types, different from place to place.
std::string constant(const std::vector<int64_t>& sizes, const std::string& type = "f32");
// The entry's lines of an argument of f32[rows,inner] times constant weights of [inner,columns].
std::string dot_with_constant(int64_t rows, int64_t inner, int64_t columns,
                              const std::string& type = "f32");
// The program for that machine has a constant whose name contains `name`.
bool stores(const std::string& name, const std::string& text, const std::string& machine);

// "[2,3]".
std::string dims(const std::vector<int64_t>& sizes);
// "{0,2}".
std::string list(const std::vector<int64_t>& numbers);

}  // namespace hlocc::tests
