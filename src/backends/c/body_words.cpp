// The part of BodyWriter that works on vectors in words (packed_simd.h): one line a word.
#include <algorithm>
#include <utility>

#include "backends/c/body_writer.h"
#include "kernel/legalize/packed_words.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

int words_of(Type type) { return type.lanes * kernel::scalar_bits(type.scalar) / 32; }

}  // namespace

std::string BodyWriter::word_call(WordFunction function, Scalar scalar,
                                  const std::string& operands) {
  return cat(site_.prelude.word(function, scalar), "(", operands, ")");
}

std::string BodyWriter::keep_word(const std::string& text) {
  const std::string name = fresh_name();
  line(cat("const uint32_t ", name, " = ", text, ";"));
  return name;
}

// The address of an access's word.
std::string BodyWriter::word_place(kernel::Access access, Type type, int word) {
  access.at = access.at.plus(int64_t{word} * (type.lanes / words_of(type)));
  Known unused;
  return "&" + element(access, 1, unused);
}

// Reads of a buffer in a region that lie a known number of elements apart share a pointer.
std::string BodyWriter::word_from(const kernel::Access& access, Type type, int word) {
  const kernel::Affine at = access.at.plus(int64_t{word} * (type.lanes / words_of(type)));
  const auto found = std::ranges::find_if(word_pointers_, [&](const WordPointer& pointer) {
    return pointer.buffer == access.buffer && pointer.at.terms == at.terms;
  });
  if (found != word_pointers_.end()) {
    const int64_t apart = at.offset - found->at.offset;
    return apart == 0 ? found->name
                      : cat(found->name, apart < 0 ? " - " : " + ", apart < 0 ? -apart : apart);
  }
  const std::string name = fresh_name();
  line(cat("const ", site_.prelude.memory(type.scalar), " *", name, " = ",
           word_place(access, type, word), ";"));
  line(cat(site_.prelude.in_order("HL_HOLD"), "(", name, ");"));
  word_pointers_.push_back({access.buffer, at, name});
  return name;
}

std::string BodyWriter::load_word(const kernel::Access& access, Type type, int word) {
  const int64_t in_word = type.lanes / words_of(type);
  const auto is_whole = [&](int64_t elements) { return elements % in_word == 0; };
  const bool aligned = buffers_[static_cast<size_t>(access.buffer)].aligned &&
                       is_whole(access.at.offset) &&
                       std::ranges::all_of(access.at.terms, is_whole, &kernel::Affine::Term::scale);
  return word_call(aligned ? WordFunction::kAligned : WordFunction::kLoad, type.scalar,
                   word_from(access, type, word));
}

// What was multiplied before is added up before more is read.
void BodyWriter::finish_dots() {
  for (const std::string& sum : std::exchange(unfinished_, {}))
    line(cat(site_.prelude.in_order("HL_DONE"), "(", sum, ");"));
}

std::vector<std::string> BodyWriter::even_and_odd(Scalar byte, const std::string& word) {
  std::string even = keep_word(word_call(WordFunction::kEven, byte, word));
  return {std::move(even), keep_word(word_call(WordFunction::kOdd, byte, word))};
}

std::vector<std::string> BodyWriter::spread_words(const Op& op) {
  const Scalar byte = kernel_.type(op.operands[0]).scalar;
  const std::vector<std::string>& from = known(op.operands[0]).words;
  if (op.kind == OpKind::kSpreadBytes)
    return even_and_odd(byte, from[static_cast<size_t>(std::get<kernel::Lane>(op.payload).index)]);
  std::vector<std::string> out;
  for (const std::string& word : from) {
    const std::string both = join(even_and_odd(byte, word), ", ");
    out.push_back(keep_word(word_call(WordFunction::kLowPair, byte, both)));
    out.push_back(keep_word(word_call(WordFunction::kHighPair, byte, both)));
  }
  return out;
}

// A statement of its own: it stands in front of the next word's read.
void BodyWriter::write_dot_of_words(const Op& op) {
  std::string sum = known(op.operands[0]).code.text;
  const Type types[] = {kernel_.type(op.operands[1]), kernel_.type(op.operands[2])};
  const std::vector<std::string>&left = known(op.operands[1]).words,
        &right = known(op.operands[2]).words;
  const auto add = [&](const std::string& a, const std::string& b) {
    const WordFunction dot = site_.target.dual_issue ? WordFunction::kDot : WordFunction::kTiedDot;
    sum = word_call(dot, Scalar::kS16, cat(sum, ", ", a, ", ", b));
  };
  for (size_t n = 0; n < left.size(); ++n) {
    if (kernel::scalar_bits(types[0].scalar) == 16) {
      add(left[n], right[n]);
      continue;
    }
    for (const WordFunction part : {WordFunction::kEven, WordFunction::kOdd})
      add(word_call(part, types[0].scalar, left[n]), word_call(part, types[1].scalar, right[n]));
  }
  known(op.result()) = {.code = {keep(kernel_.type(op.result()), sum)}};
  std::erase(unfinished_, known(op.operands[0]).code.text);
  unfinished_.push_back(known(op.result()).code.text);
}

void BodyWriter::write_words(const Op& op) {
  if (op.kind == OpKind::kStore) {
    const Type type = kernel_.type(op.access().stored);
    const std::vector<std::string>& words = known(op.access().stored).words;
    for (int n = 0; n < words_of(type); ++n)
      line(word_call(WordFunction::kStore, type.scalar,
                     cat(word_place(op.access(), type, n), ", ", words[static_cast<size_t>(n)])) +
           ";");
    return;
  }
  if (op.kind == OpKind::kDotAccumulate) return write_dot_of_words(op);
  const Type type = kernel_.type(op.result());
  Known made;
  if (op.kind == OpKind::kLoad) {
    finish_dots();
    for (int n = 0; n < words_of(type); ++n)
      made.words.push_back(keep_word(load_word(op.access(), type, n)));
  } else if (op.kind == OpKind::kShuffle) {
    const int word = kernel::picked_word(kernel_.type(op.operands[0]),
                                         std::get<kernel::Shuffle>(op.payload).lanes);
    made.words = {known(op.operands[0]).words[static_cast<size_t>(word)]};
  } else {
    made.words = spread_words(op);
  }
  known(op.result()) = std::move(made);
}

}  // namespace hlocc::backends
