// LiteralProto keeps the elements of each type in a field of its own: pred and 32- and 64-bit
// integers as packed varints, floats and complex numbers as packed fixed numbers, all others as raw
// little-endian bytes, sub-byte types one element a byte. Elements follow the layout of the
// literal's own shape.
#include "import/proto/literal.h"

#include <bit>
#include <iterator>

#include "hlo/sub_byte.h"
#include "import/limits.h"
#include "import/proto/shape.h"
#include "import/proto/unfolding.h"
#include "import/relayout.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

static_assert(std::endian::native == std::endian::little,
              "raw bytes of literals are taken as they are");

constexpr uint32_t kShapeField = 1, kTupleField = 10, kDynamicSizesField = 34;

enum class Encoding { kRaw, kVarint };
struct Row {
  PrimitiveType type;
  uint32_t field;
  Encoding encoding;
};
using enum PrimitiveType;
using enum Encoding;
constexpr Row rows[] = {
    {kPred, 2, kVarint},     {kS32, 4, kVarint},
    {kS64, 5, kVarint},      {kU32, 6, kVarint},
    {kU64, 7, kVarint},      {kU8, 3, kRaw},
    {kF32, 8, kRaw},         {kF64, 9, kRaw},
    {kF16, 11, kRaw},        {kC64, 12, kRaw},
    {kBF16, 13, kRaw},       {kS8, 15, kRaw},
    {kU16, 16, kRaw},        {kS16, 17, kRaw},
    {kC128, 18, kRaw},       {kF8E5M2, 19, kRaw},
    {kF8E4M3FN, 20, kRaw},   {kS4, 21, kRaw},
    {kU4, 22, kRaw},         {kF8E4M3B11FNUZ, 23, kRaw},
    {kF8E5M2FNUZ, 24, kRaw}, {kF8E4M3FNUZ, 25, kRaw},
    {kS2, 26, kRaw},         {kU2, 27, kRaw},
    {kF8E4M3, 28, kRaw},     {kF8E3M4, 29, kRaw},
    {kS1, 30, kRaw},         {kU1, 31, kRaw},
    {kF4E2M1FN, 32, kRaw},   {kF8E8M0FNU, 33, kRaw},
};
const Row& row_of(PrimitiveType type) {
  for (const Row& row : rows)
    if (row.type == type) return row;
  HLOCC_CHECK(false, "no literal field for " + std::string(hlo::type_name(type)));
}

Diagnostic malformed(std::string_view what) {
  return error(DiagnosticKind::kFormat, cat(what, " is malformed or truncated"));
}

// --- reading ---
Result<Shape> find_shape(Bytes bytes, std::string_view what) {
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    if (field.number != kShapeField || field.type != WireType::kLength) continue;
    if (static_cast<int64_t>(field.payload.size()) > kMaxInstructionBytes)
      return error(DiagnosticKind::kLimit,
                   cat(what, " has a shape of ", field.payload.size(), " bytes"));
    HLOCC_TRY(charge_unfolding(field.payload, [&] { return cat("the shape of ", what); }));
    proto::ShapeProto shape;
    if (!shape.ParseFromArray(field.payload.data(), static_cast<int>(field.payload.size())))
      return malformed(what);
    return read_shape(shape, what);
  }
  if (reader.failed()) return malformed(what);
  return error(DiagnosticKind::kShape, cat(what, " has no shape"));
}

// The bytes that hold the elements; for varints a lower bound of their number. Known before
// anything is allocated.
Result<uint64_t> payload_size(Bytes bytes, uint32_t number, std::string_view what) {
  uint64_t size = 0;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);)
    if (field.number == number) size += field.type == WireType::kVarint ? 1 : field.payload.size();
  if (reader.failed()) return malformed(what);
  return size;
}

void store(std::vector<std::byte>& out, size_t& at, uint64_t value, size_t width) {
  if (at + width <= out.size()) std::memcpy(out.data() + at, &value, width);
  at += width;
}

Result<std::vector<std::byte>> read_elements(Bytes bytes, const Shape& shape,
                                             std::string_view what) {
  const Row& row = row_of(shape.element_type);
  const size_t width = static_cast<size_t>(hlo::storage_bytes(shape.element_type));
  const uint64_t wanted = static_cast<uint64_t>(shape.byte_size());
  HLOCC_TRY_ASSIGN(const uint64_t present, payload_size(bytes, row.field, what));
  const bool fits = row.encoding == kRaw ? present == wanted : present >= wanted / width;
  size_t at = 0;
  std::vector<std::byte> out(fits ? wanted : 0);
  WireReader reader(bytes);
  for (WireField field; fits && reader.next(field);) {
    if (field.number != row.field) continue;
    if (field.type == WireType::kVarint) {
      if (row.encoding == kRaw) return malformed(what);
      store(out, at, field.value, width);
    } else if (row.encoding == kRaw) {
      if (!field.payload.empty())
        std::memcpy(out.data() + at, field.payload.data(), field.payload.size());
      at += field.payload.size();
    } else {
      for (uint64_t value; !field.payload.empty(); store(out, at, value, width))
        if (!read_varint(field.payload, value)) return malformed(what);
    }
  }
  if (fits && at == wanted) return out;
  return error(DiagnosticKind::kFormat, cat(what, " does not have the ", shape.element_count(),
                                            " elements of its shape ", hlo::to_string(shape)));
}

// Predicates become 0 or 1; sub-byte elements keep their low bits, sign-extended for signed types.
void canonicalize(std::vector<std::byte>& elements, PrimitiveType type) {
  if (!hlo::is_pred(type)) return hlo::settle_sub_bytes(elements, type);
  for (std::byte& b : elements) b = std::byte{b != std::byte{0}};
}

