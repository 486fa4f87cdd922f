// Control flow inside an expansion, on Exprs: what runs while any lane wants it, or only if some
// lane needs it.
#pragma once
#include <functional>
#include <vector>

#include "kernel/legalize/expression.h"

namespace hlocc::kernel {

using Exprs = std::vector<Expr>;

// A scalar pred: does it hold in any lane?
Expr any_lane(Expr pred);

// Repeats `body` on all lanes while `wanted` holds in any; lanes that are done must be left as they
// are by the body.
Exprs while_any(const Exprs& initial, const std::function<Expr(const Exprs&)>& wanted,
                const std::function<Exprs(const Exprs&)>& body);

// `values`, or what `rare` makes of them if `needed` holds in any lane.
Exprs if_any(Expr needed, const Exprs& values, const std::function<Exprs()>& rare);

// One of two, of which only that one is computed; pred is a scalar.
Expr either(Expr pred, const std::function<Expr()>& yes, const std::function<Expr()>& no);

}  // namespace hlocc::kernel
