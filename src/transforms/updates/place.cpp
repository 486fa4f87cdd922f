// See place.h.
#include "transforms/updates/place.h"

#include <algorithm>

#include "hlo/dimensions.h"
#include "hlo/literal.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

// Of an index that leaves `room` places for the part.
Start start_at(const Computation& c, InstructionId index, int64_t room) {
  if (room == 0) return {};
  const Instruction& i = c[index];
  if (i.opcode != Opcode::kConstant) return {0, index};
  const int64_t at = hlo::integer_at(i.get<hlo::ConstantAttributes>().value, 0);
  const bool huge = i.shape.element_type == hlo::PrimitiveType::kU64 && at < 0;
  return {huge ? room : std::clamp<int64_t>(at, 0, room), hlo::kNone};
}

// Indices from operand `first` on; none where an older program gives them as one vector.
std::optional<Place> dynamic_place(const Computation& c, const Instruction& i, size_t first,
                                   const Dimensions& sizes) {
  const hlo::Shape& whole = c.operand(i, 0).shape;
  if (i.operands.size() != first + whole.dimensions.size()) return std::nullopt;
  Place place{{}, sizes};
  for (size_t d = 0; d < sizes.size(); ++d) {
    const InstructionId index = i.operands[first + d];
    if (c[index].shape.rank() != 0) return std::nullopt;
    place.starts.push_back(start_at(c, index, whole.dimensions[d] - sizes[d]));
  }
  return place;
}

std::optional<Written> set_window(const hlo::Module& module, const Computation& c,
                                  const Instruction& i) {
  const auto& s = i.get<hlo::ScatterAttributes>();
  if (!sets_elements(module, i) || !s.input_batching_dims.empty()) return std::nullopt;
  const Instruction& indices = c.operand(i, 1);
  const auto count = static_cast<int64_t>(s.scatter_dims_to_operand_dims.size());
  if (indices.opcode != Opcode::kConstant || indices.shape.element_count() != count)
    return std::nullopt;
  const Dimensions &whole = i.shape.dimensions, &update = c.operand(i, 2).shape.dimensions;
  Written written{i.operands[0], i.operands[2], {std::vector<Start>(whole.size()), {}}};
  size_t window = 0;
  for (size_t d = 0; d < whole.size(); ++d) {
    const bool is_inserted = hlo::contains(s.inserted_window_dims, static_cast<int64_t>(d));
    const int64_t size =
        is_inserted ? 1 : update[static_cast<size_t>(s.update_window_dims[window++])];
    written.place.sizes.push_back(size);
  }
  for (int64_t n = 0; n < count; ++n) {
    const auto d = static_cast<size_t>(s.scatter_dims_to_operand_dims[static_cast<size_t>(n)]);
    const int64_t at = hlo::integer_at(indices.get<hlo::ConstantAttributes>().value, n);
    // A window that does not lie inside is dropped.
    if (at < 0 || at > whole[d] - written.place.sizes[d]) return std::nullopt;
    written.place.starts[d] = {at, hlo::kNone};
  }
  return written;
}

}  // namespace

std::optional<Place> place_of_slice(const Computation& c, const Instruction& i) {
  if (i.opcode == Opcode::kDynamicSlice) return dynamic_place(c, i, 1, i.shape.dimensions);
  if (i.opcode != Opcode::kSlice) return std::nullopt;
  const auto& slice = i.get<hlo::SliceAttributes>();
  if (std::ranges::any_of(slice.strides, [](int64_t stride) { return stride != 1; }))
    return std::nullopt;
  Place place{{}, i.shape.dimensions};
  for (const int64_t start : slice.starts) place.starts.push_back({start, hlo::kNone});
  return place;
}

bool sets_elements(const hlo::Module& module, const Instruction& scatter) {
  const Computation& set = module.computations[static_cast<size_t>(scatter.called[0])];
  return set.root == set.parameters[1];  // of several arrays it is a tuple
}

std::optional<Written> written_part(const hlo::Module& module, const Computation& c,
                                    const Instruction& i) {
  if (i.opcode == Opcode::kScatter) return set_window(module, c, i);
  if (i.opcode != Opcode::kDynamicUpdateSlice) return std::nullopt;
  const std::optional<Place> place = dynamic_place(c, i, 2, c.operand(i, 1).shape.dimensions);
  if (!place) return std::nullopt;
  return Written{i.operands[0], i.operands[1], *place};
}

bool are_apart(const Place& a, const Place& b) {
  for (size_t d = 0; d < a.starts.size(); ++d) {
    if (a.starts[d].index != hlo::kNone || b.starts[d].index != hlo::kNone) continue;
    if (a.starts[d].at + a.sizes[d] <= b.starts[d].at ||
        b.starts[d].at + b.sizes[d] <= a.starts[d].at)
      return true;
  }
  return false;
}

}  // namespace hlocc::transforms
