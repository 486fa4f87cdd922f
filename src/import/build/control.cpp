// Builder's loops and scatters, and what they take from arrays and put into them.
#include "import/build/builder.h"

namespace hlocc::import {
namespace {

using enum PrimitiveType;

// A start along the first dimension, zeros along the others.
std::vector<InstructionId> starts(Builder& b, InstructionId number, int rank) {
  std::vector<InstructionId> out = {number};
  for (int d = 1; d < rank; ++d) out.push_back(b.number(kS32, 0));
  return out;
}

}  // namespace

InstructionId Builder::take(InstructionId x, InstructionId indices, int64_t dimension) {
  if (failure_) return 0;
  hlo::GatherAttributes how;
  how.slice_sizes = sizes(x);
  how.slice_sizes[dimension] = 1;
  how.collapsed_slice_dims = how.start_index_map = {dimension};
  how.index_vector_dim = rank(indices);
  for (int64_t d = 0; d < rank(x) + rank(indices) - 1; ++d)
    if (d < dimension || d >= dimension + rank(indices)) how.offset_dims.push_back(d);
  return add(Opcode::kGather, {x, indices}, std::move(how));
}

InstructionId Builder::scatter(InstructionId x, InstructionId indices, InstructionId updates,
                               hlo::ScatterAttributes how, std::optional<Opcode> combine) {
  if (failure_) return 0;
  ComputationId called = hlo::kNone;
  if (combine) {
    called = reducer_of(*combine, type(x));
  } else {
    const Shape scalar = Shape::scalar(type(x));
    begin("replace");
    parameter(0, scalar, "there");
    called = end(parameter(1, scalar, "new"));
  }
  return add(Opcode::kScatter, {x, indices, updates}, std::move(how), {called});
}

InstructionId Builder::row(InstructionId x, InstructionId number) {
  if (failure_) return 0;
  Dimensions size = sizes(x);
  size[0] = 1;
  std::vector<InstructionId> operands = {x};
  for (const InstructionId start : starts(*this, number, rank(x))) operands.push_back(start);
  const InstructionId slice =
      add(Opcode::kDynamicSlice, std::move(operands), hlo::DynamicSliceAttributes{size});
  size.erase(size.begin());
  return reshape(slice, size);
}

InstructionId Builder::with_row(InstructionId x, InstructionId number, InstructionId row) {
  if (failure_) return 0;
  Dimensions size = sizes(x);
  size[0] = 1;
  std::vector<InstructionId> operands = {x, reshape(row, size)};
  for (const InstructionId start : starts(*this, number, rank(x))) operands.push_back(start);
  return add(Opcode::kDynamicUpdateSlice, std::move(operands));
}

std::vector<InstructionId> Builder::loop(int64_t count, const std::vector<InstructionId>& state,
                                         const LoopBody& body) {
  if (failure_) return state;
  std::vector<Shape> shapes = {Shape::scalar(kS32)};
  std::vector<InstructionId> first = {number(kS32, 0)};
  for (const InstructionId id : state) {
    shapes.push_back(shape(id));
    first.push_back(id);
  }
  const Shape whole = Shape::make_tuple(shapes);
  begin("body");
  const InstructionId in = parameter(0, whole, "state");
  const InstructionId iteration = element(in, 0);
  std::vector<InstructionId> now;
  for (size_t i = 0; i < state.size(); ++i) now.push_back(element(in, static_cast<int64_t>(i) + 1));
  std::vector<InstructionId> next = body(iteration, now);
  next.insert(next.begin(), with(Opcode::kAdd, iteration, 1));
  const ComputationId step = end(tuple(std::move(next)));
  begin("condition");
  const InstructionId at = element(parameter(0, whole, "state"), 0);
  const ComputationId condition =
      end(compare(at, number(kS32, static_cast<double>(count)), hlo::Direction::kLt));
  const InstructionId done = add(Opcode::kWhile, {tuple(std::move(first))}, {}, {step, condition});
  std::vector<InstructionId> out;
  for (size_t i = 0; i < state.size(); ++i)
    out.push_back(element(done, static_cast<int64_t>(i) + 1));
  return out;
}

}  // namespace hlocc::import
