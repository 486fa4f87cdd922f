// The values of a program: arrays between steps, constants with their bytes, and at the border
// arguments and results, which the caller may pack more densely than kernels read them.
#include "kernel/program_values.h"
#include "lowering/program/border.h"
#include "lowering/program/layer.h"
#include "lowering/program/program_builder.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Instruction;
using kernel::ProgramValueId;
using kernel::ValueRole;

namespace {

// The literal's elements in the order that the shape's layout gives them in memory. Inner arrays
// are row-major; only what leaves the entry may not be.
std::vector<std::byte> in_layout_order(const hlo::Literal& literal, const hlo::Shape& shape) {
  const auto bytes = literal.bytes();
  if (hlo::is_row_major(shape)) return {bytes.begin(), bytes.end()};
  const size_t width = hlo::storage_bytes(shape.element_type);
  const hlo::Dimensions strides = hlo::row_major_strides(shape.dimensions);
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  hlo::Dimensions at(shape.dimensions.size(), 0);
  while (out.size() < bytes.size()) {
    int64_t position = 0;
    for (size_t d = 0; d < at.size(); ++d) position += at[d] * strides[d];
    out.insert(out.end(), bytes.begin() + position * width, bytes.begin() + (position + 1) * width);
    for (int64_t d : hlo::minor_to_major(shape)) {
      if (++at[d] < shape.dimensions[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

}  // namespace

ProgramValueId ProgramBuilder::add_value(const hlo::Shape& shape, ValueRole role,
                                         const std::string& name) {
  kernel::ProgramValue value;
  value.name = name;
  value.element = kernel::scalar_of(hlo::real_type(shape.element_type));
  value.elements = shape.element_count() * parts(shape);
  value.role = role;
  program.values.push_back(std::move(value));
  return static_cast<ProgramValueId>(program.values.size() - 1);
}

ValueIds ProgramBuilder::new_results(const Instruction& instruction) {
  ValueIds results;
  for (const hlo::Shape& leaf : hlo::leaf_shapes(instruction.shape))
    results.push_back(add_value(leaf, ValueRole::kTemporary, instruction.name));
  return results;
}

ProgramValueId ProgramBuilder::constant_value(const Instruction& constant) {
  const ProgramValueId id = add_value(constant.shape, ValueRole::kConstant, constant.name);
  constants_.emplace_back(id, &constant);
  return id;
}

void ProgramBuilder::finish_constants() {
  const std::vector<ProgramValueId> kept = kernel::drop_unread_constants(program);
  for (const auto& [id, constant] : constants_)
    if (kept[id] != kernel::kNone)
      program.values[kept[id]].data = std::make_shared<const std::vector<std::byte>>(
          in_layout_order(constant->get<hlo::ConstantAttributes>().value, constant->shape));
}

ProgramValueId ProgramBuilder::derived_value(const Emitter::Derived& derived) {
  kernel::ProgramValue value;
  value.name = derived.name;
  value.element = derived.element;
  value.elements =
      static_cast<int64_t>(derived.data->size()) / kernel::scalar_bytes(derived.element);
  value.role = ValueRole::kConstant;
  value.data = derived.data;
  program.values.push_back(std::move(value));
  return static_cast<ProgramValueId>(program.values.size() - 1);
}

ProgramValueId ProgramBuilder::add_packed(const kernel::Leaf& leaf, ValueRole role,
                                          const std::string& name) {
  return add_value(hlo::Shape::array(hlo::PrimitiveType::kU8, {leaf.bytes()}), role, name);
}

ProgramValueId ProgramBuilder::add_argument(int index) {
  const kernel::Leaf& leaf = program.signature.arguments[index];
  const ValueRole role = leaf.donated ? ValueRole::kState : ValueRole::kArgument;
  const std::string name = cat("argument ", index);
  const ProgramValueId id =
      is_packed(leaf.shape) ? add_packed(leaf, role, name) : add_value(leaf.shape, role, name);
  program.values[id].leaf = index;
  program.arguments.push_back(id);
  if (!is_packed(leaf.shape)) return id;
  const ProgramValueId array = add_value(leaf.shape, ValueRole::kTemporary, cat(name, " unpacked"));
  program.steps.push_back(
      {kernel::Launch{intern(unpack_kernel(leaf.shape)), {id, array}}, origin_of(leaf, name)});
  return array;
}

ProgramValueId ProgramBuilder::add_result(int index, ProgramValueId value) {
  const kernel::Leaf& leaf = program.signature.results[index];
  if (!is_packed(leaf.shape)) return value;
  const std::string name = cat("result ", index);
  const ProgramValueId id = add_packed(leaf, ValueRole::kTemporary, cat(name, " packed"));
  program.steps.push_back(
      {kernel::Launch{intern(pack_kernel(leaf.shape)), {value, id}}, origin_of(leaf, name)});
  return id;
}

}  // namespace hlocc::lowering
