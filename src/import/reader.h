// The front door of import: bytes in, module out. What the bytes are is told from their content.
//
//   HloModuleProto, HloProto, HloSnapshot, HLO text, StableHLO text, TensorFlow Lite and ONNX
//   models  ->  Module (+ arguments and result of a snapshot)
//
// The module's operands stand before their users and callees before callers; ids, roots, entry and
// parameters are sound, shapes are within limits. Whether each instruction obeys the rules of its
// op is for ops::verify to say.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hlo/module.h"
#include "import/choices.h"
#include "support/result.h"

namespace hlocc::import {

// Arguments, one a parameter of the entry, and the expected result; row-major.
struct Snapshot {
  std::vector<hlo::Literal> arguments;
  hlo::Literal result;
};

struct Imported {
  hlo::Module module;
  std::optional<Snapshot> snapshot;
  // Constants whose values the file leaves out; others stand for them.
  int64_t elided_constants = 0;
  // Names of Choices::frozen that became constants already.
  std::vector<std::string> frozen;
};

// Whether a program may come without some of its constants' values. Those who run it need them.
enum class Constants { kNeeded, kMayBeElided };

// `file` names the bytes in diagnostics.
Result<Imported> read_model(std::span<const std::byte> bytes, const std::string& file,
                            Constants constants = Constants::kNeeded, const Choices& choices = {});
// "-" is standard input. Data of the model that lies in files beside it is read from its folder.
// `sha256`, where given, becomes the hash of the file's bytes.
Result<Imported> read_model_file(const std::string& path, Constants constants = Constants::kNeeded,
                                 std::string* sha256 = nullptr, const Choices& choices = {});

}  // namespace hlocc::import
