// How a firmware or program of one's own is compiled and linked with what a compile made: whole
// command lines for GCC and for Clang, with the flags of the preset's board. `main.c`, `SCRIPT.ld`
// and `START.o` (start-up code) stand for the user's own.
#pragma once
#include <string>
#include <vector>

#include "kernel/program.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::package {

struct BuildLine {
  std::string compiler;  // "gcc" or "clang"
  std::string step;      // "compile", "link", or "link_libc": with the C library, which then copies
  std::string line;
};

struct BuildFiles {
  std::string folder;     // of the generated files; empty: the compiler runs there
  std::string stem;       // "kws"; libkws.a
  bool own_copy = false;  // the library calls hlocc_memcpy
};

BuildFiles build_files(const kernel::Signature& names, const Artifacts& artifacts);

// None for a triple that is no preset, and for a preset whose processor, features or calling
// convention were changed: what their compilers are told is not known.
std::vector<BuildLine> build_lines(const Target& target, const BuildFiles& files);

// One a line, behind compiler and step; empty where there are none.
std::string to_text(const std::vector<BuildLine>& lines);

}  // namespace hlocc::package
