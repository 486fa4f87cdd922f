// HLO text: what XLA's parser and ours read. One line an instruction, short form (operands by
// name), attributes in the order of XLA's printer.
#pragma once
#include <string>

#include "hlo/module.h"

namespace hlocc::ops {

struct PrintOptions {
  // Constants of more elements are written as {...}, for reading only: such text can't be compiled.
  // Negative: print all.
  int64_t max_constant_elements = -1;
  bool metadata = true;
};

// Prints what the entry reaches, callees first.
std::string to_text(const hlo::Module& module, const PrintOptions& options = {});
// Sets each instruction's line to the one at which the text has it.
void number_lines(hlo::Module& module);
// One instruction as a line without indentation or newline; large constants are elided.
std::string to_text(const hlo::Module& module, const hlo::Computation& computation,
                    const hlo::Instruction& instruction);

// The letters, digits, '_', '.' and '-' of a name; everything else becomes '_'.
std::string to_hlo_name(std::string_view name);
// "..." with the escapes of C.
std::string quoted(std::string_view text);

}  // namespace hlocc::ops
