// Picked programs: rows of a text file, each a program that the tests have anyway, with a few words
// of it changed, and a chip. Its figures are held. `tests/mutate.py --pick` finds rows
// that show mutants which nothing else shows, and appends them to the room's `picked.txt`:
//
//     BASE | CHANGES | CHIP
//
// BASE: a program of transforms/cases (`fusion: NAME`), an op case or regression (`ops: NAME`), or
// a random module (`random: SEED`; narrow, requantize, window, chain), or one of drawn.h (`loops:
// SEED`). `stands BASE`: no pass is run, lowering gets the program as it stands; BASE may be one of
// lowering/cases, too.
// CHANGES: `A -> B`, " ; " between several: every word or number A is B; `A@2`: the third one only.
// `[7 -> 9`: numbers in shapes alone. `x => negate`: what all see who read the value x (forms.h).
// CHIP: a preset, then what differs from it: `cortex-a53+wide+Os`.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"
#include "target/target.h"

namespace hlocc::tests {

struct Picked {
  std::string base, changes, chip;

  std::string line() const { return base + " | " + changes + " | " + chip; }
};

// The rows of a file; lines that begin with '#' are comments.
std::vector<Picked> read_picked(const std::string& path);

// Whether the row's program goes to lowering as it stands.
bool stands(const Picked& row);
// The text of a base, of all bases by their names; fails the test if there is none of that name.
std::string base_text(const std::string& base);
std::vector<std::string> all_bases(uint64_t random_seeds);
// The text with changes made; empty if there is nothing to change.
std::string with_changes(const std::string& text, const std::string& changes);
// Words and numbers, in order: what changes may name.
std::vector<std::string> words_of(const std::string& text);
// The module of a text, verified; the diagnostic of what is wrong with it.
Result<hlo::Module> parsed(const std::string& text);
// The program of a row; fails the test if the row no longer names one.
hlo::Module module_of(const Picked& row);

// "cortex-a53+wide+Os".
Target chip_of(const std::string& name);
// The parts that may follow a preset's name.
std::vector<std::string> chip_parts();

}  // namespace hlocc::tests
