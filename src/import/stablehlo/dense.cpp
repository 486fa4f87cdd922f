// See dense.h. Hexadecimal blobs are the elements row by row, little end first, a byte each where
// they are narrower; truth values are bytes or bits.
#include "import/stablehlo/dense.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "hlo/sub_byte.h"
#include "ops/text/literal_text.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

// What JAX and MLIR print instead of numbers that were left out.
constexpr std::string_view kElided = "__elided__";

Diagnostic left_out(Source& source) {
  return source.cursor
      .fail(DiagnosticKind::kElidedConstant,
            "the constant is left out (__elided__): its value is "
            "not in the file")
      .note("print the program without a limit: in JAX jax.jit(f).lower(...).as_text()")
      .note("`hlocc inspect` answers without values");
}

Result<Literal> elided_constant(Source& source, const Shape& shape) {
  HLOCC_TRY_ASSIGN(std::optional<Literal> numbers, stand_in(shape, source.elided));
  if (!numbers) return left_out(source);
  return *std::move(numbers);
}

int hex_digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The digits of "0x..." at the cursor, which stands behind them afterwards.
Result<std::string_view> blob_digits(Source& source) {
  HLOCC_TRY(source.cursor.expect("\"0x"));
  const size_t begin = source.cursor.position();
  const size_t end = std::min(source.text.find('"', begin), source.text.size());
  source.cursor.rewind(end);
  HLOCC_TRY(source.cursor.expect("\""));
  return source.text.substr(begin, end - begin);
}

Status decode(Source& source, std::string_view digits, std::byte* out) {
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = hex_digit_of(digits[i]), low = hex_digit_of(digits[i + 1]);
    if (high < 0 || low < 0) return source.cursor.expected("hexadecimal digits");
    out[i / 2] = static_cast<std::byte>(high * 16 + low);
  }
  return {};
}

Status blob(Source& source, std::string_view digits, Literal& out) {
  const std::span<std::byte> bytes = out.mutable_bytes();
  const auto count = static_cast<size_t>(out.element_count());
  const size_t given = digits.size() / 2, width = hlo::storage_bytes(out.type());
  const bool bits = hlo::is_pred(out.type()) && given == (count + 7) / 8 && given != count;
  if (digits.size() % 2 != 0 || (given != bytes.size() && !bits && given != width))
    return source.cursor.fail(DiagnosticKind::kSyntax,
                              cat("the blob has ", given, " bytes, and its type ", bytes.size()));
  std::vector<std::byte> raw(given);
  HLOCC_TRY(decode(source, digits, raw.data()));
  if (bits) {
    for (size_t i = 0; i < count; ++i)
      bytes[i] = raw[i / 8] >> static_cast<int>(i % 8) & std::byte{1};
  } else {
    for (size_t at = 0; at + given <= bytes.size() && given > 0; at += given)
      std::memcpy(bytes.data() + at, raw.data(), given);
  }
  hlo::settle_sub_bytes(bytes, out.type());
  return {};
}

// [[1, 2], [3, 4]]: brackets as the sizes have them.
class ListParser {
 public:
  ListParser(Source& source, Literal& out)
      : source_(source), cursor_(source.cursor), out_(out), counts_(out.shape().rank(), 0) {}

  Status parse() {
    const Shape& shape = out_.shape();
    const auto rank = static_cast<size_t>(shape.rank());
    HLOCC_TRY(cursor_.expect("["));
    size_t open = 1;
    int64_t index = 0;
    if (rank == 0) return other_shape();
    while (open > 0) {
      if (cursor_.accept("]")) {
        if (counts_[open - 1] != shape.dimensions[open - 1]) return other_shape();
        --open;
      } else if (cursor_.accept(",")) {
        continue;
      } else {
        if (counts_[open - 1]++ >= shape.dimensions[open - 1]) return other_shape();
        if (open < rank) {
          if (!cursor_.accept("[")) return other_shape();
          counts_[open++] = 0;
        } else {
          HLOCC_TRY(element(index++));
        }
      }
    }
    return {};
  }

  Status element(int64_t index) {
    std::byte* const at = out_.mutable_bytes().data() + index * hlo::storage_bytes(out_.type());
    if (!hlo::is_complex(out_.type())) return number(out_.type(), at);
    const PrimitiveType part = hlo::real_type(out_.type());
    HLOCC_TRY(cursor_.expect("("));
    HLOCC_TRY(number(part, at));
    HLOCC_TRY(cursor_.expect(","));
    HLOCC_TRY(number(part, at + hlo::storage_bytes(part)));
    return cursor_.expect(")");
  }

 private:
  Status number(PrimitiveType type, std::byte* at) {
    return parse_element(source_, cursor_.until(",()[]> \t\r\n"), type, at);
  }
  Diagnostic other_shape() {
    return cursor_.fail(DiagnosticKind::kSyntax,
                        cat("the list is not one of ", to_string(out_.shape(), false)));
  }

  Source& source_;
  TextCursor& cursor_;
  Literal& out_;
  hlo::Dimensions counts_;
};

