// See moves.h. Each op is a function from the index of an element of the result to the place of the
// element of an operand.
#include "import/build/moves.h"

#include <algorithm>
#include <functional>

#include "hlo/dimensions.h"
#include "import/build/numbers.h"

namespace hlocc::import {
namespace {

using hlo::Dimensions;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

struct Place {
  size_t operand = 0;
  int64_t element = 0;  // row-major
};
using PlaceOf = std::function<Place(const Dimensions& index)>;

// `visit` is called with the index of each element, row-major.
void for_each_index(const Dimensions& sizes, const std::function<void(const Dimensions&)>& visit) {
  Dimensions index(sizes.size(), 0);
  const int64_t count = hlo::Shape::array(hlo::PrimitiveType::kS64, sizes).element_count();
  for (int64_t i = 0; i < count; ++i) {
    visit(index);
    for (size_t d = sizes.size(); d-- > 0 && ++index[d] == sizes[d];) index[d] = 0;
  }
}

int64_t flat(const Dimensions& index, const Dimensions& sizes) {
  int64_t at = 0;
  for (size_t d = 0; d < sizes.size(); ++d) at = at * sizes[d] + index[d];
  return at;
}

PlaceOf place_in_slice(const Instruction& i, const Dimensions& from) {
  const auto& slice = i.get<hlo::SliceAttributes>();
  return [&slice, from](Dimensions index) {
    for (size_t d = 0; d < index.size(); ++d)
      index[d] = slice.starts[d] + index[d] * slice.strides[d];
    return Place{0, flat(index, from)};
  };
}

PlaceOf place_in_broadcast(const Instruction& i, const Dimensions& from) {
  const Dimensions& mapping = i.get<hlo::DimensionsAttributes>().dimensions;
  return [&mapping, from](const Dimensions& index) {
    Dimensions own;
    for (const int64_t d : mapping) own.push_back(index[d]);
    return Place{0, flat(own, from)};
  };
}

PlaceOf place_in_transpose(const Instruction& i, const Dimensions& from) {
  const Dimensions& permutation = i.get<hlo::DimensionsAttributes>().dimensions;
  return [&permutation, from](const Dimensions& index) {
    Dimensions own(from.size(), 0);
    for (size_t d = 0; d < own.size(); ++d) own[permutation[d]] = index[d];
    return Place{0, flat(own, from)};
  };
}

PlaceOf place_in_reverse(const Instruction& i, const Dimensions& from) {
  const Dimensions& turned = i.get<hlo::DimensionsAttributes>().dimensions;
  return [&turned, from](Dimensions index) {
    for (const int64_t d : turned) index[d] = from[d] - 1 - index[d];
    return Place{0, flat(index, from)};
  };
}

PlaceOf place_in_join(const Instruction& i, const std::vector<Literal>& operands) {
  const int64_t along = i.get<hlo::DimensionsAttributes>().dimensions[0];
  return [&operands, along](Dimensions index) {
    size_t part = 0;
    while (index[along] >= operands[part].shape().dimensions[along])
      index[along] -= operands[part++].shape().dimensions[along];
    return Place{part, flat(index, operands[part].shape().dimensions)};
  };
}

// Behind the border the second operand, which is a scalar.
PlaceOf place_in_pad(const Instruction& i, const Dimensions& from) {
  const auto& pads = i.get<hlo::PadAttributes>().dimensions;
  return [&pads, from](Dimensions index) {
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t at = index[d] - pads[d].low, step = pads[d].interior + 1;
      if (at < 0 || at % step != 0 || at / step >= from[d]) return Place{1, 0};
      index[d] = at / step;
    }
    return Place{0, flat(index, from)};
  };
}

PlaceOf place_in_gather(const Instruction& i, const std::vector<Literal>& operands) {
  const auto& how = i.get<hlo::GatherAttributes>();
  const Dimensions from = operands[0].shape().dimensions, at = operands[1].shape().dimensions;
  const std::vector<int64_t> starts = integers_of(operands[1]);
  return [&how, from, at, starts](const Dimensions& index) {
    Dimensions batch, own(from.size(), 0);
    for (size_t d = 0; d < index.size(); ++d)
      if (!hlo::contains(how.offset_dims, static_cast<int64_t>(d))) batch.push_back(index[d]);
    for (size_t k = 0; k < how.start_index_map.size(); ++k) {
      Dimensions place = batch;
      if (how.index_vector_dim < static_cast<int64_t>(at.size()))
        place.insert(place.begin() + how.index_vector_dim, static_cast<int64_t>(k));
      const int64_t d = how.start_index_map[k];
      own[d] = std::clamp<int64_t>(starts[static_cast<size_t>(flat(place, at))], 0,
                                   from[d] - how.slice_sizes[d]);
    }
    size_t offset = 0;
    for (size_t d = 0; d < from.size(); ++d)
      if (!hlo::contains(how.collapsed_slice_dims, static_cast<int64_t>(d)))
        own[d] += index[how.offset_dims[offset++]];
    return Place{0, flat(own, from)};
  };
}

PlaceOf place_of(const Instruction& i, const std::vector<Literal>& operands) {
  const Dimensions from = operands.empty() ? Dimensions() : operands[0].shape().dimensions;
  switch (i.opcode) {
    case Opcode::kSlice: return place_in_slice(i, from);
    case Opcode::kBroadcast: return place_in_broadcast(i, from);
    case Opcode::kTranspose: return place_in_transpose(i, from);
    case Opcode::kReverse: return place_in_reverse(i, from);
    case Opcode::kConcatenate: return place_in_join(i, operands);
    case Opcode::kPad: return place_in_pad(i, from);
    case Opcode::kGather:
      if (!i.get<hlo::GatherAttributes>().operand_batching_dims.empty()) return nullptr;
      return place_in_gather(i, operands);
    default: return nullptr;
  }
}

}  // namespace