Result<std::vector<int32_t>> read_dynamic_sizes(Bytes bytes, std::string_view what) {
  std::vector<int32_t> sizes;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    if (field.number != kDynamicSizesField) continue;
    if (field.type == WireType::kVarint) sizes.push_back(static_cast<int32_t>(field.value));
    for (uint64_t value; !field.payload.empty(); sizes.push_back(static_cast<int32_t>(value)))
      if (!read_varint(field.payload, value)) return malformed(what);
  }
  return sizes;
}

Result<Literal> read_array(Bytes bytes, const Shape& shape, std::string_view what) {
  for (int64_t size : shape.dimensions)
    if (size == hlo::kUnboundedSize)
      return error(DiagnosticKind::kShape, cat(what, " has an unbounded dimension"));
  HLOCC_TRY_ASSIGN(std::vector<std::byte> elements, read_elements(bytes, shape, what));
  canonicalize(elements, shape.element_type);
  if (!hlo::is_row_major(shape))
    elements = to_row_major(elements, shape.dimensions, shape.layout.minor_to_major,
                            hlo::storage_bytes(shape.element_type));
  HLOCC_TRY_ASSIGN(std::vector<int32_t> sizes, read_dynamic_sizes(bytes, what));
  bool sound = sizes.empty() || sizes.size() == shape.dimensions.size();
  for (size_t i = 0; sound && i < sizes.size(); ++i)
    sound = sizes[i] >= 0 && sizes[i] <= shape.dimensions[i];
  if (!sound)
    return error(DiagnosticKind::kShape,
                 cat(what, " has dynamic sizes outside of ", hlo::to_string(shape)));
  Literal literal = Literal::from_bytes(shape, std::move(elements));
  if (!shape.dynamic.empty()) literal.dynamic_sizes = std::move(sizes);
  return literal;
}

Result<Literal> read(Bytes bytes, std::string_view what, int depth);

Result<Literal> read_tuple(Bytes bytes, const Shape& shape, std::string_view what, int depth) {
  std::vector<Literal> elements;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    if (field.number != kTupleField || field.type != WireType::kLength) continue;
    if (elements.size() == shape.tuple.size()) break;
    if (shape.tuple[elements.size()].is_token()) {
      elements.push_back(Literal::token());
      continue;
    }
    HLOCC_TRY_ASSIGN(Literal element, read(field.payload, what, depth + 1));
    elements.push_back(std::move(element));
  }
  if (reader.failed()) return malformed(what);
  Literal tuple = Literal::make_tuple(std::move(elements));
  if (hlo::same_dimensions_and_type(tuple.shape(), shape)) return tuple;
  return error(DiagnosticKind::kShape,
               cat(what, " has elements of other shapes than its own ", hlo::to_string(shape)));
}

Result<Literal> read(Bytes bytes, std::string_view what, int depth) {
  if (depth > kMaxNesting)
    return error(DiagnosticKind::kLimit, cat(what, " nests tuples deeper than ", kMaxNesting));
  HLOCC_TRY_ASSIGN(const Shape shape, find_shape(bytes, what));
  if (shape.is_tuple()) return read_tuple(bytes, shape, what, depth);
  if (shape.is_array()) return read_array(bytes, shape, what);
  if (shape.is_token()) return Literal::token();
  return error(DiagnosticKind::kType,
               cat(what, " is opaque; such values cannot be read from a file"));
}

// --- writing ---
std::vector<std::byte> varints(const Literal& literal) {
  WireWriter out;
  for (int64_t i = 0, count = literal.element_count(); i < count; ++i)
    out.varint(static_cast<uint64_t>(hlo::integer_at(literal, i)));
  return std::move(out).take();
}

// The elements as raw bytes in the order of the layout.
std::vector<std::byte> raw_elements(const Literal& literal) {
  const Shape& shape = literal.shape();
  std::vector<std::byte> out(literal.bytes().begin(), literal.bytes().end());
  if (!hlo::is_row_major(shape))
    out = from_row_major(out, shape.dimensions, shape.layout.minor_to_major,
                         hlo::storage_bytes(literal.type()));
  // XLA zero-extends what we sign-extend.
  if (const int bits = hlo::type_bits(literal.type()); bits < 8)
    for (std::byte& b : out) b &= static_cast<std::byte>((1 << bits) - 1);
  return out;
}

void write_array(const Literal& literal, WireWriter& out) {
  const Row& row = row_of(literal.type());
  if (row.encoding == kVarint)
    out.length_field(row.field,
                     varints(Literal::from_bytes(literal.shape(), raw_elements(literal))));
  else
    out.length_field(row.field, raw_elements(literal));
  if (literal.dynamic_sizes.empty()) return;
  WireWriter sizes;
  for (int32_t size : literal.dynamic_sizes) sizes.varint(static_cast<uint64_t>(size));
  out.length_field(kDynamicSizesField, sizes.bytes());
}

}  // namespace

Result<Literal> read_literal_proto(Bytes bytes, std::string_view what) {
  return read(bytes, what, 0);
}

std::vector<std::byte> write_literal_proto(const Literal& literal) {
  proto::ShapeProto shape;
  write_shape(literal.shape(), shape);
  WireWriter out;
  out.length_field(kShapeField, as_bytes(shape.SerializeAsString()));
  for (const Literal& element : literal.elements())
    out.length_field(kTupleField, write_literal_proto(element));
  if (literal.shape().is_array()) write_array(literal, out);
  return std::move(out).take();
}

}  // namespace hlocc::import