Status repeat(Literal& out, const Literal& one) {
  const std::span<std::byte> bytes = out.mutable_bytes();
  const size_t width = one.bytes().size();
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    std::memcpy(bytes.data() + at, one.bytes().data(), width);
  return {};
}

// Behind "dense<".
Status dense_elements(Source& source, Literal& out) {
  TextCursor& cursor = source.cursor;
  if (cursor.peek() == '"') {
    HLOCC_TRY_ASSIGN(const std::string_view digits, blob_digits(source));
    return blob(source, digits, out);
  }
  if (cursor.peek() == '[') return ListParser(source, out).parse();
  if (cursor.peek() == '>')
    return out.element_count() == 0
               ? Status()
               : cursor.fail(DiagnosticKind::kSyntax, "the constant has elements, and no values");
  Literal one = Literal::zeros(Shape::scalar(out.type()));
  HLOCC_TRY(ListParser(source, one).element(0));
  return repeat(out, one);
}

// A blob of the section of resources, which begins with four bytes of its alignment.
Result<Literal> resource(Source& source, const Shape& shape) {
  TextCursor& cursor = source.cursor;
  const size_t begin = cursor.position();
  std::string name;
  if (cursor.peek() == '"') {
    HLOCC_TRY_ASSIGN(name, parse_string(source));
  } else {
    name = std::string(cursor.until(">"));
  }
  HLOCC_TRY(cursor.expect(">"));
  const size_t end = cursor.position();
  const auto found = source.resources.find(name);
  cursor.rewind(begin);
  if (name == kElided) {
    HLOCC_TRY_ASSIGN(Literal stands, elided_constant(source, shape));
    cursor.rewind(end);
    return stands;
  }
  if (found == source.resources.end())
    return cursor.fail(DiagnosticKind::kStructure, cat("the file has no resource called ", name));
  cursor.rewind(found->second);
  HLOCC_TRY_ASSIGN(const std::string_view digits, blob_digits(source));
  if (digits.size() < 8) return cursor.fail(DiagnosticKind::kSyntax, "the resource is too short");
  Literal out = Literal::zeros(shape);
  HLOCC_TRY(blob(source, digits.substr(8), out));
  cursor.rewind(end);
  return out;
}

}  // namespace

Status parse_element(Source& source, std::string_view text, PrimitiveType type, std::byte* out) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    uint64_t bits = 0;
    const auto [end, failure] =
        std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    const int width = hlo::type_bits(type);
    if (failure == std::errc() && end == text.data() + text.size() &&
        (width == 64 || bits >> width == 0)) {
      const auto bytes = static_cast<size_t>(hlo::storage_bytes(type));
      std::memcpy(out, &bits, bytes);
      hlo::settle_sub_bytes({out, bytes}, type);
      return {};
    }
  } else if (hlocc::ops::parse_number(text, type, out)) {
    return {};
  }
  source.cursor.rewind(source.cursor.position() - text.size());
  return source.cursor.expected(cat("a number of type ", hlo::type_name(type)));
}

Result<Literal> parse_dense(Source& source, const Shape& shape) {
  TextCursor& cursor = source.cursor;
  if (!shape.is_array()) return cursor.expected("the value of an array");
  HLOCC_TRY(charge_memory(2 * shape.byte_size(), [] { return std::string_view("a constant"); }));
  const std::string_view word = cursor.word();
  if (word != "dense" && word != "dense_resource")
    return cursor.expected("dense<...> or dense_resource<...>");
  HLOCC_TRY(cursor.expect("<"));
  if (word == "dense_resource") return resource(source, shape);
  if (cursor.accept(kElided)) {
    HLOCC_TRY_ASSIGN(Literal stands, elided_constant(source, shape));
    HLOCC_TRY(cursor.expect(">"));
    return stands;
  }
  Literal out = Literal::zeros(shape);
  HLOCC_TRY(dense_elements(source, out));
  HLOCC_TRY(cursor.expect(">"));
  return out;
}

Result<std::optional<Literal>> parse_splat(Source& source, const Shape& shape) {
  TextCursor& cursor = source.cursor;
  const size_t begin = cursor.position();
  const Shape scalar = Shape::scalar(shape.element_type);
  std::optional<Literal> out;
  const bool is_dense = shape.is_array() && cursor.accept_word("dense") && cursor.accept("<");
  const bool is_list = cursor.peek() == '[' || cursor.peek() == '>' || cursor.peek() == '_';
  if (is_dense && !is_list) {
    const size_t most = 4 + 2 * static_cast<size_t>(hlo::storage_bytes(shape.element_type));
    const size_t inside = cursor.position();
    const bool is_long =
        cursor.peek() == '"' && source.text.find('"', inside + 1) - inside != most - 1;
    cursor.rewind(begin);
    if (!is_long) {
      HLOCC_TRY_ASSIGN(out, parse_dense(source, scalar));
    }
  }
  cursor.rewind(begin);
  return out;
}

}  // namespace hlocc::import::stablehlo
