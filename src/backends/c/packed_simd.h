// Which vectors of bytes and of 16 bits are held in words of 32 bits, the first lane lowest: those
// that are loaded, spread and multiplied as Arm's DSP instructions (SXTB16, SMLAD) do, and nothing
// else. Any other use of one of its lanes keeps a vector out, and whatever hangs on it.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::backends {

class PackedSimd {
 public:
  // Nothing is.
  PackedSimd() = default;
  // readable: by BufferId, whether memory is read and written at addresses.
  PackedSimd(const kernel::Kernel& kernel, const std::vector<bool>& readable, const Target& target);

  bool any() const { return !held_.empty(); }
  bool holds(kernel::ValueId id) const { return held_.contains(id); }
  // The op is one on words: it makes one, stores one or multiplies two.
  bool takes(const kernel::Op& op) const;

 private:
  using Kernel = kernel::Kernel;
  void collect(const kernel::Region& region);
  bool may_hold(const kernel::Op& op) const;
  bool is_plain(const kernel::Access& access, kernel::Type type) const;
  bool makes(const kernel::Op& op) const;
  bool is_used_as_words(kernel::ValueId id) const;

  const Kernel* kernel_ = nullptr;
  const Target* target_ = nullptr;
  std::vector<bool> readable_;
  std::map<kernel::ValueId, const kernel::Op*> made_by_;
  std::map<kernel::ValueId, std::vector<const kernel::Op*>> users_;
  std::set<kernel::ValueId> held_, yielded_;
};

}  // namespace hlocc::backends
