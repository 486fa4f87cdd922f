// What lowering chose for a kernel, as values: rows of algorithms.def and of micro_kernels.def, and
// the label that is made of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hlo/opcode.h"
#include "hlo/schedule.h"

namespace hlocc::kernel {

enum class Algorithm : uint8_t {
#define HLOCC_CONVOLUTION(Name, text, outside) k##Name,
#define HLOCC_DOT(Name, text) k##Name,
#include "kernel/algorithms.def"
};
std::string_view algorithm_name(Algorithm algorithm);

enum class MicroKernel : uint8_t {
#define HLOCC_MICRO_KERNEL(Name, text) k##Name,
#include "kernel/micro_kernels.def"
};
std::string_view micro_kernel_name(MicroKernel kernel);

// Rows by vectors of columns; or by columns, each a vector of `along` lanes along the reduction.
struct RegisterTile {
  int rows = 0, vectors = 1, lanes = 1;  // no rows: there is no tile
  int along = 1;

  int64_t results() const { return int64_t{rows} * vectors * lanes; }
  std::string to_string() const;  // "4x2x8", "3x2, 4 along k"; "": none
};

// The label that a kernel carries. Kernels of equal code are one, whatever their labels.
struct Choice {
  std::optional<hlo::Schedule> schedule;    // of the group; none: lowering did not make the kernel
  std::optional<hlo::Opcode> op;            // that a plain schedule is of; none: elements alone
  std::optional<Algorithm> algorithm;       // of a convolution or a dot
  int outputs = 0;                          // of a tile of Winograd's, along each side
  std::optional<MicroKernel> micro_kernel;  // where it takes several steps at once
  RegisterTile tile;                        // the largest
  bool of_bytes = false;  // both sides of a convolution or a dot are integers of 8 bits
  int products = 0;       // that one block of its code has, of all blocks the most

  // "dense", "winograd 4x4", "packed, dot_accumulate_2", "reduce", "rows", "elements"; "": none
  std::string to_string() const;
};

}  // namespace hlocc::kernel
