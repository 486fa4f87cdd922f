// See fields.h.
#include "import/stablehlo/fields.h"

#include <algorithm>

#include "import/build/numbers.h"
#include "import/stablehlo/dense.h"
#include "import/stablehlo/types.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

constexpr size_t kMostIntegers = 1 << 20;

// Attributes of any operation that say where and how it runs, or what becomes of it later, and
// nothing of what it computes.
constexpr std::string_view ignored_attributes[] = {
    "mhlo.frontend_attributes", "mhlo.sharding",    "sdy.sharding",
    "sdy.sharding_rule",        "sdy.out_sharding", "xla_shape",
};

// 1, -2, true
Status read_integer(TextCursor& cursor, int64_t& out) {
  const std::string_view word = cursor.peek_word();
  if (word == "true" || word == "false") {
    out = cursor.word() == "true";
    return {};
  }
  HLOCC_TRY_ASSIGN(out, cursor.integer());
  return {};
}

Status read_dense_integers(Source& source, Dimensions& out) {
  const size_t begin = source.cursor.position();
  HLOCC_TRY(skip_value(source, "", ":,"));
  HLOCC_TRY(source.cursor.expect(":"));
  HLOCC_TRY_ASSIGN(const Shape shape, parse_type(source));
  const size_t end = source.cursor.position();
  source.cursor.rewind(begin);
  if (shape.element_count() > static_cast<int64_t>(kMostIntegers) ||
      (!hlo::is_integer(shape.element_type) && !hlo::is_pred(shape.element_type)))
    return source.cursor.expected("a list of integers");
  HLOCC_TRY_ASSIGN(const Literal literal, parse_dense(source, shape));
  out = integers_of(literal);
  source.cursor.rewind(end);
  return {};
}

// [[1, 2], [3, 4]], flat, or array<i64: 1, 2> behind its colon.
Status read_listed_integers(TextCursor& cursor, std::string_view close, Dimensions& out) {
  int depth = 1;
  while (depth > 0) {
    if (cursor.accept(close)) {
      --depth;
    } else if (cursor.accept("[")) {
      ++depth;
    } else if (!cursor.accept(",")) {
      out.emplace_back();
      HLOCC_TRY(read_integer(cursor, out.back()));
      if (out.size() > kMostIntegers) return cursor.expected("a shorter list");
      if (cursor.accept(":")) cursor.word();
    }
  }
  return {};
}

Status read_integers(Source& source, Dimensions& out) {
  TextCursor& cursor = source.cursor;
  if (cursor.peek_word() == "dense") return read_dense_integers(source, out);
  if (!cursor.accept_word("array")) {
    HLOCC_TRY(cursor.expect("["));
    return read_listed_integers(cursor, "]", out);
  }
  HLOCC_TRY(cursor.expect("<"));
  cursor.word();
  if (cursor.accept(">")) return {};
  HLOCC_TRY(cursor.expect(":"));
  return read_listed_integers(cursor, ">", out);
}

// LT, #stablehlo<comparison_direction LT>, #stablehlo.transpose<NO_TRANSPOSE>: the last word.
Status read_word(TextCursor& cursor, std::string& out) {
  const bool is_attribute = cursor.accept("#");
  out = std::string(cursor.word());
  if (out.empty()) return cursor.expected("a word");
  if (!is_attribute) return {};
  HLOCC_TRY(cursor.expect("<"));
  while (!cursor.accept(">")) {
    out = std::string(cursor.word());
    if (out.empty()) return cursor.expected("a word");
  }
  return {};
}

}  // namespace

Fields::Fields(Source& source, Builder& builder, const std::vector<Attribute>& attributes,
               std::string owner, size_t at)
    : source_(source),
      builder_(builder),
      attributes_(attributes),
      owner_(std::move(owner)),
      at_(at),
      seen_(attributes.size()) {}

const Attribute* Fields::find(std::string_view name) const {
  for (size_t i = 0; i < attributes_.size(); ++i) {
    if (attributes_[i].name != name) continue;
    seen_[i] = true;
    return &attributes_[i];
  }
  return nullptr;
}

const Attribute* Fields::require(std::string_view name) const {
  const Attribute* found = builder_.failure() ? nullptr : find(name);
  if (found == nullptr)
    builder_.fail(source_.fail_at(at_, DiagnosticKind::kAttribute,
                                  cat(owner_, " lacks the attribute ", name)));
  return found;
}

void Fields::refuse(std::string_view name, const std::string& why) const {
  if (builder_.failure()) return;
  const Attribute* found = find(name);
  builder_.fail(source_.fail_at(found != nullptr ? found->at : at_, DiagnosticKind::kAttribute,
                                cat(owner_, ": ", name, " ", why)));
}

void Fields::read(std::string_view name, const std::function<Status()>& read) const {
  const Attribute* found = require(name);
  if (found == nullptr) return;
  const size_t begin = resolve_alias(source_, found->at);
  source_.cursor.rewind(begin);
  Status done = read();
  // The type of a number, which the operation knows.
  if (done && source_.cursor.accept(":")) {
    const Result<Attribute> type = skip_value(source_, "", ",");
    if (!type) done = type.error();
  }
  if (done && begin == found->at && source_.cursor.position() < found->end)
    done = source_.cursor.expected(cat("the end of ", name));
  if (!done) {
    const size_t here = source_.cursor.position();
    builder_.fail(source_.located_at(here, std::move(done).error()));
  }
}

