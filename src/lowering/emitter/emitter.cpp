// A kernel's beginning and end, its buffers, and values known at compile time. Elements, memory and
// loops have files of their own; what each op does is in the family files.
#include "lowering/emitter/emitter.h"

#include <cstring>

#include "costs/weights.h"
#include "kernel/nibbles.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using kernel::Scalar;

namespace {

kernel::Buffer buffer_of(const hlo::Shape& shape, kernel::Direction direction,
                         const std::string& name) {
  return {.name = name,
          .element = kernel::scalar_of(hlo::real_type(shape.element_type)),
          .elements = shape.element_count() * parts(shape),
          .direction = direction};
}

bool is_packed(const hlo::Literal& literal, const Target& target) {
  return costs::packs_nibbles(target) && hlo::is_integer(literal.type()) &&
         hlo::type_bits(literal.type()) == 4 && literal.element_count() > 1;
}

// Two to a byte, the first in the low half.
std::vector<std::byte> in_nibbles(const hlo::Literal& literal) {
  const std::span<const std::byte> from = literal.bytes();
  std::vector<std::byte> out((from.size() + 1) / 2);
  for (size_t n = 0; n < from.size(); ++n)
    out[n / 2] |= (from[n] & std::byte{15}) << (n % 2 == 0 ? 0 : 4);
  return out;
}

}  // namespace

Emitter::Emitter(const Group& group, const Target& target, std::string kernel_name)
    : b(std::move(kernel_name)), group_(group), target_(target) {
  inputs_.resize(group.externals.size());
  std::vector<InstructionId> order(group.externals.size());
  for (const auto& [id, position] : group.externals) order[position] = id;
  for (size_t i = 0; i < order.size(); ++i)
    if (shape(order[i]).is_array())
      inputs_[i] = b.buffer(buffer_of(shape(order[i]), kernel::Direction::kIn, cat("in", i)));
  for (InstructionId root : group.roots)
    for (const hlo::Shape& leaf : hlo::leaf_shapes(shape(root)))
      outputs_.push_back(
          b.buffer(buffer_of(leaf, kernel::Direction::kOut, cat("out", outputs_.size()))));
  for (const auto& [id, literal] : group.constants)
    if (is_packed(*literal, target))
      nibbles_[id] = derived_constant(kernel::nibbles_name(scalar(literal->shape())), Scalar::kU8,
                                      in_nibbles(*literal));
}

kernel::Kernel Emitter::finish() {
  kernel::Kernel kernel = b.finish();
  kernel.origin = instruction_names(group_);
  kernel.choice = choice;
  return kernel;
}

void Emitter::tile_emitted(kernel::RegisterTile tile) {
  if (tile.results() > choice.tile.results()) choice.tile = tile;
}

void Emitter::fail(Diagnostic diagnostic) {
  if (!failure) failure = std::move(diagnostic);
}

Scalar Emitter::scalar(const hlo::Shape& shape) const {
  return kernel::scalar_of(hlo::real_type(shape.element_type));
}

kernel::BufferId Emitter::input_buffer(InstructionId external) const {
  return inputs_[group_.externals.at(external)];
}

kernel::BufferId Emitter::scratch(std::string name, Scalar element, int64_t elements,
                                  int alignment) {
  return b.buffer({.name = std::move(name),
                   .element = element,
                   .elements = elements,
                   .direction = kernel::Direction::kScratch,
                   .alignment = alignment});
}

const hlo::Literal* Emitter::constant_of(InstructionId external) const {
  const auto known = group_.constants.find(external);
  return known == group_.constants.end() ? nullptr : known->second;
}

kernel::BufferId Emitter::derived_constant(std::string name, Scalar element,
                                           std::vector<std::byte> data, int alignment) {
  for (const kernel::Buffer& buffer : b.kernel().buffers)
    HLOCC_CHECK(buffer.direction != kernel::Direction::kScratch,
                "a derived constant behind scratch");
  const kernel::BufferId id =
      b.buffer({.name = cat("derived", derived_.size()),
                .element = element,
                .elements = static_cast<int64_t>(data.size()) / kernel::scalar_bytes(element),
                .direction = kernel::Direction::kIn,
                .alignment = alignment});
  derived_.push_back(
      {std::move(name), element, std::make_shared<const std::vector<std::byte>>(std::move(data))});
  return id;
}

Element Emitter::splat(Element value, int lanes) {
  if (lanes == 1) return value;
  value.re = b.splat(value.re, lanes);
  if (value.is_complex()) value.im = b.splat(value.im, lanes);
  return value;
}

Element Emitter::extract(Element value, int lane) {
  value.re = b.extract(value.re, lane);
  if (value.is_complex()) value.im = b.extract(value.im, lane);
  return value;
}

Element Emitter::zero(const hlo::Shape& shape, int lanes) {
  Element value;
  value.re = b.zero(type(shape, lanes));
  if (hlo::is_complex(shape.element_type)) value.im = b.zero(type(shape, lanes));
  return value;
}

Element Emitter::constant(const hlo::Literal& literal, int64_t position, int lanes) {
  const int64_t count = parts(literal.shape());
  const int64_t width = hlo::storage_bytes(literal.type()) / count;
  const auto bits_of = [&](int64_t part) {
    uint64_t bits = 0;
    // Assembled byte by byte in the order of value, whatever this machine's byte order is.
    const std::byte* at = literal.bytes().data() + (position * count + part) * width;
    switch (width) {
      case 1: bits = static_cast<uint64_t>(*reinterpret_cast<const uint8_t*>(at)); break;
      case 2: {
        uint16_t v;
        std::memcpy(&v, at, 2);
        bits = v;
        break;
      }
      case 4: {
        uint32_t v;
        std::memcpy(&v, at, 4);
        bits = v;
        break;
      }
      default: std::memcpy(&bits, at, 8); break;
    }
    return bits;
  };
  Element value;
  value.re = b.constant_bits(type(literal.shape(), lanes), bits_of(0));
  if (count == 2) value.im = b.constant_bits(type(literal.shape(), lanes), bits_of(1));
  return value;
}

}  // namespace hlocc::lowering
