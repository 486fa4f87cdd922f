// What the tests of passes share: modules from HLO text, one pass applied and verified, the
// interpreter before and after.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hlo/compare.h"
#include "hlo/module.h"
#include "transforms/pass.h"

namespace hlocc::tests {

using hlo::Literal;
using hlo::Module;
using hlo::Opcode;
using Pass = Status (*)(hlo::Module&, const transforms::PassContext&);

// A whole module, or the lines of an ENTRY computation alone.
Module module_from(const std::string& text);
// Runs passes one after the other; fails the test if one fails or leaves what the verifier refuses.
Module after(Module module, const std::vector<Pass>& passes);
// The diagnostic of a pass that must fail.
Diagnostic error_of(Module module, Pass pass);
// Every pass of the pipeline.
Module after_pipeline(Module module);

// How many instructions of an opcode the entry, or everything that it reaches, holds.
int count(const Module& module, Opcode opcode);
int count_in_entry(const Module& module, Opcode opcode);
const hlo::Instruction& root(const Module& module);

// Arguments of the entry's shapes: small integers, floats in (-2, 2) with some zeros of both signs.
std::vector<Literal> random_arguments(const Module& module, uint32_t seed);
// Both modules give the same on random arguments: the same bytes, or what the rule allows.
void check_same_meaning(const Module& before, const Module& after,
                        const hlo::CompareRule& rule = {.bits = true});

// Applies the passes to the text, checks that the meaning stayed, gives the module.
Module rewritten(const std::string& text, const std::vector<Pass>& passes,
                 const hlo::CompareRule& rule = {.bits = true});

// How many instructions of an opcode, in the entry, work on s64.
int count_s64(const hlo::Module& module, hlo::Opcode opcode);

}  // namespace hlocc::tests
