// The builder's control flow, wrapped for Exprs.
#include "kernel/legalize/control.h"

namespace hlocc::kernel {
namespace {

Values ids_of(const Exprs& exprs) {
  Values ids;
  for (const Expr& expr : exprs) ids.push_back(expr.id());
  return ids;
}

Exprs exprs_of(Builder& builder, std::span<const ValueId> ids) {
  Exprs exprs;
  for (const ValueId id : ids) exprs.emplace_back(builder, id);
  return exprs;
}

}  // namespace

Expr any_lane(Expr pred) {
  if (!pred.type().is_vector()) return pred;
  Builder& builder = pred.builder();
  const Expr flags = select(pred, pred.like(1, Scalar::kU32), 0);
  return Expr(builder, builder.reduce(OpKind::kReduceOr, flags.id())) != 0;
}

Exprs while_any(const Exprs& initial, const std::function<Expr(const Exprs&)>& wanted,
                const std::function<Exprs(const Exprs&)>& body) {
  Builder& builder = initial[0].builder();
  return exprs_of(builder, builder.while_loop(
                               ids_of(initial),
                               [&](std::span<const ValueId> now) {
                                 return any_lane(wanted(exprs_of(builder, now))).id();
                               },
                               [&](std::span<const ValueId> now) {
                                 return ids_of(body(exprs_of(builder, now)));
                               }));
}

Exprs if_any(Expr needed, const Exprs& values, const std::function<Exprs()>& rare) {
  Builder& builder = needed.builder();
  return exprs_of(builder, builder.if_else(
                               any_lane(needed).id(), [&] { return ids_of(rare()); },
                               [&] { return ids_of(values); }));
}

Expr either(Expr pred, const std::function<Expr()>& yes, const std::function<Expr()>& no) {
  Builder& builder = pred.builder();
  const Values chosen = builder.if_else(
      pred.id(), [&] { return Values{yes().id()}; }, [&] { return Values{no().id()}; });
  return {builder, chosen[0]};
}

}  // namespace hlocc::kernel
