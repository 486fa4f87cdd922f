// See part.h. Indices of a part are indices of the array behind its start. Where the part is as
// long as the array, an index that points outside is clamped, or its window dropped, alike; where
// it is shorter, a dynamic-update-slice gets the clamp in words, and a scatter stays as it is.
#include "transforms/updates/part.h"

#include <algorithm>

#include "hlo/dimensions.h"
#include "hlo/literal.h"
#include "transforms/build.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

namespace {

// By dimension of the array, that of the part as an update sees it; kNone where that has left one
// of size 1 out. None where the part is seen otherwise.
std::optional<Dimensions> dimensions_of_part(const Dimensions& seen, const Place& place) {
  Dimensions own;
  if (seen == place.sizes) return counting(static_cast<int64_t>(seen.size()));
  if (seen != hlo::without_ones(place.sizes)) return std::nullopt;
  int64_t next = 0;
  for (const int64_t size : place.sizes) own.push_back(size == 1 ? kNone : next++);
  return own;
}

bool is_index_type(PrimitiveType type) {
  return type == PrimitiveType::kS32 || type == PrimitiveType::kU32 || type == PrimitiveType::kS64;
}

// Of the indices that an update brings, and the starts that join them: one for all.
std::optional<PrimitiveType> index_type(const Computation& c, std::optional<PrimitiveType> own,
                                        const Place& place) {
  for (const Start& start : place.starts) {
    if (start.index == kNone) continue;
    const PrimitiveType type = c[start.index].shape.element_type;
    if (own && *own != type) return std::nullopt;
    own = type;
  }
  if (!own) return PrimitiveType::kS32;
  return is_index_type(*own) ? own : std::nullopt;
}

bool is_whole(const Place& place, const Dimensions& whole, size_t d) {
  return place.sizes[d] == whole[d];
}

// Scalars of one type of indices, appended to a computation.
class Indices {
 public:
  Indices(Computation& c, PrimitiveType type) : c_(c), type_(type) {}

  InstructionId constant(int64_t value) {
    return c_.add(hlo::make_constant(integer(type_, static_cast<uint64_t>(value))));
  }
  InstructionId clamped(InstructionId index, int64_t most) {
    const InstructionId low = constant(0), high = constant(most);
    return c_.add(hlo::make(Opcode::kClamp, Shape::array(type_, {}), {low, index, high}));
  }
  InstructionId sum(InstructionId a, InstructionId b) {
    return c_.add(hlo::make(Opcode::kAdd, Shape::array(type_, {}), {a, b}));
  }
  InstructionId of(const Start& start) {
    return start.index == kNone ? constant(start.at) : start.index;
  }
  // Of a part that may begin at no more than `most`.
  InstructionId clamped(const Start& start, int64_t most) {
    return start.index == kNone ? constant(start.at) : clamped(start.index, most);
  }

 private:
  Computation& c_;
  PrimitiveType type_;
};

std::optional<PrimitiveType> type_of_indices(const Computation& c, const Instruction& update,
                                             const Place& place) {
  std::optional<PrimitiveType> own;
  if (update.opcode == Opcode::kScatter)
    own = c.operand(update, 1).shape.element_type;
  else if (update.operands.size() > 2)
    own = c.operand(update, 2).shape.element_type;
  return index_type(c, own, place);
}

bool can_be_moved(const Computation& c, const Instruction& update, const Place& place,
                  const Dimensions& whole) {
  const std::optional<Dimensions> own = dimensions_of_part(update.shape.dimensions, place);
  if (!own || !type_of_indices(c, update, place)) return false;
  if (update.opcode == Opcode::kDynamicUpdateSlice)
    return update.operands.size() == 2 + update.shape.dimensions.size() &&
           std::ranges::all_of(std::span(update.operands).subspan(2),
                               [&](InstructionId id) { return c[id].shape.rank() == 0; });
  const auto& s = update.get<hlo::ScatterAttributes>();
  if (update.operands.size() != 3 || !s.input_batching_dims.empty()) return false;
  // Windows beyond the border of the part are dropped: only where that is the array's.
  for (size_t d = 0; d < whole.size(); ++d)
    if (!is_whole(place, whole, d) && hlo::contains(s.scatter_dims_to_operand_dims, (*own)[d]))
      return false;
  return true;
}

Instruction like(const Computation& c, InstructionId array, const Instruction& update) {
  Instruction moved = update;
  moved.shape = c[array].shape;
  moved.operands[0] = array;
  moved.control_predecessors.clear();
  return moved;
}

InstructionId add_update_slice(Computation& c, InstructionId array, InstructionId id,
                               const Place& place) {
  const Instruction update = c[id];
  const Dimensions whole = c[array].shape.dimensions,
                   own = *dimensions_of_part(update.shape.dimensions, place);
  Indices indices(c, *type_of_indices(c, update, place));
  const Shape value = c[update.operands[1]].shape;
  Instruction moved = like(c, array, update);
  moved.operands.resize(2);
  Dimensions sizes;
  for (size_t d = 0; d < whole.size(); ++d) {
    const auto of_part = static_cast<size_t>(own[d]);
    const int64_t size = own[d] == kNone ? 1 : value.dimensions[of_part];
    sizes.push_back(size);
    InstructionId at = own[d] == kNone ? kNone : update.operands[2 + of_part];
    if (!is_whole(place, whole, d)) {
      const Start& start = place.starts[d];
      at = size == place.sizes[d] ? indices.of(start)
                                  : indices.sum(indices.clamped(start, whole[d] - place.sizes[d]),
                                                indices.clamped(at, place.sizes[d] - size));
    }
    moved.operands.push_back(at == kNone ? indices.constant(0) : at);
  }
  moved.operands[1] = c.add(
      hlo::make(Opcode::kReshape, Shape::array(value.element_type, sizes), {update.operands[1]}));
  return c.add(std::move(moved));
}

// The starts of the part in front of the indices of each window.
InstructionId with_starts(Computation& c, InstructionId indices, int64_t along,
                          const std::vector<InstructionId>& starts) {
  Shape one = c[indices].shape;
  if (along == one.rank()) {
    one.dimensions.push_back(1);
    one = Shape::array(one.element_type, one.dimensions);
    indices = c.add(hlo::make(Opcode::kReshape, one, {indices}));
  }
  Dimensions sizes = one.dimensions;
  std::vector<InstructionId> all;
  sizes[static_cast<size_t>(along)] = 1;
  for (const InstructionId start : starts)
    all.push_back(c.add(hlo::make(Opcode::kBroadcast, Shape::array(one.element_type, sizes),
                                  {start}, hlo::DimensionsAttributes{})));
  all.push_back(indices);
  sizes[static_cast<size_t>(along)] =
      one.dimensions[static_cast<size_t>(along)] + static_cast<int64_t>(starts.size());
  return c.add(hlo::make(Opcode::kConcatenate, Shape::array(one.element_type, sizes), all,
                         hlo::DimensionsAttributes{{along}}));
}

InstructionId add_scatter(Computation& c, InstructionId array, InstructionId id,
                          const Place& place) {
  const Instruction update = c[id];
  const Dimensions whole = c[array].shape.dimensions,
                   own = *dimensions_of_part(update.shape.dimensions, place);
  Instruction moved = like(c, array, update);
  auto& s = moved.get<hlo::ScatterAttributes>();
  const hlo::ScatterAttributes before = s;
  s.inserted_window_dims.clear();
  s.scatter_dims_to_operand_dims.clear();
  Indices indices(c, *type_of_indices(c, update, place));
  std::vector<InstructionId> starts;
  for (size_t d = 0; d < whole.size(); ++d) {
    const auto dimension = static_cast<int64_t>(d);
    if (own[d] == kNone || hlo::contains(before.inserted_window_dims, own[d]))
      s.inserted_window_dims.push_back(dimension);
    if (is_whole(place, whole, d)) continue;
    s.scatter_dims_to_operand_dims.push_back(dimension);
    starts.push_back(indices.clamped(place.starts[d], whole[d] - place.sizes[d]));
  }
  for (const int64_t of_part : before.scatter_dims_to_operand_dims)
    s.scatter_dims_to_operand_dims.push_back(std::ranges::find(own, of_part) - own.begin());
  moved.operands[1] = with_starts(c, update.operands[1], before.index_vector_dim, starts);
  return c.add(std::move(moved));
}

}  // namespace