std::optional<Literal> moved(const Instruction& i, const std::vector<Literal>& operands) {
  if (i.opcode == Opcode::kReshape) {
    Literal out = operands[0];
    out.set_shape(i.shape);
    return out;
  }
  Literal out = Literal::zeros(i.shape);
  if (i.opcode == Opcode::kIota) {
    if (!hlo::is_integer(i.shape.element_type)) return std::nullopt;
    std::vector<int64_t> values;
    const int64_t along = i.get<hlo::IotaAttributes>().dimension;
    for_each_index(i.shape.dimensions, [&](const Dimensions& at) { values.push_back(at[along]); });
    return literal_of(i.shape.element_type, values, i.shape.dimensions);
  }
  const auto width = static_cast<size_t>(hlo::storage_bytes(i.shape.element_type));
  if (i.opcode == Opcode::kSelect) {
    std::vector<int64_t> which = integers_of(operands[0]);
    if (which.size() == 1) which.resize(static_cast<size_t>(out.element_count()), which[0]);
    for (size_t at = 0; at < which.size(); ++at)
      std::memcpy(out.mutable_bytes().data() + at * width,
                  operands[which[at] != 0 ? 1 : 2].bytes().data() + at * width, width);
    return out;
  }
  const PlaceOf place = place_of(i, operands);
  if (!place) return std::nullopt;
  std::byte* to = out.mutable_bytes().data();
  for_each_index(i.shape.dimensions, [&](const Dimensions& index) {
    const Place from = place(index);
    std::memcpy(to, operands[from.operand].bytes().data() + from.element * width, width);
    to += width;
  });
  return out;
}

std::vector<int64_t> places_without(const Dimensions& sizes,
                                    const hlo::DimensionsAttributes& dimensions) {
  Dimensions kept;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (!hlo::contains(dimensions.dimensions, static_cast<int64_t>(d))) kept.push_back(sizes[d]);
  std::vector<int64_t> out;
  for_each_index(sizes, [&](const Dimensions& index) {
    Dimensions own;
    for (size_t d = 0; d < sizes.size(); ++d)
      if (!hlo::contains(dimensions.dimensions, static_cast<int64_t>(d))) own.push_back(index[d]);
    out.push_back(flat(own, kept));
  });
  return out;
}

}  // namespace hlocc::import
