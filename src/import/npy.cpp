// A .npy file: "\x93NUMPY", version, length of the header, the header as a Python dictionary padded
// to 64 bytes, the elements.
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
#include "import/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "import/proto/wire.h"
#include "import/relayout.h"
#include "support/product.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Dimensions;
using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

constexpr std::string_view kMagic = "\x93NUMPY";

// The letter and size after the byte order: f4, i1, c8, b1.
std::string type_code(PrimitiveType type) {
  const int bytes = hlo::storage_bytes(type);
  if (hlo::is_pred(type)) return "b1";
  if (hlo::is_complex(type)) return cat("c", bytes);
  if (hlo::is_signed(type)) return cat("i", bytes);
  const bool known_float =
      type == PrimitiveType::kF16 || type == PrimitiveType::kF32 || type == PrimitiveType::kF64;
  return cat(known_float ? "f" : "u", bytes);
}

struct Header {
  // Byte order first: '<', '>', '|' or '='.
  std::string descr;
  bool fortran_order = false;
  Dimensions dimensions;
};

Diagnostic no_npy_file(std::string_view why) {
  return error(DiagnosticKind::kFormat, cat("is no .npy file: ", why));
}

// The header is a dictionary of three items in any order, written as Python does:
//   {'descr': TEXT, 'fortran_order': True or False, 'shape': (NUMBER, ...)}
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Result<Header> read() {
    if (!take('{')) return no_npy_file("its header is no dictionary");
    while (!take('}')) {
      HLOCC_TRY(read_item());
      if (!take(',') && next() != '}') return no_npy_file("its header is malformed");
    }
    if (next() != 0 || !rest_.empty()) return no_npy_file("its header goes on behind its end");
    for (const char* key : {"descr", "fortran_order", "shape"})
      if (!seen_.contains(key)) return no_npy_file(cat("its ", key, " is missing"));
    return std::move(out_);
  }

 private:
  Status read_item() {
    const std::optional<std::string> key = text();
    if (!key || !take(':')) return no_npy_file("its header is malformed");
    if (!seen_.insert(*key).second) return no_npy_file(cat("its ", *key, " stands there twice"));
    if (*key == "descr") return read_descr();
    if (*key == "fortran_order") return read_order();
    if (*key == "shape") return read_shape();
    return no_npy_file("its header has an item that there is not");
  }

  Status read_descr() {
    const std::optional<std::string> descr = text();
    if (!descr) return no_npy_file("its descr is missing or describes records");
    // One byte has no order, several have one; opaque ones are written either way.
    const bool is_single = descr->ends_with('1') && descr->size() == 3;
    const char order = descr->empty() ? ' ' : (*descr)[0];
    const bool is_known = order == '<' || order == '>' || order == '=' ||
                          (order == '|' && (is_single || descr->starts_with("|V")));
    if (!is_known || descr->size() < 3) return no_npy_file("its descr is malformed");
    out_.descr = *descr;
    return {};
  }

  Status read_order() {
    for (const std::string_view word : {"True", "False"}) {
      next();
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      out_.fortran_order = word == "True";
      return {};
    }
    return no_npy_file("its fortran_order is malformed");
  }

  // (), (3,), (3, 4), (3, 4,)
  Status read_shape() {
    if (!take('(')) return no_npy_file("its shape is malformed");
    bool has_comma = true;
    while (!take(')')) {
      next();
      int64_t size = -1;
      const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (!has_comma || failure != std::errc() || size < 0)
        return no_npy_file("its shape is malformed");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      out_.dimensions.push_back(size);
      has_comma = take(',');
    }
    // A number in parentheses is no tuple.
    if (out_.dimensions.size() == 1 && !has_comma) return no_npy_file("its shape is malformed");
    return {};
  }

  // What stands between quotes of either kind; escapes are not used.
  std::optional<std::string> text() {
    const char quote = next();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string out(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return out;
  }

  // The next character that is no blank; 0 at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool take(char c) {
    if (next() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  Header out_;
  std::set<std::string> seen_;
};

// Splits the file into dictionary and elements.
Result<std::string_view> take_dictionary(Bytes& bytes) {
  const std::string_view text = as_text(bytes);
  if (!text.starts_with(kMagic) || text.size() < 12)
    return no_npy_file("it does not begin with \\x93NUMPY");
  const auto byte = [&](size_t i) { return std::to_integer<size_t>(bytes[i]); };
  if (byte(6) < 1 || byte(6) > 3) return no_npy_file("its version is not known");
  const bool long_form = byte(6) >= 2;
  const size_t begin = long_form ? 12 : 10;
  const size_t length = byte(8) | byte(9) << 8 | (long_form ? byte(10) << 16 | byte(11) << 24 : 0);
  if (text.size() < begin + length) return no_npy_file("its header is cut off");
  bytes = bytes.subspan(begin + length);
  return text.substr(begin, length);
}

void swap_bytes(std::vector<std::byte>& elements, PrimitiveType type) {
  const size_t width = static_cast<size_t>(hlo::storage_bytes(hlo::real_type(type)));
  for (size_t at = 0; at + width <= elements.size(); at += width)
    std::reverse(elements.begin() + static_cast<int64_t>(at),
                 elements.begin() + static_cast<int64_t>(at + width));
}

Status check_type(const Header& header, PrimitiveType type) {
  const std::string code = type_code(type);
  const std::string given = header.descr.substr(header.descr.empty() ? 0 : 1);
  // ml_dtypes saves bf16 and the small floats as opaque bytes.
  if (given == code || given == cat("V", hlo::storage_bytes(type))) return {};
  // Raw integers may have either sign; NumPy's bool may stand in as u1.
  const bool raw = code == cat("u", hlo::storage_bytes(type)) && hlo::is_float(type);
  if (raw && given == cat("i", hlo::storage_bytes(type))) return {};
  if (hlo::is_pred(type) && (given == "u1" || given == "i1")) return {};
  return error(DiagnosticKind::kArgument,
               cat("the array has the type '", header.descr, "'; an argument of type ",
                   hlo::type_name(type), " needs '", code, "'"));
}

Status check_sizes(const Header& header, const Shape& shape) {
  bool fits = header.dimensions.size() == shape.dimensions.size();
  for (int i = 0; fits && i < shape.rank(); ++i)
    fits = shape.is_dynamic(i) ? header.dimensions[i] <= shape.dimensions[i]
                               : header.dimensions[i] == shape.dimensions[i];
  if (fits) return {};
  return error(DiagnosticKind::kArgument,
               cat("the array has the sizes (", join(header.dimensions, ","), "); the argument is ",
                   to_string(shape, false)));
}

// Bits beyond the width of a sub-byte element are the file's mistake, but must not reach a literal.
void keep_low_bits(std::vector<std::byte>& elements, PrimitiveType type) {
  const int bits = hlo::type_bits(type);
  for (std::byte& b : elements) {
    if (hlo::is_pred(type)) {
      b = std::byte{b != std::byte{0}};
    } else if (bits < 8) {
      const auto high = static_cast<uint8_t>(std::to_integer<unsigned>(b) << (8 - bits));
      b = hlo::is_signed(type) ? static_cast<std::byte>(static_cast<int8_t>(high) >> (8 - bits))
                               : static_cast<std::byte>(high >> (8 - bits));
    }
  }
}

}  // namespace