std::optional<Part> part_of(const Computation& c, InstructionId value, const Place& place,
                            const Dimensions& whole) {
  Part part;
  for (InstructionId at = value;;) {
    const Instruction& i = c[at];
    switch (i.opcode) {
      case Opcode::kReshape:
      case Opcode::kBitcast: break;
      case Opcode::kScatter:
      case Opcode::kDynamicUpdateSlice:
        if (!can_be_moved(c, i, place, whole)) return std::nullopt;
        part.updates.push_back(at);
        break;
      case Opcode::kSlice:
      case Opcode::kDynamicSlice:
        if (c.operand(i, 0).shape.dimensions != whole || place_of_slice(c, i) != place)
          return std::nullopt;
        std::ranges::reverse(part.updates);
        part.array = i.operands[0];
        return part;
      default: return std::nullopt;
    }
    at = i.operands[0];
    if (i.shape.element_type != c[at].shape.element_type) return std::nullopt;
  }
}

InstructionId add_moved_update(Computation& c, InstructionId array, InstructionId update,
                               const Place& place) {
  return c[update].opcode == Opcode::kScatter ? add_scatter(c, array, update, place)
                                              : add_update_slice(c, array, update, place);
}

InstructionId add_part(Computation& c, InstructionId array, const Place& place,
                       InstructionId like) {
  const Shape whole = c[array].shape, part = Shape::array(whole.element_type, place.sizes);
  const auto is_known = [](const Start& start) { return start.index == kNone; };
  Instruction slice;
  if (std::ranges::all_of(place.starts, is_known)) {
    hlo::SliceAttributes known;
    for (size_t d = 0; d < place.sizes.size(); ++d) {
      known.starts.push_back(place.starts[d].at);
      known.limits.push_back(place.starts[d].at + place.sizes[d]);
      known.strides.push_back(1);
    }
    slice = hlo::make(Opcode::kSlice, part, {array}, std::move(known));
  } else {
    Indices indices(c, *index_type(c, std::nullopt, place));
    slice =
        hlo::make(Opcode::kDynamicSlice, part, {array}, hlo::DynamicSliceAttributes{place.sizes});
    for (const Start& start : place.starts) slice.operands.push_back(indices.of(start));
  }
  slice.metadata = c[like].metadata;
  const InstructionId taken = c.add(std::move(slice));
  return c.add(hlo::make(Opcode::kReshape, c[like].shape, {taken}));
}

InstructionId add_written(Computation& c, InstructionId array, InstructionId value,
                          const Place& place) {
  Indices indices(c, *index_type(c, std::nullopt, place));
  Instruction update = hlo::make(Opcode::kDynamicUpdateSlice, c[array].shape, {array, value});
  update.metadata = c[value].metadata;
  for (const Start& start : place.starts) update.operands.push_back(indices.of(start));
  return c.add(std::move(update));
}

}  // namespace hlocc::transforms
