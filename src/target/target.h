// Target: everything the compiler knows of a chip, as one plain value. Presets are rows of
// presets.cpp; a bare LLVM triple gets a row that backends/llvm fills from LLVM's own tables, with
// `assumed` saying what was guessed.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "target/isa.h"
#include "target/options.h"

namespace hlocc {

enum class ByteOrder : uint8_t { kLittle, kBig };
// How kernels run: one element at a time, in fixed vectors, or one thread a lane on a grid.
enum class KernelStyle : uint8_t { kScalar, kSimd, kSimt };
enum class FloatAbi : uint8_t { kDefault, kSoft, kSoftfp, kHard };
enum class CodeModel : uint8_t { kDefault, kSmall, kMedium };

// A vector of Hexagon's HVX.
inline constexpr int kHvxBytes = 128;

// Of targets of style kSimt.
struct SimtFacts {
  int lanes = 1;                         // threads that run in step
  int threads = 1;                       // of a group, at most
  int64_t groups = 0, shared_bytes = 0;  // of a launch, of a group, at most
};

struct Target {
  std::string name;                   // the preset's, or the triple
  std::string triple, cpu, features;  // as LLVM spells them; features "+a,-b"
  std::string abi;                    // RISC-V: ilp32, ilp32f, lp64d; else empty
  FloatAbi float_abi = FloatAbi::kDefault;
  CodeModel code_model = CodeModel::kDefault;
  bool position_independent = false;
  std::string backend = "cpu";
  std::string board;  // how verify runs it: a row of toolchains/boards, or empty
  bool bare_metal = true;

  ByteOrder byte_order = ByteOrder::kLittle;
  int pointer_bits = 32;
  KernelStyle style = KernelStyle::kScalar;
  SimtFacts simt;
  int vector_bits = 0;        // 0: no vectors
  bool float_vectors = true;  // vectors hold f32 (false: integers only)
  int widest_element = 64;    // bits of the widest elements of vectors
  int vector_registers = 0;   // or scalar float registers where there are no vectors
  int scalar_registers = 12;
  bool f32_unit = false, f64_unit = false;  // arithmetic in hardware
  bool f16_conversion = false;
  bool fma = false;             // a fused multiply-add that is at least as fast as multiply and add
  bool f64_fma = true;          // the same of f64, where its arithmetic is in hardware
  bool explicit_fma = true;     // the backend can ask for the single rounding; C alone cannot
  bool hardware_divide = true;  // integer
  bool multiply_by_lane = false;    // multiplies a vector by one lane of another
  bool multiply_by_scalar = false;  // multiplies a vector by a scalar register
  int call_bytes = 0;               // that a call itself pushes, beside the frame that LLVM counts
  bool float_roots = true;          // the float units that there are take square roots
  IsaSet isa;                       // none for backends that don't emit instructions
  bool pipelined = false;  // arithmetic takes several cycles, in which others begin: sums in flight
                           // must not be few
  bool out_of_order =
      false;  // runs ahead: loads hide behind arithmetic, hints ahead of streamed weights pay
  bool dual_issue = false;  // begins two neighbouring instructions at once, but does not run ahead
  // Vectors of f32 that fill registers are rounded to even by name, and converted to 32 bits so
  // that NaN gives zero and what is too large the largest, where numbers are not.
  bool vector_rounding = false, vector_saturation = false;
  // Vectors of s32 that fill registers are multiplied in 64 bits, shifted and narrowed by name.
  bool vector_scaling = false;
  // Groups of products of 8 and 16 bits are added up in a loop where no instruction does it.
  bool dot_loops = false;
  bool masked_vectors =
      false;  // loads and stores of some lanes of a vector of 32-bit elements are one instruction

  // Bytes of the data caches from the core outwards (three); none: memory answers at once.
  std::vector<int64_t> cache_bytes;
  bool flash_constrained = false;  // code and weights compete for little room
  bool ram_constrained = false;    // an arena of half the size is worth some instructions
  int64_t load_reach =
      0;  // bytes that a load reaches from its pointer without an addition; 0: as far as need be
  bool strength_reduction =
      true;  // LLVM's loop strength reduction finds pointers that the registers hold

  // Of the chip, where the row knows it; 0: not known, nothing is refused.
  int64_t ram_bytes = 0, flash_bytes = 0;
  // Constants lie where loads do not reach, in flash with instructions of its own (AVR).
  bool constants_apart = false;
  // The C compiler's double has 64 bits.
  bool double_is_f64 = true;

  // Undefined symbols that objects for this target may hold, besides memcpy, memset, memmove: exact
  // names, or a prefix followed by '*' ("__aeabi_*").
  std::vector<std::string> helper_symbols;
  // What the tool guessed for a bare triple, one sentence each.
  std::vector<std::string> assumed;

  Options options;
  Decisions decisions;

  bool uses_winograd() const { return options.winograd && decisions.winograd; }
  bool has(Isa extension) const { return isa.contains(extension); }
  // Vectors of NEON whose lanes lie in the order of their bytes.
  bool has_neon() const {
    return (has(Isa::kAArch64) || has(Isa::kNeon)) && vector_bits > 0 &&
           byte_order == ByteOrder::kLittle;
  }
  bool has_cache() const { return !cache_bytes.empty(); }
  // Bytes of data cache number `level` (0: the nearest); 0 without caches.
  int64_t cache(size_t level) const { return level < cache_bytes.size() ? cache_bytes[level] : 0; }
  // Lanes of a vector of elements of so many bits; 1 where there are no vectors.
  int lanes(int element_bits) const {
    return vector_bits == 0 || element_bits > widest_element ? 1 : vector_bits / element_bits;
  }
};

// Gives a row what chips have in common whose memory is cached: cores of Linux machines and their
// like.
Target with_caches(Target row);
// The same for microcontrollers: little flash and RAM, no cache, short offsets in loads.
Target without_caches(Target row);

// The preset of that name with default options.
std::optional<Target> preset(std::string_view name);
// All presets' names in the order of the table; `host` is among them and is filled by
// backends/llvm.
std::vector<std::string> preset_names();
bool is_allowed_symbol(const Target& target, std::string_view symbol);

}  // namespace hlocc
