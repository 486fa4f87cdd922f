// Numbers in nested braces, one level a dimension. The walk counts the open braces itself instead
// of recursing, and every count is held against the shape.
#include "import/text_literal.h"

#include "import/limits.h"
#include "import/text_shape.h"
#include "ops/literal_text.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

Diagnostic elided(TextCursor& cursor) {
  return cursor
      .fail(DiagnosticKind::kElidedConstant,
            "the constant is elided ({...}): its value is not in the file")
      .note(
          "print the module with all constants: in JAX as_hlo_text(print_large_constants=True), in "
          "XLA "
          "--xla_dump_hlo_as_long_text or HloPrintOptions::set_print_large_constants(true); or "
          "save the proto instead");
}

// One number of a real type. nan(0x…) is the only form with parentheses.
Status parse_part(TextCursor& cursor, PrimitiveType type, std::byte* element) {
  cursor.skip_space();
  const size_t begin = cursor.position();
  std::string text(cursor.until(" \t\r\n,(){}/"));
  if (text.ends_with("nan") && cursor.accept("(")) {
    text += cat("(", cursor.until(")"), ")");
    HLOCC_TRY(cursor.expect(")"));
  }
  if (ops::parse_number(text, type, element)) return {};
  cursor.rewind(begin);
  return cursor.expected(cat("a number of type ", hlo::type_name(type), " within its range"));
}

Status parse_element(TextCursor& cursor, PrimitiveType type, std::byte* element) {
  if (!hlo::is_complex(type)) return parse_part(cursor, type, element);
  const PrimitiveType part = hlo::real_type(type);
  // A lone number is the real part.
  if (!cursor.accept("(")) return parse_part(cursor, part, element);
  HLOCC_TRY(parse_part(cursor, part, element));
  cursor.accept(",");
  HLOCC_TRY(parse_part(cursor, part, element + hlo::storage_bytes(part)));
  return cursor.expect(")");
}

// Walks the braces of an array.
class ArrayParser {
 public:
  ArrayParser(TextCursor& cursor, Literal& literal)
      : cursor_(cursor),
        literal_(literal),
        sizes_(literal.shape().dimensions),
        counts_(sizes_.size(), 0) {}

  Status parse() {
    if (sizes_.empty())
      return parse_element(cursor_, literal_.type(), literal_.mutable_bytes().data());
    HLOCC_TRY(cursor_.expect("{"));
    // {} stands for every empty array, however many empty rows it has.
    if (literal_.element_count() == 0 && cursor_.accept("}")) return {};
    std::byte* const data = literal_.mutable_bytes().data();
    const int width = hlo::storage_bytes(literal_.type());
    size_t open = 1;
    int64_t index = 0;
    while (open > 0) {
      const char next = cursor_.peek();
      if (next == '}') {
        HLOCC_TRY(close(open));
      } else if (next == ',') {
        cursor_.accept(",");
      } else if (open < sizes_.size()) {
        HLOCC_TRY(count_one(open));
        HLOCC_TRY(cursor_.expect("{"));
        counts_[open++] = 0;
      } else {
        HLOCC_TRY(count_one(open));
        HLOCC_TRY(parse_element(cursor_, literal_.type(), data + index++ * width));
      }
    }
    return {};
  }

 private:
  // One more in the innermost open dimension.
  Status count_one(size_t open) {
    if (counts_[open - 1] < sizes_[open - 1]) {
      ++counts_[open - 1];
      return {};
    }
    return cursor_.fail(DiagnosticKind::kSyntax,
                        cat("too many elements in dimension ", open - 1,
                            " of the literal, which has ", sizes_[open - 1]));
  }
  Status close(size_t& open) {
    if (counts_[open - 1] != sizes_[open - 1])
      return cursor_.fail(DiagnosticKind::kSyntax,
                          cat("dimension ", open - 1, " of the literal has ", counts_[open - 1],
                              " elements; its shape says ", sizes_[open - 1]));
    --open;
    return cursor_.expect("}");
  }

  TextCursor& cursor_;
  Literal& literal_;
  const hlo::Dimensions& sizes_;
  hlo::Dimensions counts_;
};

Result<Literal> parse_array(TextCursor& cursor, const Shape& shape) {
  for (int64_t size : shape.dimensions)
    if (size == hlo::kUnboundedSize)
      return cursor.fail(DiagnosticKind::kShape, "a constant has an unbounded dimension");
  const size_t begin = cursor.position();
  if (cursor.accept("{") && cursor.looking_at("...")) return elided(cursor);
  cursor.rewind(begin);
  // An element takes a character at least: a huge shape with little text behind it must not be
  // allocated.
  if (shape.element_count() > static_cast<int64_t>(cursor.remaining()))
    return cursor.fail(DiagnosticKind::kSyntax,
                       cat("the rest of the file is too short for the ", shape.element_count(),
                           " elements of the literal"));
  Literal literal = Literal::zeros(shape);
  HLOCC_TRY(ArrayParser(cursor, literal).parse());
  return literal;
}

Result<Literal> parse_tuple(TextCursor& cursor, const Shape& shape) {
  HLOCC_TRY(cursor.expect("("));
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple) {
    if (!elements.empty()) cursor.accept(",");
    HLOCC_TRY_ASSIGN(Literal parsed, parse_literal(cursor, element));
    elements.push_back(std::move(parsed));
  }
  HLOCC_TRY(cursor.expect(")"));
  Literal literal = Literal::make_tuple(std::move(elements));
  literal.set_shape(shape);
  return literal;
}

}  // namespace

Result<Literal> parse_literal(TextCursor& cursor, const Shape& shape) {
  if (shape.is_tuple()) return parse_tuple(cursor, shape);
  // Old dumps repeat the shape before the value.
  if (cursor.peek() != '(' && at_shape(cursor)) HLOCC_TRY(parse_shape_without_layout(cursor));
  if (shape.is_array()) return parse_array(cursor, shape);
  if (shape.is_token()) return Literal::token();
  return cursor.fail(DiagnosticKind::kType, "a constant cannot be opaque");
}

}  // namespace hlocc::import
