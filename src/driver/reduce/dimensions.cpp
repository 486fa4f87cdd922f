// shrink_dimensions (see steps.h): a size becomes a smaller one wherever it occurs, in the
// shapes of parameters and constants, in attributes and in what instructions state; everything else
// is inferred anew. What then breaks a rule of its op is no candidate.
#include <cstring>
#include <set>

#include "driver/reduce/steps.h"
#include "ops/infer.h"

namespace hlocc::driver {
namespace {

using hlo::Computation, hlo::Dimensions, hlo::Instruction, hlo::Literal, hlo::Opcode, hlo::Shape;

struct Renaming {
  int64_t from, to;
  void apply(int64_t& size) const {
    if (size == from) size = to;
  }
  void apply(Dimensions& sizes) const {
    for (int64_t& size : sizes) apply(size);
  }
  void apply(Shape& shape) const {
    apply(shape.dimensions);
    for (Shape& element : shape.tuple) apply(element);
  }
};

// The leading part of each dimension.
Literal cropped(const Literal& literal, const Renaming& renaming) {
  if (literal.is_tuple()) {
    std::vector<Literal> elements;
    for (const Literal& element : literal.elements())
      elements.push_back(cropped(element, renaming));
    return Literal::make_tuple(std::move(elements));
  }
  Shape shape = literal.shape();
  if (!shape.is_array()) return literal;
  renaming.apply(shape);
  Literal out = Literal::zeros(shape);
  const Dimensions from = hlo::row_major_strides(literal.shape().dimensions);
  const size_t width = static_cast<size_t>(hlo::storage_bytes(shape.element_type));
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    int64_t rest = i, source = 0;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      source += rest % shape.dimensions[d] * from[d];
      rest /= shape.dimensions[d];
    }
    std::memcpy(out.mutable_bytes().data() + static_cast<size_t>(i) * width,
                literal.bytes().data() + static_cast<size_t>(source) * width, width);
  }
  return out;
}

// Sizes among the attributes.
void rename_attributes(Instruction& instruction, const Renaming& renaming) {
  hlo::Attributes& all = instruction.attributes;
  if (auto* constant = std::get_if<hlo::ConstantAttributes>(&all))
    constant->value = cropped(constant->value, renaming);
  if (auto* slice = std::get_if<hlo::SliceAttributes>(&all)) renaming.apply(slice->limits);
  if (auto* slice = std::get_if<hlo::DynamicSliceAttributes>(&all)) renaming.apply(slice->sizes);
  if (auto* gather = std::get_if<hlo::GatherAttributes>(&all)) renaming.apply(gather->slice_sizes);
  if (auto* fft = std::get_if<hlo::FftAttributes>(&all)) renaming.apply(fft->length);
  if (auto* topk = std::get_if<hlo::TopKAttributes>(&all)) renaming.apply(topk->k);
  const auto windows = [&](hlo::Window& window) {
    for (hlo::WindowDimension& one : window.dimensions) {
      if (one.padding_low == renaming.from - 1 && one.size == renaming.from)
        one.padding_low = renaming.to - 1;
      renaming.apply(one.size);
    }
  };
  if (auto* window = std::get_if<hlo::WindowAttributes>(&all)) windows(window->window);
  if (auto* conv = std::get_if<hlo::ConvolutionAttributes>(&all)) windows(conv->window);
}

bool rename(ReduceCase& one, const Renaming& renaming) {
  hlo::Module& module = one.module;
  for (const hlo::ComputationId id : hlo::computation_order(module)) {
    Computation& computation = module.computations[id];
    for (Instruction& instruction : computation.instructions) {
      const hlo::Layout layout = instruction.shape.layout;
      renaming.apply(instruction.shape);
      rename_attributes(instruction, renaming);
      Result<Shape> shape = ops::infer_shape(module, computation, instruction);
      if (!shape) return false;
      instruction.shape = std::move(*shape);
      instruction.shape.layout = layout;
    }
  }
  for (Shape& shape : module.entry_parameters) renaming.apply(shape);
  for (Literal& argument : one.arguments) argument = cropped(argument, renaming);
  tidy(one);
  return true;
}

void collect(const Shape& shape, std::set<int64_t>& sizes) {
  for (int64_t size : shape.dimensions)
    if (size > 1) sizes.insert(size);
  for (const Shape& element : shape.tuple) collect(element, sizes);
}

}  // namespace

bool shrink_dimensions(const ReduceCase& now, const Keep& keep) {
  std::set<int64_t> sizes;
  for (const Computation& computation : now.module.computations)
    for (const Instruction& instruction : computation.instructions)
      collect(instruction.shape, sizes);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
    for (const int64_t to : {int64_t{1}, *size / 4, *size / 2, *size - 1}) {
      if (to < 1) continue;
      ReduceCase candidate = now;
      if (rename(candidate, {*size, to}) && keep(std::move(candidate))) return true;
    }
  return false;
}

}  // namespace hlocc::driver
