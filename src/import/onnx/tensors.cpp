// See tensors.h. A tensor has its elements as raw bytes, or in the list of its type, where narrow
// types stand in words of 32 bits.
#include "import/onnx/tensors.h"

#include <charconv>

#include "import/build/numbers.h"
#include "import/check_shape.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

std::string who(const TensorData& tensor) {
  return tensor.name.empty() ? tensor.path : cat("tensor \"", tensor.name, "\"");
}

Diagnostic wrong_count(const TensorData& tensor, const char* what, size_t has, const Shape& shape) {
  return error(DiagnosticKind::kFormat, cat(tensor.path, " (", who(tensor), ") has ", has, " ",
                                            what, " for its shape ", shape));
}

Result<Literal> from_raw(const TensorData& tensor, const Shape& shape, Bytes raw) {
  const auto count = static_cast<size_t>(shape.element_count());
  const auto width = static_cast<size_t>(hlo::storage_bytes(shape.element_type));
  const bool is_packed = hlo::type_bits(shape.element_type) == 4;
  if (raw.size() != (is_packed ? (count + 1) / 2 : count * width))
    return wrong_count(tensor, "bytes", raw.size(), shape);
  if (is_packed)
    return Literal::from_bytes(shape,
                               unpacked_nibbles(raw, count, hlo::is_signed(shape.element_type)));
  std::vector<std::byte> bytes(raw.begin(), raw.end());
  if (hlo::is_pred(shape.element_type))
    for (std::byte& b : bytes) b = std::byte{b != std::byte{0}};
  return Literal::from_bytes(shape, std::move(bytes));
}

template <typename T>
Result<Literal> from_list(const TensorData& tensor, const Shape& shape,
                          const std::vector<T>& list) {
  Literal out = Literal::zeros(shape);
  if (list.size() * sizeof(T) != out.bytes().size())
    return wrong_count(tensor, "elements", list.size(), shape);
  if (!list.empty()) std::memcpy(out.mutable_bytes().data(), list.data(), out.bytes().size());
  return out;
}

// Integers, and the bits of narrow floats.
Result<Literal> from_words(const TensorData& tensor, const Shape& shape, const Integers& list) {
  const auto count = static_cast<size_t>(shape.element_count());
  const PrimitiveType type = shape.element_type;
  if (hlo::type_bits(type) == 4) {
    std::vector<std::byte> packed;
    for (const int64_t word : list) packed.push_back(static_cast<std::byte>(word));
    return from_raw(tensor, shape, packed);
  }
  if (list.size() != count) return wrong_count(tensor, "elements", list.size(), shape);
  Integers values = list;
  if (hlo::is_pred(type))
    for (int64_t& value : values) value = value != 0;
  return literal_of(type, values, shape.dimensions);
}

Result<int64_t> number_of(const TensorData& tensor, const char* key, int64_t missing) {
  const auto found = tensor.external.find(key);
  if (found == tensor.external.end()) return missing;
  int64_t value = 0;
  const std::string& text = found->second;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < 0)
    return error(DiagnosticKind::kFormat,
                 cat(tensor.path, ".external_data: ", key, " is \"", text, "\""));
  return value;
}

Result<Literal> from_file(const TensorData& tensor, const Shape& shape, ExternalData& external) {
  const auto location = tensor.external.find("location");
  if (location == tensor.external.end())
    return error(DiagnosticKind::kFormat, cat(tensor.path, ".external_data names no location"));
  HLOCC_TRY_ASSIGN(const int64_t offset, number_of(tensor, "offset", 0));
  HLOCC_TRY_ASSIGN(const int64_t length, number_of(tensor, "length", -1));
  Result<std::vector<std::byte>> bytes = external.read(location->second, offset, length);
  if (!bytes) {
    bytes.error().message =
        cat("the data of ", who(tensor), " (", tensor.path, "): ", bytes.error().message);
    return std::move(bytes).error();
  }
  return from_raw(tensor, shape, *bytes);
}

}  // namespace

Result<Literal> literal_of_tensor(const TensorData& tensor, ExternalData& external) {
  const std::optional<PrimitiveType> type = element_type(tensor.type);
  if (!type)
    return error(DiagnosticKind::kType,
                 cat(tensor.path, ".data_type: ", who(tensor), " has elements of ",
                     tensor_type_name(tensor.type), ", which HLO lacks"));
  Shape shape = Shape::array(*type, tensor.dims);
  HLOCC_TRY(check_and_normalize(shape, cat(tensor.path, ".dims: ", who(tensor))));
  HLOCC_TRY(charge_memory(shape.byte_size(), [&] { return who(tensor); }));
  HLOCC_TRY(charge_work(shape.byte_size() / 8, [&] { return who(tensor); }));
  if (tensor.is_external) return from_file(tensor, shape, external);
  if (tensor.raw) return from_raw(tensor, shape, *tensor.raw);
  switch (*type) {
    case PrimitiveType::kF32:
    case PrimitiveType::kC64: return from_list(tensor, shape, tensor.floats);
    case PrimitiveType::kF64:
    case PrimitiveType::kC128: return from_list(tensor, shape, tensor.doubles);
    case PrimitiveType::kS64: return from_list(tensor, shape, tensor.longs);
    case PrimitiveType::kU64: return from_list(tensor, shape, tensor.unsigned_longs);
    case PrimitiveType::kU32: return from_words(tensor, shape, tensor.unsigned_longs);
    default: return from_words(tensor, shape, tensor.words);
  }
}

Result<Literal> literal_of_sparse(const SparseData& sparse, ExternalData& external) {
  HLOCC_TRY_ASSIGN(const Literal values, literal_of_tensor(sparse.values, external));
  HLOCC_TRY_ASSIGN(const Literal indices, literal_of_tensor(sparse.indices, external));
  const auto wrong = [&](const std::string& what) {
    return error(DiagnosticKind::kFormat, cat(sparse.indices.path, " ", what));
  };
  Shape shape = Shape::array(values.type(), sparse.dims);
  HLOCC_TRY(check_and_normalize(shape, sparse.values.path));
  HLOCC_TRY(charge_memory(shape.byte_size(), [&] { return sparse.values.path; }));
  const auto rank = static_cast<int64_t>(sparse.dims.size());
  const int64_t count = values.element_count();
  const bool is_flat = indices.shape().dimensions == Integers{count};
  if (indices.type() != PrimitiveType::kS64 ||
      (!is_flat && indices.shape().dimensions != Integers{count, rank}))
    return wrong(cat("has the shape ", indices.shape(), " for ", count, " values"));
  Literal out = Literal::zeros(shape);
  const auto width = static_cast<size_t>(hlo::storage_bytes(values.type()));
  const auto places = indices.data<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = is_flat ? places[i] : 0;
    for (int64_t d = 0; d < rank && !is_flat; ++d) {
      const int64_t index = places[i * rank + d];
      if (index < 0 || index >= sparse.dims[d]) return wrong("leads beyond the shape");
      at = at * sparse.dims[d] + index;
    }
    if (at < 0 || at >= shape.element_count()) return wrong("leads beyond the shape");
    std::memcpy(out.mutable_bytes().data() + at * width, values.bytes().data() + i * width, width);
  }
  return out;
}

}  // namespace hlocc::import::onnx