int64_t Fields::integer(std::string_view name, std::optional<int64_t> otherwise) const {
  int64_t out = otherwise.value_or(0);
  if (!otherwise || has(name)) read(name, [&] { return read_integer(source_.cursor, out); });
  return builder_.failure() ? 0 : out;
}

Dimensions Fields::integers(std::string_view name, std::optional<Dimensions> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  Dimensions out;
  read(name, [&] { return read_integers(source_, out); });
  return builder_.failure() ? Dimensions() : out;
}

bool Fields::flag(std::string_view name, std::optional<bool> otherwise) const {
  const Attribute* found = find(name);
  if (found != nullptr && found->at == found->end) return true;
  return integer(name, otherwise ? std::optional<int64_t>(*otherwise) : std::nullopt) != 0;
}

float Fields::real(std::string_view name) const {
  Literal value = Literal::zeros(Shape::scalar(PrimitiveType::kF32));
  read(name, [&]() -> Status {
    HLOCC_TRY(parse_element(source_, source_.cursor.until(" ,:>}\n"), PrimitiveType::kF32,
                            value.mutable_bytes().data()));
    return {};
  });
  return builder_.failure() ? 0 : value.data<float>()[0];
}

std::string Fields::word(std::string_view name, std::optional<std::string> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  std::string out;
  read(name, [&] { return read_word(source_.cursor, out); });
  return out;
}

std::vector<std::string> Fields::words(std::string_view name) const {
  return list(name, [&](std::string& one) { return read_word(source_.cursor, one); });
}

std::vector<std::string> Fields::symbols(std::string_view name) const {
  return list(name, [&](std::string& one) -> Status {
    HLOCC_TRY_ASSIGN(one, parse_symbol(source_));
    return {};
  });
}

std::vector<std::string> Fields::list(std::string_view name,
                                      const std::function<Status(std::string&)>& read_one) const {
  std::vector<std::string> out;
  if (!has(name)) return out;
  read(name, [&]() -> Status {
    HLOCC_TRY(source_.cursor.expect("["));
    while (!source_.cursor.accept("]")) {
      out.emplace_back();
      HLOCC_TRY(read_one(out.back()));
      source_.cursor.accept(",");
    }
    return {};
  });
  return out;
}

std::string Fields::string(std::string_view name) const {
  std::string out;
  read(name, [&]() -> Status {
    HLOCC_TRY_ASSIGN(out, parse_string(source_));
    return {};
  });
  return out;
}

std::string Fields::symbol(std::string_view name) const {
  std::string out;
  read(name, [&]() -> Status {
    HLOCC_TRY_ASSIGN(out, parse_symbol(source_));
    return {};
  });
  return out;
}

std::string_view Fields::raw(std::string_view name) const {
  const Attribute* found = require(name);
  return found == nullptr ? "" : source_.text.substr(found->at, found->end - found->at);
}

Literal Fields::literal(std::string_view name, const Shape& shape) const {
  Literal out = Literal::zeros(Shape::scalar(PrimitiveType::kS32));
  read(name, [&]() -> Status {
    HLOCC_TRY_ASSIGN(out, parse_dense(source_, shape));
    return {};
  });
  return out;
}

Fields Fields::fields(std::string_view name) const {
  std::vector<Attribute> inside;
  const Attribute* found = find(name);
  read(name, [&]() -> Status {
    TextCursor& cursor = source_.cursor;
    if (cursor.looking_at("{")) return parse_attributes(source_, "{", "}", inside);
    if (cursor.accept("#")) cursor.word();
    return parse_attributes(source_, "<", ">", inside);
  });
  return Fields(source_, builder_, inside, cat(name, " of ", owner_),
                found != nullptr ? found->at : at_);
}

std::pair<Dimensions, Dimensions> Fields::pair(std::string_view name) const {
  Dimensions left, right;
  if (!has(name)) return {};
  read(name, [&]() -> Status {
    HLOCC_TRY(read_integers(source_, left));
    HLOCC_TRY(source_.cursor.expect("x"));
    return read_integers(source_, right);
  });
  return {left, right};
}

size_t Fields::chosen(std::string_view name, const std::string& word,
                      const std::string_view* choices, size_t count) const {
  const auto found = std::find(choices, choices + count, word);
  if (found != choices + count) return static_cast<size_t>(found - choices);
  refuse(name, cat("is ", word, ", which has no equivalent in HLO"));
  return 0;
}

void Fields::finish() const {
  for (size_t i = 0; i < attributes_.size() && !builder_.failure(); ++i) {
    const std::string_view name = attributes_[i].name;
    if (seen_[i] || std::ranges::find(ignored_attributes, name) != std::end(ignored_attributes))
      continue;
    builder_.fail(source_.fail_at(attributes_[i].at, DiagnosticKind::kUnsupported,
                                  cat("the attribute ", name, " of ", owner_,
                                      " is not understood, and it may change what is computed")));
  }
}

}  // namespace hlocc::import::stablehlo
