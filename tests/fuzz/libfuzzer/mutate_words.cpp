// A mutator that knows the words of programs in text (StableHLO, HLO): numbers, names, words and
// lines. A number moves by one more often than not, since that is where limits are; a size changes
// everywhere at once, so that the types still agree; a name or a word becomes another one of the
// same program; a number joins or leaves a list; a line is there twice or not at all. One change of
// four is libFuzzer's, which knows bytes.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/libfuzzer/targets.h"
#include "fuzz/random.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);

namespace hlocc::fuzz {
namespace {

enum class WordKind { kNumber, kName, kWord };
struct Word {
  WordKind kind;
  size_t begin, end;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

// Of a type like 2x3xf32 the sizes are numbers, and f32 is a word.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char first = text[at++];
    if (first == '%' || first == '@') {
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
      words.push_back({WordKind::kName, begin, at});
    } else if (is_digit(first)) {
      while (at < text.size() && is_digit(text[at])) ++at;
      words.push_back({WordKind::kNumber, begin, at});
      if (at + 1 < text.size() && text[at] == 'x') ++at;
    } else if (is_letter(first) && first != '-') {
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
      words.push_back({WordKind::kWord, begin, at});
    }
  }
  return words;
}

std::string spelling(const std::string& text, const Word& word) {
  return text.substr(word.begin, word.end - word.begin);
}

std::vector<Word> words_of_kind(const std::string& text, WordKind kind) {
  std::vector<Word> words = words_of(text);
  std::erase_if(words, [&](const Word& word) { return word.kind != kind; });
  return words;
}

std::string other_number(const std::string& digits, Random& random) {
  static const std::vector<std::string> edges = {
      "0", "1", "2", "7", "128", "2147483648", "4294967295", "9223372036854775807", "-1"};
  if (digits.size() > 15 || random.chance(30)) return random.of(edges);
  return std::to_string(std::stoll(digits) + (random.chance(70) ? 1 : -1));
}

void change_number(std::string& text, Random& random) {
  const std::vector<Word> numbers = words_of_kind(text, WordKind::kNumber);
  if (numbers.empty()) return;
  const Word one = random.of(numbers);
  text.replace(one.begin, one.end - one.begin, other_number(spelling(text, one), random));
}

// One that is no size of a type: of a list of dimensions, of an attribute.
void change_attribute(std::string& text, Random& random) {
  std::vector<Word> numbers = words_of_kind(text, WordKind::kNumber);
  std::erase_if(numbers, [&](const Word& word) {
    const bool is_size = word.end < text.size() && text[word.end] == 'x';
    return is_size || word.begin == 0 ||
           (text[word.begin - 1] != '[' && text[word.begin - 1] != ' ');
  });
  if (numbers.empty()) return;
  const Word one = random.of(numbers);
  text.replace(one.begin, one.end - one.begin, other_number(spelling(text, one), random));
}

// All sizes of this many elements: what stands in front of an x, and in brackets.
void change_number_everywhere(std::string& text, Random& random) {
  const std::vector<Word> numbers = words_of_kind(text, WordKind::kNumber);
  if (numbers.empty()) return;
  const std::string from = spelling(text, random.of(numbers)), to = std::to_string(random.below(9));
  for (size_t i = numbers.size(); i-- > 0;)
    if (spelling(text, numbers[i]) == from)
      text.replace(numbers[i].begin, numbers[i].end - numbers[i].begin, to);
}

// Another name or word of the program takes its place; of words, sometimes everywhere.
void change_word(std::string& text, Random& random, WordKind kind) {
  const std::vector<Word> words = words_of_kind(text, kind);
  if (words.empty()) return;
  const Word one = random.of(words);
  const std::string from = spelling(text, one), to = spelling(text, random.of(words));
  const bool everywhere = kind == WordKind::kWord && random.chance(40);
  for (size_t i = words.size(); i-- > 0;)
    if (words[i].begin == one.begin || (everywhere && spelling(text, words[i]) == from))
      text.replace(words[i].begin, words[i].end - words[i].begin, to);
}
void change_name(std::string& text, Random& random) { change_word(text, random, WordKind::kName); }
void change_any_word(std::string& text, Random& random) {
  change_word(text, random, WordKind::kWord);
}

// One more number in a list, or one less.
void change_list(std::string& text, Random& random) {
  const std::vector<Word> numbers = words_of_kind(text, WordKind::kNumber);
  if (numbers.empty()) return;
  const Word one = random.of(numbers);
  const std::string digits = spelling(text, one);
  if (random.chance(50)) return void(text.insert(one.end, ", " + digits));
  const bool has_next = text.compare(one.end, 2, ", ") == 0;
  const bool has_last = one.begin >= 2 && text.compare(one.begin - 2, 2, ", ") == 0;
  const size_t begin = has_last && !has_next ? one.begin - 2 : one.begin;
  text.erase(begin, one.end + (has_next ? 2 : 0) - begin);
}

// A line twice, none, or in the place of its neighbour.
void change_lines(std::string& text, Random& random) {
  std::vector<size_t> begins = {0};
  for (size_t at = 0; at + 1 < text.size(); ++at)
    if (text[at] == '\n') begins.push_back(at + 1);
  const auto at = static_cast<size_t>(random.below(static_cast<int64_t>(begins.size())));
  const size_t begin = begins[at], end = at + 1 < begins.size() ? begins[at + 1] : text.size();
  const std::string line = text.substr(begin, end - begin);
  const int64_t what = random.below(3);
  if (what == 0) return void(text.insert(begin, line));
  text.erase(begin, end - begin);
  if (what == 2) text.insert(random.of(begins) % (text.size() + 1), line);
}

using WordChange = void (*)(std::string& text, Random& random);
constexpr WordChange word_changes[] = {
    change_number, change_attribute, change_attribute, change_attribute, change_number_everywhere,
    change_name,   change_any_word,  change_list,      change_lines};

}  // namespace

size_t mutate_words(uint8_t* data, size_t size, size_t room, unsigned seed) {
  Random random(seed);
  if (size == 0 || random.chance(25)) return LLVMFuzzerMutate(data, size, room);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (int64_t count = random.between(1, 3); count > 0; --count)
    word_changes[random.below(static_cast<int64_t>(std::size(word_changes)))](text, random);
  if (text.size() > room) return size;
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

}  // namespace hlocc::fuzz
