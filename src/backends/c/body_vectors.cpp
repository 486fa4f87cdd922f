// The part of BodyWriter that works on vectors as values (vector_values.h): calls of functions that
// take and give whole vectors.
#include "backends/c/body_writer.h"
#include "support/text.h"

namespace hlocc::backends {
using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

std::string BodyWriter::address(const kernel::Access& access, Known& into) {
  return "&" + element(access, 1, into);
}

// The vector as a value; `into` reads what it reads.
std::string BodyWriter::vector_of(ValueId id, Known& into) {
  const Type type = kernel_.type(id);
  const Code& code = take_over(id, into);
  const Known& from = known(id);
  if (!from.vector.empty()) return from.vector;
  if (from.same) return cat(vector_functions_.splat(type), "(", code.text, ")");
  return cat(vector_functions_.load(type), "(", array_of(id), ")");
}

// Lanes of vectors that are values, for ops on lanes.
void BodyWriter::spill(std::span<const ValueId> ids) {
  for (const ValueId id : ids) {
    const Known& from = known(id);
    const Type type = kernel_.type(id);
    if (from.vector.empty() || !from.array.empty() || !vectors_.has_type(type)) continue;
    const std::string array = new_array(type), text = from.vector;
    line(cat(vector_functions_.store(type), "(", array, ", ", text, ");"));
    known(id).array = array;
    known(id).code = {array + "[l]"};
    spilled_.push_back(id);
  }
}

void BodyWriter::define_vector(const Op& op, Known made) {
  const ValueId id = op.result();
  if (uses_.count(id) == 0) return;
  const bool stays = made.reads_memory ? uses_.memory_stays_until_use(id) : uses_.moves_to_use(id);
  // A sum is a statement of its own: what it reads is held no longer.
  const bool sums = op.kind == OpKind::kMulAdd && vector_unit(site_.target) == VectorUnit::kMve;
  if (!stays || sums || made.vector.size() > kLongestText) {
    const std::string name = fresh_name();
    Type type = kernel_.type(id);
    // Bytes are held as what they become.
    if (vectors_.is_quarter(type))
      type.scalar = wide_of(type.scalar);
    else if (is_byte(type.scalar) && type.lanes == 8)
      type.scalar = Scalar::kU16;
    const bool is_unit = op.kind == OpKind::kLoad && vectors_.is_unit(op);
    line(cat("const ", is_unit ? "uint32_t" : vector_functions_.type(type), " ", name, " = ",
             made.vector, ";"));
    made = {.vector = name};
  }
  known(id) = std::move(made);
}

Status BodyWriter::write_vector_store(const Op& op) {
  const ValueId stored = op.access().stored;
  const Type type = kernel_.type(stored);
  Known unused;
  const std::string to = address(op.access(), unused);
  if (vectors_.has_type(type)) {
    const std::string function = vector_functions_.store(type);
    line(cat(function, "(", to, ", ", vector_of(stored, unused), ");"));
    return {};
  }
  const bool is_quarter = vectors_.is_quarter(type);
  const Type held = is_quarter ? known(stored).held : Type{Scalar::kU16, 8};
  const std::string vector = known(stored).same ? cat(vector_functions_.splat(held), "((uint8_t)",
                                                      known(stored).code.at(Binds::kUnary), ")")
                                                : known(stored).vector;
  const int64_t stride = op.access().lane_stride;
  if (stride == 1)
    line(cat(vector_functions_.narrow(type.scalar, held), "(", to, ", ", vector, ");"));
  else
    line(cat(vector_functions_.scatter(type.scalar, held), "(", to, ", ", stride, ", ", vector,
             ");"));
  return {};
}

std::string BodyWriter::scaled_text(const Op& op, Known& into) {
  const auto& by = std::get<kernel::RoundedShift>(op.payload);
  const std::string left = vector_of(op.operands[0], into), right = vector_of(op.operands[1], into);
  return cat(vector_functions_.scaled(kernel_.type(op.result())), "(", left, ", ", right, ", ",
             constant_text(Scalar::kS64, static_cast<uint64_t>(by.rounding)).text, ", ", by.shift,
             ")");
}

std::string BodyWriter::loaded_text(const Op& op, Known& into) {
  const Type type = kernel_.type(op.result());
  into.reads_memory = true;
  const std::string function =
      vectors_.has_type(type) ? vector_functions_.load(type)
      : vectors_.is_unit(op)  ? vector_functions_.unit()
      : vectors_.is_quarter(type)
          ? vector_functions_.widen(type.scalar, type.with(wide_of(type.scalar)))
          : vector_functions_.eight(type.scalar);
  return cat(function, "(", address(op.access(), into), ")");
}

// Conversions of bytes are done where these were read or will be stored.
bool BodyWriter::passes_on(const Op& op) {
  if (op.kind != OpKind::kNativeConvert) return false;
  const Type from = kernel_.type(op.operands[0]), type = kernel_.type(op.result());
  const bool narrows = is_byte(type.scalar);
  const bool widens = is_byte(from.scalar) && type.scalar != Scalar::kF32;
  if (!narrows && !widens) return false;
  Known made;
  made.vector = narrows ? vector_of(op.operands[0], made) : known(op.operands[0]).vector;
  if (!narrows) take_over(op.operands[0], made);
  if (narrows) made.held = from;
  if (narrows && vectors_.widens_again(op)) {
    const std::string name = fresh_name();
    line(cat("const ", vector_functions_.type(from), " ", name, " = ",
             vector_functions_.low(type.scalar, from), "(", made.vector, ");"));
    made.vector = name;
    made.reads_memory = false;
    made.variables.clear();
  }
  known(op.result()) = std::move(made);
  return true;
}

std::string BodyWriter::computed_text(const Op& op, Known& into) {
  if (op.kind == OpKind::kShuffle) {
    const std::string function = vector_functions_.spread_unit(kernel_.type(op.result()));
    take_over(op.operands[0], into);
    return cat(function, "(", known(op.operands[0]).vector, ")");
  }
  if (op.kind == OpKind::kMulAdd && known(op.operands[0]).same &&
      vector_unit(site_.target) != VectorUnit::kX86) {
    const std::string number = take_over(op.operands[0], into).text;
    const std::string with = vector_of(op.operands[1], into);
    return cat(vector_functions_.mul_add_by(kernel_.type(op.result())), "(", number, ", ", with,
               ", ", vector_of(op.operands[2], into), ")");
  }
  const bool shifts = op.kind == OpKind::kNativeShl || op.kind == OpKind::kNativeShr;
  std::vector<std::string> operands;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId id = op.operands[i];
    const bool plain = !(shifts && i == 1) && kernel_.type(id).scalar != Scalar::kPred;
    if (plain) operands.push_back(vector_of(id, into));
    if (!plain) operands.push_back(take_over(id, into).text);
    if (!plain && operands.back().empty()) operands.back() = known(id).vector;
  }
  const Type type = kernel_.type(op.result());
  Type from = shifts ? type : kernel_.type(op.operands.back());
  if (vectors_.is_quarter(from)) from.scalar = wide_of(from.scalar);
  return cat(vector_functions_.of(op, type, from), "(", join(operands, ", "), ")");
}