Result<Literal> read_npy(std::span<const std::byte> bytes, const Shape& shape) {
  if (!shape.is_array())
    return error(DiagnosticKind::kArgument,
                 cat("an array cannot be a value of shape ", to_string(shape)));
  HLOCC_TRY_ASSIGN(const std::string_view dictionary, take_dictionary(bytes));
  HLOCC_TRY_ASSIGN(const Header header, HeaderReader(dictionary).read());
  HLOCC_TRY(check_type(header, shape.element_type));
  HLOCC_TRY(check_sizes(header, shape));
  const int width = hlo::storage_bytes(shape.element_type);
  if (static_cast<int64_t>(bytes.size()) < product(header.dimensions) * width)
    return no_npy_file("its elements are cut off");
  std::vector<std::byte> elements(bytes.begin(),
                                  bytes.begin() + product(header.dimensions) * width);
  if (header.descr[0] == '>') swap_bytes(elements, shape.element_type);
  if (hlo::type_bits(shape.element_type) < 8) keep_low_bits(elements, shape.element_type);
  if (header.fortran_order) {
    Dimensions first_is_minor(header.dimensions.size());
    for (size_t i = 0; i < first_is_minor.size(); ++i) first_is_minor[i] = static_cast<int64_t>(i);
    elements = to_row_major(elements, header.dimensions, first_is_minor, width);
  }
  if (header.dimensions == shape.dimensions) return Literal::from_bytes(shape, std::move(elements));
  Literal literal =
      Literal::from_bytes(shape, embed(elements, header.dimensions, shape.dimensions, width));
  literal.dynamic_sizes.assign(header.dimensions.begin(), header.dimensions.end());
  return literal;
}

std::vector<std::byte> write_npy(const Literal& literal) {
  const PrimitiveType type = literal.type();
  const int width = hlo::storage_bytes(type);
  Dimensions sizes = literal.shape().dimensions;
  std::vector<std::byte> elements(literal.bytes().begin(), literal.bytes().end());
  if (!literal.dynamic_sizes.empty()) {
    sizes.assign(literal.dynamic_sizes.begin(), literal.dynamic_sizes.end());
    elements = extract(elements, sizes, literal.shape().dimensions, width);
  }
  // A tuple of one needs its comma.
  std::string header = cat("{'descr': '", width == 1 ? "|" : "<", type_code(type),
                           "', 'fortran_order': False, 'shape': (", join(sizes, ", "),
                           sizes.size() == 1 ? ",), }" : "), }");
  constexpr size_t kPreamble = 10, kAlignment = 64;
  header.append(kAlignment - 1 - (kPreamble + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string out =
      cat(kMagic, std::string_view("\x01\x00", 2), static_cast<char>(header.size() & 0xff),
          static_cast<char>(header.size() >> 8), header);
  out.append(as_text(elements));
  const Bytes all = as_bytes(out);
  return {all.begin(), all.end()};
}

}  // namespace hlocc::import
