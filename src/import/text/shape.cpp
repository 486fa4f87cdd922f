// Tiles, memory spaces and the other suffixes of layouts are accepted and dropped, but for E(bits):
// entry values lie in plain memory.
#include "import/text/shape.h"

#include <algorithm>
#include <iterator>

#include "import/check_shape.h"
#include "import/limits.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Shape;

// Type names of text that we know only to refuse them by name.
constexpr std::string_view refused_type_words[] = {"f6e2m3fn", "f6e3m2fn"};

bool is_type_word(std::string_view word) {
  if (std::find(std::begin(refused_type_words), std::end(refused_type_words), word) !=
      std::end(refused_type_words))
    return true;
  const auto type = hlo::type_from_name(word);
  return type && *type != hlo::PrimitiveType::kTuple;
}

Status parse_dimensions(TextCursor& cursor, Shape& shape) {
  HLOCC_TRY(cursor.expect("["));
  while (!cursor.accept("]")) {
    if (!shape.dimensions.empty()) HLOCC_TRY(cursor.expect(","));
    const bool unbounded = cursor.accept("?");
    const bool dynamic = unbounded || cursor.accept("<=");
    if (unbounded) {
      shape.dimensions.push_back(hlo::kUnboundedSize);
    } else {
      HLOCC_TRY_ASSIGN(const int64_t size, cursor.integer());
      shape.dimensions.push_back(size);
    }
    shape.dynamic.push_back(dynamic);
  }
  return {};
}

// The suffixes after ':', each a few letters and something in parentheses, once or twice; #(…) and
// *(…) too.
Status parse_layout_suffixes(TextCursor& cursor, hlo::Layout& layout) {
  while (!cursor.looking_at("}")) {
    if (cursor.accept("E(")) {
      HLOCC_TRY_ASSIGN(const int64_t bits, cursor.integer());
      layout.element_bits = static_cast<int>(bits);
      HLOCC_TRY(cursor.expect(")"));
      continue;
    }
    if (cursor.word().empty() && !cursor.accept("#") && !cursor.accept("*") &&
        !cursor.looking_at("("))
      return cursor.expected("'}' after the layout");
    while (cursor.looking_at("(")) HLOCC_TRY(cursor.skip_group());
  }
  return {};
}

Status parse_layout(TextCursor& cursor, hlo::Layout& layout) {
  const size_t begin = cursor.position();
  if (!cursor.accept("{")) return {};
  // Another brace opens the body of a computation; an empty one is a layout again, as bodies are
  // never empty.
  const char next = cursor.peek();
  if (!(next >= '0' && next <= '9') && next != ':' && next != '}') {
    cursor.rewind(begin);
    return {};
  }
  while (!cursor.accept("}")) {
    if (cursor.accept(":")) {
      HLOCC_TRY(parse_layout_suffixes(cursor, layout));
      continue;
    }
    if (!layout.minor_to_major.empty()) HLOCC_TRY(cursor.expect(","));
    HLOCC_TRY_ASSIGN(const int64_t dimension, cursor.integer());
    layout.minor_to_major.push_back(dimension);
  }
  return {};
}

Result<Shape> parse(TextCursor& cursor, bool with_layouts, int depth);

Result<Shape> parse_tuple(TextCursor& cursor, bool with_layouts, int depth) {
  if (depth >= kMaxNesting)
    return cursor.fail(DiagnosticKind::kLimit,
                       cat("tuple shapes are nested deeper than ", kMaxNesting));
  HLOCC_TRY(cursor.expect("("));
  Shape shape;
  while (!cursor.accept(")")) {
    if (!shape.tuple.empty()) HLOCC_TRY(cursor.expect(","));
    if (static_cast<int64_t>(shape.tuple.size()) >= kMaxTupleElements)
      return cursor.fail(DiagnosticKind::kLimit,
                         cat("the tuple has more than ", kMaxTupleElements, " elements"));
    HLOCC_TRY_ASSIGN(Shape element, parse(cursor, with_layouts, depth + 1));
    shape.tuple.push_back(std::move(element));
  }
  return shape;
}

Result<Shape> parse(TextCursor& cursor, bool with_layouts, int depth) {
  if (cursor.looking_at("(")) return parse_tuple(cursor, with_layouts, depth);
  // A buffer is read as its contents; see buffers.h.
  if (cursor.accept("b(")) {
    if (depth >= kMaxNesting)
      return cursor.fail(DiagnosticKind::kLimit,
                         cat("shapes are nested deeper than ", kMaxNesting));
    HLOCC_TRY_ASSIGN(Shape contents, parse(cursor, with_layouts, depth + 1));
    HLOCC_TRY(cursor.expect(")"));
    return contents;
  }
  const std::string_view word = cursor.peek_word();
  if (!is_type_word(word)) return cursor.expected("a shape");
  const auto type = hlo::type_from_name(word);
  if (!type)
    return cursor.fail(DiagnosticKind::kType, cat("the element type ", word, " is not supported"));
  cursor.word();
  Shape shape;
  shape.element_type = *type;
  HLOCC_TRY(parse_dimensions(cursor, shape));
  if (with_layouts) HLOCC_TRY(parse_layout(cursor, shape.layout));
  if (!shape.is_array()) {
    shape = {};
    shape.element_type = *type;
    return shape;
  }
  if (Status status = check_and_normalize(shape, "the shape"); !status)
    return cursor.fail(status.error().kind, std::move(status.error().message));
  return shape;
}

}  // namespace

bool at_shape(TextCursor& cursor) {
  if (cursor.looking_at("(") || cursor.looking_at("b(")) return true;
  if (!is_type_word(cursor.peek_word())) return false;
  const size_t begin = cursor.position();
  cursor.word();
  const bool bracket = cursor.looking_at("[");
  cursor.rewind(begin);
  return bracket;
}

Result<Shape> parse_shape(TextCursor& cursor) { return parse(cursor, true, 0); }
Result<Shape> parse_shape_without_layout(TextCursor& cursor) { return parse(cursor, false, 0); }

}  // namespace hlocc::import