Status BodyWriter::write_vectors(const Op& op) {
  close_lanes();
  if (op.kind == OpKind::kStore) return write_vector_store(op);
  const Type type = kernel_.type(op.result());
  Known made;
  const auto vector = [&](size_t i) { return vector_of(op.operands[i], made); };
  if (op.kind == OpKind::kExtract) {
    const std::string function = vector_functions_.extract(kernel_.type(op.operands[0]));
    made.code = {
        cat(function, "(", vector(0), ", ", std::get<kernel::Lane>(op.payload).index, ")")};
    define(op, std::move(made));
    return {};
  }
  if (op.kind == OpKind::kDotAccumulate && type.is_vector()) {
    const std::string function = vector_functions_.dot_units(type, kernel_.type(op.operands[1]),
                                                             kernel_.type(op.operands[2]));
    made.vector = cat(function, "(", vector(0), ", ", vector(1), ", ", vector(2), ")");
    define_vector(op, std::move(made));
    return {};
  }
  if (op.kind == OpKind::kDotAccumulate) {
    // A statement of its own: what it reads is held no longer.
    const std::string function = vector_functions_.dot(kernel_.type(op.operands[1]));
    const std::string sum = take_over(op.operands[0], made).text;
    const std::string dot = cat(function, "(", sum, ", ", vector(1), ", ", vector(2), ")");
    if (uses_.count(op.result()) > 0) known(op.result()) = {.code = {keep(type, dot)}};
    return {};
  }
  if (passes_on(op)) return {};
  if (op.kind == OpKind::kMulShiftRight) {
    made.vector = scaled_text(op, made);
  } else if (op.kind == OpKind::kConvert || op.kind == OpKind::kRoundEven) {
    const std::string function = op.kind == OpKind::kConvert ? vector_functions_.saturate(type)
                                                             : vector_functions_.round(type);
    made.vector = cat(function, "(", vector(0), ")");
  } else if (op.kind == OpKind::kLoad) {
    made.vector = loaded_text(op, made);
  } else if (op.kind == OpKind::kInsert) {
    const std::string into = vector(0), number = take_over(op.operands[1], made).text;
    made.vector = cat(vector_functions_.insert(type), "(", into, ", ", number, ", ",
                      std::get<kernel::Lane>(op.payload).index, ")");
  } else {
    made.vector = computed_text(op, made);
  }
  define_vector(op, std::move(made));
  return {};
}

}  // namespace hlocc::backends
