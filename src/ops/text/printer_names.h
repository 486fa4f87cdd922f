// The spellings of enumerated attribute values, by number. Printer, text parser and proto reader
// share them.
#pragma once
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "hlo/attributes.h"
#include "hlo/module.h"
#include "hlo/opcode.h"

namespace hlocc::ops {

inline constexpr std::string_view kDirectionNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
inline constexpr std::string_view kComparisonTypeNames[] = {"FLOAT", "TOTALORDER", "SIGNED",
                                                            "UNSIGNED"};
inline constexpr std::string_view kFftTypeNames[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
inline constexpr std::string_view kTransposeNames[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE",
                                                       "TRANSPOSE", "ADJOINT"};
inline constexpr std::string_view kRngAlgorithmNames[] = {"rng_default", "rng_three_fry",
                                                          "rng_philox"};
inline constexpr std::string_view kRngDistributionNames[] = {"rng_invalid", "rng_uniform",
                                                             "rng_normal"};
inline constexpr std::string_view kPrecisionNames[] = {"default", "high", "highest"};
inline constexpr std::string_view kAlgorithmNames[] = {
    "unset",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "dot_bf16_bf16_f32_x9",
};
inline constexpr std::string_view kApiVersionNames[] = {
    "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
inline constexpr std::string_view kAccuracyModeNames[] = {"default", "highest"};
// is_associative of scan is a TriState: 0 not said, 1 true, 2 false.
inline constexpr std::string_view kTriStateNames[] = {"unspecified", "true", "false"};

// Spelled as in the list.
inline std::optional<int> find_name(std::span<const std::string_view> names,
                                    std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return std::nullopt;
}

// What `type=` of a comparison means when it is absent, as in old files.
hlo::ComparisonType default_comparison_type(hlo::PrimitiveType operand);

// The text attributes that name called computations, in the order of Instruction::called. While
// prints its condition first although the body is called[0]. `list` takes all (remaining)
// computations in braces; conditional has two forms, of which the printer picks by the type of the
// index.
struct CalledName {
  std::string_view name;
  int index;
  bool list;
};
std::span<const CalledName> called_names(hlo::Opcode opcode);

// Groups that our fusion made have no kind of XLA's. In a file they travel as kCustom with this
// frontend attribute, which other tools carry along; so does the function of a map. A schedule that
// is not known stays a frontend attribute.
inline constexpr std::string_view kScheduleAttribute = "hlocc_schedule";
inline constexpr std::string_view kSerpentineAttribute = "hlocc_serpentine";
inline constexpr std::string_view kFunctionAttribute = "hlocc_function";
// Readers: turns an instruction with such an attribute into one of ours again.
void restore_annotations(hlo::Instruction& instruction);
// Readers: a map without dimensions is over all of its first operand's.
void settle_map_dimensions(hlo::Instruction& instruction, const hlo::Shape& operand);

}  // namespace hlocc::ops
