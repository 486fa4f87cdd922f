// What goes into one object: the programs of one or several models, each with its plan. They share
// the code of equal kernels and one array of constants; `run` each has its own.
#pragma once
#include <string>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/pieces.h"
#include "target/target.h"

namespace hlocc::backends {

struct Unit {
  const kernel::Program* program = nullptr;
  const planning::Plan* plan = nullptr;
};

struct Library {
  std::string stem, prefix;  // of what belongs to no model alone: both, acme_both_
  std::vector<Unit> units;
  // The constants of all plans lie in one pool (planning/shared_constants.h); else each has one.
  bool has_one_pool = false;
};

// Of one model, whose names are the library's.
Library library_of(const kernel::Program& program, const planning::Plan& plan);

// ".rodata.<prefix>weights", unless the user says otherwise: where ELF has the weights.
std::string elf_weights_section(const Library& library, const Target& target);

// The array of constants: every plan's pool, one behind the other, or the one of all.
struct ConstantsLayout {
  std::vector<int64_t> offsets;  // by unit: where its pool begins
  int64_t bytes = 0, align = 16;
};
ConstantsLayout layout_of_constants(const Library& library);
// Appends the whole array; large constants are named, not copied.
void append_constants(const Library& library, const Target& target, Pieces& out);

}  // namespace hlocc::backends
