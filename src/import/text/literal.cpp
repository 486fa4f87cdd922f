// Numbers in nested braces, one level a dimension. The walk counts the open braces itself instead
// of recursing, and every count is held against the shape.
#include "import/text/literal.h"

#include "import/limits.h"
#include "import/text/list.h"
#include "import/text/shape.h"
#include "ops/text/literal_text.h"
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
          "save the proto instead")
      .note("`hlocc inspect` answers without values");
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

// "1-dimensional", for messages.
std::string rank_text(size_t rank) {
  return rank == 0 ? "a single number" : cat(rank, "-dimensional");
}

// Walks the braces of an array.
class ArrayParser {
 public:
  // `shape`: the literal's, as the program states it.
  ArrayParser(TextCursor& cursor, Literal& literal, const Shape& shape)
      : cursor_(cursor),
        literal_(literal),
        shape_(shape),
        sizes_(shape.dimensions),
        counts_(sizes_.size(), 0) {}

  Status parse() {
    if (sizes_.empty()) {
      if (cursor_.peek() == '{') return other_rank(1);
      return parse_element(cursor_, literal_.type(), literal_.mutable_bytes().data());
    }
    if (cursor_.peek() != '{') return other_rank(0);
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
        if (next != '{') return other_rank(open);
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
  // The literal has so many dimensions, or (of a scalar) more than none.
  Diagnostic other_rank(size_t rank) {
    const std::string of_shape = rank_text(sizes_.size());
    const Diagnostic here = cursor_.fail(DiagnosticKind::kSyntax,
                                         cat("the literal is ", rank_text(rank), ", but its shape ",
                                             to_string(shape_, false), " is ", of_shape));
    return Diagnostic(here).note(
        rank == 0 ? "write its elements in braces, or broadcast a constant of rank 0"
                  : "write one pair of braces for each dimension");
  }
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
  const Shape& shape_;
  const hlo::Dimensions& sizes_;
  hlo::Dimensions counts_;
};

bool at_elision(TextCursor& cursor) {
  const size_t begin = cursor.position();
  const bool found = cursor.accept("{") && cursor.looking_at("...");
  cursor.rewind(begin);
  return found;
}

Result<Literal> parse_elided(TextCursor& cursor, const Shape& shape, Elided& counted) {
  HLOCC_TRY_ASSIGN(std::optional<Literal> numbers, stand_in(shape, counted));
  if (!numbers) return elided(cursor);
  HLOCC_TRY(cursor.expect("{"));
  HLOCC_TRY(cursor.expect("..."));
  HLOCC_TRY(cursor.expect("}"));
  return *std::move(numbers);
}

Result<Literal> parse_array(TextCursor& cursor, const Shape& shape) {
  for (int64_t size : shape.dimensions)
    if (size == hlo::kUnboundedSize)
      return cursor.fail(DiagnosticKind::kShape, "a constant has an unbounded dimension");
  const bool has_braces = cursor.peek() == '{' && !shape.is_scalar();
  // An element takes a character at least: a huge shape with little text behind it must not be
  // allocated.
  if (has_braces && shape.element_count() > static_cast<int64_t>(cursor.remaining()))
    return cursor.fail(DiagnosticKind::kSyntax,
                       cat("the rest of the file is too short for the ", shape.element_count(),
                           " elements of the literal"));
  // What no brace opens fails before it is filled.
  Literal literal = Literal::zeros(
      has_braces || shape.is_scalar()
          ? shape
          : Shape::array(shape.element_type, hlo::Dimensions(shape.dimensions.size(), 0)));
  HLOCC_TRY(ArrayParser(cursor, literal, shape).parse());
  return literal;
}

// Old dumps repeat the shape before the value; an opening bracket may be either's.
void skip_repeated_shape(TextCursor& cursor) {
  const size_t begin = cursor.position();
  if (at_shape(cursor) && parse_shape_without_layout(cursor).ok() && !cursor.looking_at(",") &&
      !cursor.looking_at(")"))
    return;
  cursor.rewind(begin);
}

Result<Literal> parse_tuple(TextCursor& cursor, const Shape& shape, Elided& counted) {
  skip_repeated_shape(cursor);
  HLOCC_TRY(cursor.expect("("));
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple) {
    if (!elements.empty()) cursor.accept(",");
    HLOCC_TRY_ASSIGN(Literal parsed, parse_literal(cursor, element, counted));
    elements.push_back(std::move(parsed));
  }
  HLOCC_TRY(cursor.expect(")"));
  Literal literal = Literal::make_tuple(std::move(elements));
  literal.set_shape(shape);
  return literal;
}

// `depth`: how many tuples are open.
Status skip_shaped(TextCursor& cursor, int depth) {
  if (depth > kMaxNesting)
    return cursor.fail(DiagnosticKind::kLimit,
                       cat("the literal nests tuples deeper than ", kMaxNesting));
  if (cursor.looking_at("("))
    return parse_list(
        cursor, [&] { return skip_shaped(cursor, depth + 1); }, "(", ")");
  const size_t begin = cursor.position();
  Result<Shape> shape = parse_shape(cursor);
  // Braces right behind the sizes are the literal's where no others follow.
  if (!shape || (shape->rank() > 0 && !cursor.looking_at("{"))) {
    cursor.rewind(begin);
    shape = parse_shape_without_layout(cursor);
  }
  if (!shape) return std::move(shape).error();
  Elided any{.allowed = true};
  HLOCC_TRY_ASSIGN(const Literal literal, parse_literal(cursor, *shape, any));
  return {};
}

}  // namespace

Status skip_shaped_literal(TextCursor& cursor) { return skip_shaped(cursor, 0); }

Result<Literal> parse_literal(TextCursor& cursor, const Shape& shape, Elided& counted) {
  if (at_elision(cursor)) return parse_elided(cursor, shape, counted);
  if (shape.is_tuple()) return parse_tuple(cursor, shape, counted);
  // Old dumps repeat the shape before the value.
  if (cursor.peek() != '(' && at_shape(cursor)) HLOCC_TRY(parse_shape_without_layout(cursor));
  if (at_elision(cursor)) return parse_elided(cursor, shape, counted);
  if (shape.is_array()) return parse_array(cursor, shape);
  if (shape.is_token()) return Literal::token();
  return cursor.fail(DiagnosticKind::kType, "a constant cannot be opaque");
}

}  // namespace hlocc::import
