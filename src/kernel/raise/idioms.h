// What an idiom sees of the kernel around one op, and the idioms.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::kernel {

// Which op makes each value, and how many ops, addresses and yields read it.
class Definitions {
 public:
  explicit Definitions(const Kernel& kernel);
  // The op if it is of that kind; else null, as for arguments.
  const Op* made(ValueId value, OpKind by) const;
  bool is_read_once(ValueId value) const { return readers_[value] == 1; }

 private:
  void visit(const Region& region);

  std::vector<const Op*> makers_;  // by ValueId
  std::vector<int> readers_;
};

// The op that may be the last one of an idiom. What takes its place is appended to `ops`, the last
// of it with the op's own result; values that it no longer reads are `bypassed`.
struct RaiseSite {
  const Definitions& definitions;
  const Target& target;
  const Op& op;
  std::vector<Type>& types;  // by ValueId
  std::vector<Op>& ops;
  std::vector<ValueId>& bypassed;

  const Op* made(ValueId value, OpKind by) const { return definitions.made(value, by); }
  // The one number of all lanes, if that is what the value is.
  std::optional<int64_t> number(ValueId value) const;
  ValueId constant(Type type, std::vector<uint64_t> lanes);
  ValueId append(Op made, Type type);
  // Of the op's result.
  void finish(Op made);
};

// True if the op was raised.
using Raise = bool (*)(RaiseSite& site);

// high_product.cpp
bool raise_high_product(RaiseSite& site);
// spread_bytes.cpp
bool raise_spread_bytes(RaiseSite& site);
// saturate.cpp
bool raise_saturate(RaiseSite& site);

}  // namespace hlocc::kernel
