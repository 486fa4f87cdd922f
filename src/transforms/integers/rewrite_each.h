// Rules that know something of the computation that is being built.
#pragma once
#include <optional>
#include <utility>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// rewrite() by a visitor of each computation, `Visitor(rewriter, context...).visit(instruction)`.
template <typename Visitor, typename... Context>
Result<bool> rewrite_each(Module& module, const Context&... context) {
  std::optional<Visitor> visitor;
  ComputationId at = kNone;
  return rewrite(module, [&](Rewriter& r, const Instruction& i) {
    if (std::exchange(at, r.id()) != r.id()) visitor.emplace(r, context...);
    return visitor->visit(i);
  });
}

}  // namespace hlocc::transforms
