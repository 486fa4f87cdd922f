// Artifacts: what a backend hands to package/: bytes by kind, and the facts that the manifest and
// the checks need.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/pieces.h"
#include "support/stage_times.h"
#include "target/core_facts.h"

namespace hlocc {

enum class ArtifactKind : uint8_t {
#define HLOCC_EMIT(emit, artifact, ...) artifact,
#include "target/emits.def"
  // Weights that are no part of the code, and the assembler file that gives them their symbol.
  kWeights,
  kWeightsSource
};

// Of the symbol to which weights of their own file are bound.
inline constexpr int kWeightsAlignment = 64;

struct StackFrame {
  std::string function;
  int64_t bytes = 0;
};

struct Artifacts {
  std::map<ArtifactKind, Pieces> files;
  std::vector<std::string> defined, undefined;  // symbols of the object, sorted
  std::map<std::string, int64_t> sections;      // section name -> bytes
  std::vector<StackFrame> frames;
  // What a compiler whose code calls the library must say of its core.
  CoreNeeds core;
  int64_t code_bytes = 0, weights_bytes = 0, stack_bytes = 0;
  bool microsoft_names = false;       // of files: kws.lib and kws.obj
  bool stack_is_lower_bound = false;  // library helpers' frames are not known
  std::vector<StageTime> times;       // of the backend's own stages
};

}  // namespace hlocc
