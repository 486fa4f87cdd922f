// What the user asked for, as plain values: they ride in Target through every stage, and the
// manifest repeats them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hlocc {

enum class Level : uint8_t { kO0, kO1, kO2, kO3, kOs, kOz };

// An argument whose rows come one after the other (--stream).
struct StreamOption {
  int leaf = 0;      // of the arguments
  int64_t axis = 0;  // of its shape: that which counts the rows
  friend bool operator==(const StreamOption&, const StreamOption&) = default;
};

// A memory that a part of the arena may lie in (--memory), the fastest first.
struct MemoryOption {
  std::string name;   // fast: <PREFIX>ARENA_FAST_BYTES
  int64_t bytes = 0;  // that the arena may take of it; 0 on the command line: as the chip has it
  double waits = -1;  // cycles that an access takes longer than it could; -1: costs/memories.h
  friend bool operator==(const MemoryOption&, const MemoryOption&) = default;
};

// Whether weights of few different numbers are stored as indices into a palette of them
// (planning/palettes.h): where --flash is exceeded, nowhere, or wherever it saves bytes.
enum class WeightsCompression : uint8_t { kWhereNeeded, kNone, kPalettes };

struct Options {
  Level level = Level::kO2;
  bool fast_math = false;
  bool winograd = true;
  bool integer_qdq = true;  // transforms/integers/integer_qdq.cpp
  bool keep_arguments = false;
  bool profile = false;
  bool debug = false;           // line tables; no instruction depends on it
  int threads = 1;              // that share the work of `run`
  int64_t ram_budget = 0;       // bytes; 0: none
  bool optimize_ram = false;    // the smallest arena, whatever it costs
  std::string weights_section;  // empty: .rodata.<prefix>weights
  // The weights are a file of their own beside the library, which refers to them by a symbol.
  bool weights_external = false;
  std::optional<StreamOption> stream;
  std::vector<MemoryOption> memories;  // empty: the arena is one; else two at least
  // The memory that init copies weights into, where they are worth it; empty: they stay in flash.
  std::string weights_memory;
  WeightsCompression weights_compression = WeightsCompression::kWhereNeeded;
  // The driver's: what palettes have to take off the weights where they are needed.
  int64_t bytes_to_save = 0;
  // acme::Kws, or empty: then the stem of the file (or the module's name) decides.
  std::string name, stem;
  std::map<int, std::string> argument_names, result_names;
  bool verify_each = false;

  bool for_size() const { return level == Level::kOs || level == Level::kOz; }
};

// "-Os" and back; used by the command line and the manifest.
std::string level_name(Level level);

// "where-needed", "none", "palettes".
std::string compression_name(WeightsCompression compression);

// As --memory takes them: "fast:65536,slow:524288".
std::string memories_text(const std::vector<MemoryOption>& memories);

// What the driver may change between attempts at a smaller arena.
struct Decisions {
  // Whether groups may have several results (transforms/fusion/fuse_results.h).
  bool join_results = true;
  // Whether 3x3 convolutions may take Winograd's form, which wants scratch.
  bool winograd = true;
  // Rows are handed on in strips from convolution to convolution wherever they may be
  // (transforms/fusion/fuse_row_tiles.h); else where that is faster.
  bool row_strips = false;
  // Chains of convolutions become loops over rows where arrays would take more bytes than this at a
  // time (transforms/rows/row_loops.h); 0: the fewest that can be. None: nowhere.
  std::optional<int64_t> rows_above;
  // Where a chain whose rows come one after the other ends: the n-th of the ways that are best by
  // estimate (transforms/stream/stream_rows.cpp).
  int stream_end = 0;
  // Rows that a product of bytes brings to scratch at once take at most so many bytes, but one
  // always comes (costs/micro_kernels.cpp). None: as many rows as are fastest.
  std::optional<int64_t> packed_bytes;

  friend bool operator==(const Decisions&, const Decisions&) = default;
};

}  // namespace hlocc
