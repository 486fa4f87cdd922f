// Where a step of a program comes from, in the model's own words: for errors, reports and
// debuggers. Lowering fills it in (lowering/program/layer.h); no code depends on it.
#pragma once
#include <string>
#include <vector>

namespace hlocc::kernel {

// A line of the user's program; the function is empty where the model does not say it.
struct SourceLine {
  std::string file, function;
  int line = 0;
};

// The file that stands for the user's program where the model knows none: HLO's text, as `--emit
// hlo` calls it (target/emits.def).
inline std::string hlo_text_file(const std::string& stem) { return stem + ".hlo.txt"; }

struct Origin {
  // Names of the HLO instructions that the step computes, all of them.
  std::vector<std::string> hlo;
  // What the model calls the one that stands for the layer ("conv1/add"; the instruction's name
  // where the model has no name of its own), and its shape.
  std::string layer, shape;
  // The line that asked for the layer, and who called there, from the inside out; empty: not known.
  std::vector<SourceLine> source;

  bool empty() const { return hlo.empty(); }
};

}  // namespace hlocc::kernel
