// Builder: loops, branches and the regions they fill.
#include "kernel/builder.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::kernel {

// Opens a region, lets `fill` append to it, and closes it. Values `arguments` were made by the
// caller and belong to it.
Region Builder::capture(Values arguments, const std::function<Values()>& fill) {
  Region region{.arguments = std::move(arguments)};
  const int serial = static_cast<int>(scope_open_.size());
  scope_open_.push_back(true);
  for (const ValueId argument : region.arguments) scope_of_[argument] = serial;
  open_.push_back({&region, serial});
  region.yields = fill();
  for (const ValueId value : region.yields) check_visible(value);
  open_.pop_back();
  scope_open_[serial] = false;
  return region;
}

void Builder::check_types(std::span<const ValueId> got, std::span<const ValueId> wanted,
                          const char* what) const {
  HLOCC_CHECK(got.size() == wanted.size(),
              cat(what, " yields ", got.size(), " values for ", wanted.size()));
  for (size_t i = 0; i < got.size(); ++i)
    HLOCC_CHECK(type(got[i]) == type(wanted[i]), cat(what, " yields ", to_string(type(got[i])),
                                                     " for ", to_string(type(wanted[i]))));
}

// A loop known to run never or once needs no loop.
std::optional<Values> Builder::known_loop(const Loop& loop, const Values& carried,
                                          const LoopBody& body) {
  if (loop.kept || loop.is_mapped() || !loop.lower.is_constant() || !loop.upper.is_constant())
    return std::nullopt;
  if (loop.lower.offset >= loop.upper.offset) return carried;
  if (loop.lower.offset + loop.step < loop.upper.offset) return std::nullopt;
  Values results = body(index(loop.lower.offset), carried);
  check_types(results, carried, "loop");
  return results;
}

Region Builder::capture_loop_body(std::span<const ValueId> carried, const LoopBody& body) {
  Values arguments = {new_value({Scalar::kIndex, 1})};
  for (const ValueId value : new_values_like(carried)) arguments.push_back(value);
  return capture(arguments, [&] { return body(arguments[0], std::span(arguments).subspan(1)); });
}

Values Builder::loop(const Loop& loop, Values carried, const LoopBody& body) {
  HLOCC_CHECK(loop.step > 0, "a loop step that is not positive");
  Loop plain = loop;
  plain.lower = without_constants(loop.lower);
  plain.upper = without_constants(loop.upper);
  if (const auto known = known_loop(plain, carried, body)) return *known;
  Op op{.kind = OpKind::kLoop, .operands = carried, .payload = plain};
  op.regions.push_back(capture_loop_body(carried, body));
  check_types(op.regions[0].yields, carried, "loop");
  op.results = new_values_like(carried);
  Values results = op.results;
  append_op(std::move(op));
  return results;
}

void Builder::loop(const Loop& loop_, const std::function<void(ValueId counter)>& body) {
  loop(loop_, {},
       [&](ValueId counter, std::span<const ValueId>) { return body(counter), Values{}; });
}

void Builder::loop(int64_t count, const std::function<void(ValueId counter)>& body) {
  loop(Loop{.upper = Affine::constant(count)}, body);
}

void Builder::mapped_loop(Mapping mapping, int64_t count,
                          const std::function<void(ValueId counter)>& body) {
  loop(Loop{.upper = Affine::constant(count), .mapping = mapping}, body);
}

void Builder::barrier() { append_op({.kind = OpKind::kBarrier}); }

Values Builder::if_else(ValueId pred, const Branch& then_branch, const Branch& else_branch) {
  HLOCC_CHECK(type(pred) == (Type{Scalar::kPred, 1}), "a condition that is no pred scalar");
  if (const auto known = constant_value(pred)) return *known != 0 ? then_branch() : else_branch();
  Op op{.kind = OpKind::kIf, .operands = {pred}};
  op.regions.push_back(capture({}, then_branch));
  op.regions.push_back(capture({}, else_branch));
  check_types(op.regions[1].yields, op.regions[0].yields, "else");
  op.results = new_values_like(op.regions[0].yields);
  Values results = op.results;
  append_op(std::move(op));
  return results;
}

void Builder::if_then(ValueId pred, const std::function<void()>& body) {
  if_else(
      pred, [&] { return body(), Values{}; }, [] { return Values{}; });
}

Values Builder::while_loop(Values carried,
                           const std::function<ValueId(std::span<const ValueId>)>& condition,
                           const std::function<Values(std::span<const ValueId>)>& body) {
  Op op{.kind = OpKind::kWhile, .operands = carried};
  const Values tested = new_values_like(carried), turned = new_values_like(carried);
  op.regions.push_back(capture(tested, [&] { return Values{condition(tested)}; }));
  op.regions.push_back(capture(turned, [&] { return body(turned); }));
  HLOCC_CHECK(type(op.regions[0].yields[0]) == (Type{Scalar::kPred, 1}),
              "a condition that is no pred scalar");
  check_types(op.regions[1].yields, carried, "while");
  op.results = new_values_like(carried);
  Values results = op.results;
  append_op(std::move(op));
  return results;
}

}  // namespace hlocc::kernel
