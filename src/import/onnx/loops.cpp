// Loops over a graph: its body is a computation from a tuple (the iteration, what is carried, what
// is scanned, what is read outside) to a tuple (whether to go on, what is carried, what is
// collected).
#include "import/onnx/body.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

using enum PrimitiveType;

struct Body {
  ComputationId computation = hlo::kNone;
  std::vector<Shape> results;
  std::optional<bool> goes_on;  // where that is known
};

void append(std::vector<InstructionId>& list, const std::vector<InstructionId>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// `inputs`: what each input of the graph is, a shape or (for the loop's condition) nothing: true.
Result<Body> body_of(const Op& op, const Graph& graph, const Captures& captures,
                     const std::vector<std::optional<Shape>>& inputs, bool has_condition) {
  Builder& b = op.b;
  const InComputation now(op.session());
  std::vector<Shape> shapes;
  for (const auto& input : inputs)
    if (input) shapes.push_back(*input);
  const auto own = static_cast<int64_t>(shapes.size());
  shapes.insert(shapes.end(), captures.shapes.begin(), captures.shapes.end());
  b.begin("body");
  const InstructionId in = b.parameter(0, Shape::make_tuple(std::move(shapes)), "state");
  Scope inside(op.session(), op.scope().opsets(), &op.scope());
  inside.attributes = op.scope().attributes;
  captures.bind(b, inside, in, own);
  int64_t at = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    inside.set(graph.inputs[i].name, inputs[i] ? b.element(in, at++) : b.number(kPred, 1));
  HLOCC_TRY(enter_body(op, inside, graph));
  Body out;
  HLOCC_TRY_ASSIGN(std::vector<InstructionId> results, results_of(op, inside, graph));
  if (has_condition) {
    const ValueInfo& goes_on = graph.outputs[0];
    if (!b.is_one_truth(results[0]))
      return op.wrong(
          cat(goes_on.path, " (\"", goes_on.name, "\"), the condition, is no one truth value"));
    if (const std::optional<Literal> known = inside.known(goes_on.name))
      out.goes_on = hlo::integer_at(*known, 0) != 0;
    results[0] = b.reshape(results[0], {});
  }
  for (const InstructionId id : results) out.results.push_back(b.shape(id));
  const InstructionId root = b.tuple(std::move(results));
  out.computation = b.end(root);
  return out;
}

// The elements of the tuple that the body makes of these values.
std::vector<InstructionId> called(Builder& b, const Body& body,
                                  std::vector<InstructionId> arguments) {
  const InstructionId done = b.add(Opcode::kCall, {b.tuple(std::move(arguments))},
                                   hlo::CallAttributes{}, {body.computation});
  std::vector<InstructionId> out;
  for (size_t i = 0; i < body.results.size(); ++i)
    out.push_back(b.element(done, static_cast<int64_t>(i)));
  return out;
}

std::vector<InstructionId> part(const std::vector<InstructionId>& list, size_t first,
                                size_t count) {
  return {list.begin() + static_cast<std::ptrdiff_t>(first),
          list.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

// Room for what a loop collects: an element more in front of its shape.
InstructionId room(Builder& b, const Shape& shape, int64_t count) {
  Dimensions sizes = shape.dimensions;
  sizes.insert(sizes.begin(), count);
  return b.number(shape.element_type, 0, sizes);
}

// As long as the condition holds, and the iteration is below `most`: what is carried in the end.
std::vector<InstructionId> while_it_holds(const Op& op, const Body& body, const LoopStart& start,
                                          const std::vector<InstructionId>& carried,
                                          const Captures& captures) {
  Builder& b = op.b;
  const InstructionId first =
      start.condition ? *start.condition : b.number(kPred, start.starts ? 1 : 0);
  std::vector<InstructionId> state = {b.number(kS64, 0), first};
  append(state, carried);
  append(state, captures.values);
  const InstructionId before = b.tuple(state);
  const Shape shape = b.shape(before);
  const size_t count = carried.size();
  b.begin("condition");
  const InstructionId at = b.parameter(0, shape, "state");
  InstructionId goes_on = b.element(at, 1);
  if (start.most) {
    const InstructionId most = b.constant(Literal::scalar(kS64, *start.most));
    goes_on =
        b.binary(Opcode::kAnd, goes_on, b.compare(b.element(at, 0), most, hlo::Direction::kLt));
  }
  const ComputationId condition = b.end(goes_on);
  b.begin("iteration");
  const InstructionId in = b.parameter(0, shape, "state");
  std::vector<InstructionId> now;
  for (size_t i = 0; i < state.size(); ++i) now.push_back(b.element(in, static_cast<int64_t>(i)));
  std::vector<InstructionId> next = called(b, body, now);
  next.insert(next.begin(), b.with(Opcode::kAdd, now[0], 1));
  append(next, part(now, 2 + count, captures.values.size()));
  const ComputationId iteration = b.end(b.tuple(std::move(next)));
  const InstructionId done = b.add(Opcode::kWhile, {before}, {}, {iteration, condition});
  std::vector<InstructionId> out;
  for (size_t i = 0; i < count; ++i) out.push_back(b.element(done, static_cast<int64_t>(i) + 2));
  return out;
}

}  // namespace

Status run_loop(const Op& op, const Graph& graph, const LoopStart& start) {
  Builder& b = op.b;
  std::vector<InstructionId> carried;
  std::vector<std::optional<Shape>> inputs = {Shape::scalar(kS64), std::nullopt};
  if (start.condition || !start.starts || !start.most) inputs[1] = Shape::scalar(kPred);
  for (size_t i = 0; i < start.carried; ++i) {
    carried.push_back(op.value(static_cast<int>(i) + 2));
    inputs.emplace_back(b.shape(carried.back()));
  }
  const Captures captures = captures_of(op, {&graph});
  HLOCC_TRY_ASSIGN(Body body, body_of(op, graph, captures, inputs, true));
  const size_t collected = body.results.size() - 1 - start.carried;
  const bool is_counted = start.most && !start.condition && start.starts && body.goes_on == true;
  if (!is_counted && collected > 0)
    return op.unsupported("what a loop collects that ends when its condition says so")
        .note("how many elements there are must be known when the model is compiled");
  if (!is_counted) {
    // The body takes its condition in any case.
    if (!inputs[1]) {
      inputs[1] = Shape::scalar(kPred);
      HLOCC_TRY_ASSIGN(body, body_of(op, graph, captures, inputs, true));
    }
    const auto done = while_it_holds(op, body, start, carried, captures);
    for (size_t i = 0; i < done.size(); ++i) op.set(static_cast<int>(i), done[i]);
    return {};
  }
  if (*start.most > INT32_MAX) return op.unsupported(cat(*start.most, " iterations"));
  const int64_t count = std::max<int64_t>(*start.most, 0);
  std::vector<InstructionId> state = carried;
  for (size_t i = 0; i < collected; ++i)
    state.push_back(room(b, body.results[1 + start.carried + i], count));
  append(state, captures.values);
  const auto body_once = [&](InstructionId iteration, const auto& now) {
    std::vector<InstructionId> arguments = {b.convert(iteration, kS64)};
    append(arguments, part(now, 0, carried.size()));
    append(arguments, part(now, carried.size() + collected, captures.values.size()));
    const std::vector<InstructionId> made = called(b, body, std::move(arguments));
    std::vector<InstructionId> next = part(made, 1, carried.size());
    for (size_t i = 0; i < collected; ++i)
      next.push_back(b.with_row(now[carried.size() + i], iteration, made[1 + carried.size() + i]));
    append(next, part(now, carried.size() + collected, captures.values.size()));
    return next;
  };
  // A room of no elements has no place for one.
  const auto done = count == 0 ? state : b.loop(count, state, body_once);
  for (size_t i = 0; i < carried.size() + collected; ++i) op.set(static_cast<int>(i), done[i]);
  return {};
}

namespace {

// A list of a number for each operand or result; `missing` for all where there is none.
Result<std::vector<int64_t>> one_each(const Op& op, const char* name, size_t count) {
  std::vector<int64_t> out = op.integers(name);
  if (out.empty()) out.assign(count, 0);
  if (out.size() != count) return op.wrong(cat(name, " has ", out.size(), " numbers for ", count));
  return out;
}

// x with a dimension in front, or back in its place.
InstructionId in_front(Builder& b, InstructionId x, int64_t axis) {
  Dimensions permutation = counting(b.rank(x));
  permutation.erase(permutation.begin() + axis);
  permutation.insert(permutation.begin(), axis);
  return b.transpose(x, permutation);
}
InstructionId back_in_place(Builder& b, InstructionId x, int64_t axis) {
  Dimensions permutation;
  for (int64_t d = 1; d < b.rank(x); ++d) permutation.push_back(d);
  permutation.insert(permutation.begin() + axis, 0);
  return b.transpose(x, permutation);
}

}  // namespace

Status run_scan(const Op& op, const Graph& graph, int64_t scanned) {
  Builder& b = op.b;
  const auto takes = static_cast<size_t>(scanned),
             states = static_cast<size_t>(op.inputs()) - takes;
  if (graph.inputs.size() != static_cast<size_t>(op.inputs()) ||
      graph.outputs.size() != static_cast<size_t>(op.outputs()) || graph.outputs.size() < states)
    return op.wrong(cat(graph.path, " takes or gives another number of values"));
  const size_t collected = graph.outputs.size() - states;
  HLOCC_TRY_ASSIGN(const auto axes, one_each(op, "scan_input_axes", takes));
  HLOCC_TRY_ASSIGN(const auto backwards, one_each(op, "scan_input_directions", takes));
  HLOCC_TRY_ASSIGN(const auto out_axes, one_each(op, "scan_output_axes", collected));
  HLOCC_TRY_ASSIGN(const auto out_backwards, one_each(op, "scan_output_directions", collected));
  std::vector<InstructionId> state;
  std::vector<std::optional<Shape>> inputs;
  for (size_t i = 0; i < states; ++i) {
    state.push_back(op.value(static_cast<int>(i)));
    inputs.emplace_back(b.shape(state.back()));
  }
  int64_t count = -1;
  std::vector<InstructionId> lists;
  for (size_t i = 0; i < takes; ++i) {
    const InstructionId x = op.value(static_cast<int>(states + i));
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(axes[i], b.rank(x)));
    lists.push_back(in_front(b, x, axis));
    if (backwards[i] != 0) lists.back() = b.reverse(lists.back(), {0});
    Dimensions sizes = b.sizes(lists.back());
    if (count >= 0 && sizes[0] != count) return op.wrong("scanned operands of other lengths");
    count = sizes[0];
    sizes.erase(sizes.begin());
    inputs.emplace_back(Shape::array(b.type(x), sizes));
  }
  const Captures captures = captures_of(op, {&graph});
  HLOCC_TRY_ASSIGN(const Body body, body_of(op, graph, captures, inputs, false));
  for (size_t i = 0; i < collected; ++i) state.push_back(room(b, body.results[states + i], count));
  const size_t fixed = state.size();
  append(state, lists);
  append(state, captures.values);
  const auto body_once = [&](InstructionId iteration, const auto& now) {
    std::vector<InstructionId> arguments = part(now, 0, states);
    for (size_t i = 0; i < takes; ++i) arguments.push_back(b.row(now[fixed + i], iteration));
    append(arguments, part(now, fixed + takes, captures.values.size()));
    const std::vector<InstructionId> made = called(b, body, std::move(arguments));
    std::vector<InstructionId> next = part(made, 0, states);
    for (size_t i = 0; i < collected; ++i)
      next.push_back(b.with_row(now[states + i], iteration, made[states + i]));
    append(next, part(now, fixed, takes + captures.values.size()));
    return next;
  };
  const auto done = count == 0 ? state : b.loop(count, state, body_once);
  for (size_t i = 0; i < states; ++i) op.set(static_cast<int>(i), done[i]);
  for (size_t i = 0; i < collected; ++i) {
    InstructionId y = done[states + i];
    if (out_backwards[i] != 0) y = b.reverse(y, {0});
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(out_axes[i], b.rank(y)));
    op.set(static_cast<int>(states + i), back_in_place(b, y, axis));
  }
  return {};
}

}  // namespace hlocc::import::onnx
