// Which ops are done on vectors as values of one type, which compilers keep in a register: on rows
// with MVE, NEON of 64-bit cores, or x86's SSE2, AVX2 and AVX-512, vectors that are loaded,
// computed, multiplied and stored as those units do. All others stay loops over lanes; what they
// need of a vector, and it of them, goes through an array. Truth values and bytes that are read as
// numbers of 32 bits or written from them have no such type: they are part of an op that has.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::backends {

enum class VectorUnit : uint8_t { kNone, kNeon, kMve, kX86 };
VectorUnit vector_unit(const Target& target);
// The 32 bits that a byte becomes without a change.
kernel::Scalar wide_of(kernel::Scalar byte);

class VectorValues {
 public:
  // None is.
  VectorValues() = default;
  // readable: by BufferId, whether memory is read and written at addresses.
  VectorValues(const kernel::Kernel& kernel, const std::vector<bool>& readable,
               const Target& target);

  // The type has values: whole registers of integers or floats of 32 bits; on MVE and x86 of what
  // is multiplied too.
  bool has_type(kernel::Type type) const;
  // Bytes that are read as numbers of 32 bits, which have values, or written from them.
  bool is_quarter(kernel::Type type) const;
  // Four bytes or two numbers of 16 bits, which are loaded for each lane of a product.
  bool is_unit(const kernel::Op& load) const;
  // Bytes that were made of 32 bits become 32 bits.
  bool widens_again(const kernel::Op& narrowed) const;
  // Products are added up on MVE, whose tiles take all registers.
  bool has_sums() const;
  // The op is done on vectors, or is part of one that is.
  bool takes(const kernel::Op& op) const { return taken_.contains(&op); }
  // The one value of all lanes, if it is constant.
  std::optional<int64_t> splat_of(kernel::ValueId id) const;

 private:
  using Kernel = kernel::Kernel;
  void collect(const kernel::Region& region);
  void take(const kernel::Region& region);
  int64_t count_lanes(const kernel::Region& region) const;
  bool may_take(const kernel::Op& op) const;
  bool may_convert(const kernel::Op& op) const;
  bool may_multiply(const kernel::Op& op) const;
  bool repeats_unit(const kernel::Op& shuffle) const;
  bool stays(const kernel::Op& op) const;
  bool is_plain(const kernel::Access& access, kernel::Type type) const;
  bool scatters(const kernel::Access& access) const;
  const kernel::Op* made(kernel::ValueId id, kernel::OpKind by) const;

  const Kernel* kernel_ = nullptr;
  const Target* target_ = nullptr;
  std::vector<bool> readable_;
  VectorUnit unit_ = VectorUnit::kNone;
  int bits_ = 128;          // of the widest register
  bool has_fours_ = false;  // of bytes in a lane
  std::set<const kernel::Op*> taken_;
  std::map<kernel::ValueId, const kernel::Op*> made_by_;
  std::map<kernel::ValueId, std::vector<const kernel::Op*>> users_;
  std::set<kernel::ValueId> yielded_;
};

}  // namespace hlocc::backends
