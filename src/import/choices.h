// What a user decides about a model before it is read: what its file leaves open.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hlocc::import {

// Whose kernels the integers of a .tflite file are bit for bit: tflite-micro's, LiteRT's reference
// kernels, or XNNPACK's, which LiteRT runs where it can.
enum class Rounding : uint8_t { kTflm, kLitert, kXnnpack };

struct Choices {
  // Sizes of dimensions, by their name ("batch"), by their number for all arguments ("0"), or by
  // an argument and a number ("x:0").
  std::map<std::string, int64_t> dimensions;
  // Arguments that become constants: the .npy file of each. A reader takes those that it has; what
  // it leaves is made constant behind it.
  std::map<std::string, std::string> frozen;
  // Which file of an archive, and which signature of a file; empty: the only one.
  std::string member, signature;
  // Of .tflite files; none: kTflm.
  std::optional<Rounding> rounding;
};

}  // namespace hlocc::import
