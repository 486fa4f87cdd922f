// See types.h. Sizes must be known: HLO's shapes are static here. `index`, which only layouts have,
// is read as 64 bits.
#include "import/stablehlo/types.h"

#include <algorithm>
#include <charconv>

#include "import/check_shape.h"
#include "import/limits.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

// f8E4M3FN is f8e4m3fn, i32 s32, ui8 u8, i1 pred.
std::optional<PrimitiveType> element_type(std::string_view name) {
  if (name == "i1") return PrimitiveType::kPred;
  if (name == "index") return PrimitiveType::kS64;
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (text.starts_with("ui"))
    text.erase(1, 1);
  else if (text.starts_with("i"))
    text[0] = 's';
  else if (!text.starts_with("f") && !text.starts_with("bf"))
    return std::nullopt;
  return hlo::type_from_name(text);
}

class TypeParser {
 public:
  explicit TypeParser(Source& source) : source_(source), cursor_(source.cursor) {}

  Result<Shape> parse(int depth) {
    if (depth > kMaxNesting)
      return cursor_.fail(DiagnosticKind::kLimit, cat("types nest deeper than ", kMaxNesting));
    cursor_.skip_space();
    begin_ = cursor_.position();
    if (cursor_.accept("!stablehlo.token") || cursor_.accept("!mhlo.token")) return Shape::token();
    const std::string_view word = cursor_.word();
    if (word == "tensor") return parse_tensor();
    if (word == "tuple") return parse_tuple(depth);
    cursor_.rewind(begin_);
    // A lone element type, of attributes.
    if (const auto type = element_type(word); type && cursor_.accept_word(word))
      return Shape::scalar(*type);
    return cursor_.expected("a type: tensor<...>, tuple<...> or !stablehlo.token");
  }

 private:
  Result<Shape> parse_tensor() {
    HLOCC_TRY(cursor_.expect("<"));
    std::string_view inside = cursor_.until(",<> \t\r\n");
    hlo::Dimensions sizes;
    while (!inside.empty() && is_digit(inside[0])) {
      int64_t size = 0;
      const auto [end, failure] =
          std::from_chars(inside.data(), inside.data() + inside.size(), size);
      inside.remove_prefix(static_cast<size_t>(end - inside.data()));
      if (failure != std::errc())
        return source_.fail_at(begin_, DiagnosticKind::kLimit,
                               "a size of the type is out of range");
      if (!inside.starts_with("x")) return cursor_.expected("'x' and an element type");
      inside.remove_prefix(1);
      sizes.push_back(size);
    }
    if (inside.starts_with("?") || inside.starts_with("*")) return dynamic();
    HLOCC_TRY_ASSIGN(const PrimitiveType type, parse_element(inside));
    if (cursor_.accept(",")) return encoded();
    HLOCC_TRY(cursor_.expect(">"));
    Shape shape = Shape::array(type, std::move(sizes));
    if (Status sound = check_and_normalize(shape, "the type"); !sound)
      return source_.located_at(begin_, std::move(sound).error());
    return shape;
  }

  Result<PrimitiveType> parse_element(std::string_view name) {
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name == "complex" && cursor_.accept("<")) {
      const auto part = element_type(cursor_.word());
      HLOCC_TRY(cursor_.expect(">"));
      if (part && hlo::complex_type(*part)) return *hlo::complex_type(*part);
    } else if (const auto type = element_type(name)) {
      return *type;
    }
    return source_.fail_at(
        begin_, DiagnosticKind::kType,
        cat("elements of type ", name.empty() ? "?" : name, " have no equivalent in HLO"));
  }

  Diagnostic dynamic() {
    return source_
        .fail_at(begin_, DiagnosticKind::kUnsupported, "a size is known only at run time ('?')")
        .note(
            "export the program with the sizes that it will have: in JAX give "
            "jax.ShapeDtypeStruct of numbers, not of symbolic dimensions");
  }
  Diagnostic encoded() {
    return source_.fail_at(begin_, DiagnosticKind::kUnsupported,
                           "types with an encoding (bounds of sizes, sparse tensors) are not read");
  }

  Result<Shape> parse_tuple(int depth) {
    HLOCC_TRY(cursor_.expect("<"));
    std::vector<Shape> elements;
    while (!cursor_.accept(">")) {
      HLOCC_TRY_ASSIGN(Shape element, parse(depth + 1));
      elements.push_back(std::move(element));
      if (!cursor_.accept(",") && !cursor_.looking_at(">")) return cursor_.expected("',' or '>'");
    }
    return Shape::make_tuple(std::move(elements));
  }

  Source& source_;
  TextCursor& cursor_;
  size_t begin_ = 0;
};

}  // namespace

Result<Shape> parse_type(Source& source) { return TypeParser(source).parse(0); }

Status parse_type_list(Source& source, std::vector<Shape>& out, bool lone) {
  TextCursor& cursor = source.cursor;
  if (lone && !cursor.looking_at("(")) {
    HLOCC_TRY_ASSIGN(Shape one, parse_type(source));
    out.push_back(std::move(one));
    return {};
  }
  HLOCC_TRY(cursor.expect("("));
  while (!cursor.accept(")")) {
    HLOCC_TRY_ASSIGN(Shape one, parse_type(source));
    out.push_back(std::move(one));
    if (!cursor.accept(",") && !cursor.looking_at(")")) return cursor.expected("',' or ')'");
  }
  return {};
}

}  // namespace hlocc::import::stablehlo
