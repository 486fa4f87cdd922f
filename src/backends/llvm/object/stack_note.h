// The section .note.GNU-stack, which says that the stack needs no execution. LLVM writes it into
// every ELF file. Where no operating system asks, start-up code and libgcc do without it, and a
// linker that has seen it in one object warns of all the others, so that bare-metal files are freed
// from it.
#pragma once
#include "backends/llvm/object/lazy_bytes.h"

namespace hlocc::backends {

// Makes the section's header an inactive one, which linkers skip. What is no ELF object stays as it
// is.
void drop_stack_note(LazyBytes& object);
// Leaves out the lines of assembly that make it.
void drop_stack_note_lines(LazyBytes& assembly);

}  // namespace hlocc::backends
