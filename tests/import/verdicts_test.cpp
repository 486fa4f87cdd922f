// What is read of each snapshot of tests/data/ops and of small programs, whole and with one byte or
// word changed (support/verdicts.h): protos, HLO text, .npy files, zip archives.
#include "support/verdicts.h"

#include <cctype>

#include "import/archive_bytes.h"
#include "import/elided.h"
#include "import/models.h"
#include "import/npy.h"
#include "import/zip.h"

namespace hlocc::import {
namespace {

constexpr const char* kVerdictOps = HLOCC_TEST_DATA "/ops";

Result<hlo::Module> read_any(const tests::Content& bytes) {
  HLOCC_TRY_ASSIGN(Imported imported, read_model(bytes, "file", Constants::kMayBeElided));
  HLOCC_TRY(ops::verify(imported.module));
  return std::move(imported.module);
}

TEST_CASE("what is said of snapshots with another byte, part 0") {
  tests::add_changed_verdicts("verdicts", kVerdictOps, ".snapshot.pb", 0, 3, 60, tests::change_byte,
                              read_any);
}
TEST_CASE("what is said of snapshots with another byte, part 1") {
  tests::add_changed_verdicts("verdicts", kVerdictOps, ".snapshot.pb", 1, 3, 60, tests::change_byte,
                              read_any);
}
TEST_CASE("what is said of snapshots with another byte, part 2") {
  tests::add_changed_verdicts("verdicts", kVerdictOps, ".snapshot.pb", 2, 3, 60, tests::change_byte,
                              read_any);
}

// The first bytes are fields of the module; drawn ones reach the instructions of small files alone.
TEST_CASE("what is said of each byte that is one more or one less") {
  const Imported whole = [] {
    Result<Imported> read = read_text(kShowcase);
    REQUIRE(read.ok());
    return std::move(*read);
  }();
  const tests::Content bytes = write_module(whole.module);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (const int by : {1, -1, 2, 128}) {
      tests::Content changed = bytes;
      changed[at] = static_cast<std::byte>(std::to_integer<int>(changed[at]) + by);
      tests::add_verdict("verdicts", cat("showcase, by ", by), changed, read_any);
    }
}

// --- text ---

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Each word of the program is one more or less, not there, twice, or the word behind it.
void add_changed_words(const std::string& line, const std::string& text) {
  std::vector<std::pair<size_t, size_t>> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (is_part(text[at]) && end < text.size() && is_part(text[end]) &&
           (std::isdigit(static_cast<unsigned char>(text[at])) != 0) ==
               (std::isdigit(static_cast<unsigned char>(text[end])) != 0))
      ++end;
    if (text[at] != ' ' && text[at] != '\n') words.emplace_back(at, end - at);
    at = end;
  }
  const auto add = [&](size_t at, size_t size, const std::string& by) {
    const std::string changed = text.substr(0, at) + by + text.substr(at + size);
    const auto* raw = reinterpret_cast<const std::byte*>(changed.data());
    tests::add_verdict("verdicts", line, {raw, raw + changed.size()}, read_any);
  };
  const auto* whole = reinterpret_cast<const std::byte*>(text.data());
  CHECK(read_any({whole, whole + text.size()}).ok());
  for (size_t i = 0; i < words.size(); ++i) {
    const auto [at, size] = words[i];
    const std::string word = text.substr(at, size);
    add(at, size, "");
    add(at, size, word + " " + word);
    add(at, size, word + word);
    if (i + 1 < words.size()) add(at, size, text.substr(words[i + 1].first, words[i + 1].second));
    if (i > 0) add(at, size, text.substr(words[i - 1].first, words[i - 1].second));
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 && size < 10)
      for (const int by : {1, -1, 1000}) add(at, size, std::to_string(std::stoi(word) + by));
    for (const char* other : {"-", "{", "}", ")", "\"", "=", "9223372036854775808", "x"})
      add(at, size, other);
  }
}

constexpr std::string_view kWindows = R"(HloModule windows
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY main {
  x = f32[1,<=8,8,2]{3,2,1,0} parameter(0), sharding={replicated}
  y = f32[1,8,8,2] parameter(1)
  k = f32[3,3,1,4] constant({...})
  c = f32[1,4,9,4] convolution(y, k), window={size=3x3 stride=2x1 pad=1_0x1_2 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, feature_group_count=2, batch_group_count=1
  z = f32[] constant(-12)
  w = f32[1,4,4,2] reduce-window(y, z), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=add
  s = s32[3,2] constant({{0, 1}, {0, 2}, {0, 3}})
  g = f32[3,8,2] gather(y, s), offset_dims={1,2}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1,8,2}
  i = s32[] constant(0)
  d = f32[1,8,8,2] dynamic-slice(y, i, i, i, i), dynamic_slice_sizes={1,8,8,2}
  r = f32[1,8,8,2] all-reduce(y), replica_groups={{0}}, to_apply=add, channel_id=1, use_global_device_ids=true
  q = s32[4] iota(), iota_dimension=0
  e = pred[] compare(i, i), direction=EQ, type=SIGNED
  f = u8[2,2] constant({{1, 255}, {0, 7}})
  h = c128[] constant((1.5, -inf))
  o = f32[1,8,8,2] rng(z, z), distribution=rng_uniform
  ROOT t = (f32[1,4,9,4], f32[1,4,4,2], f32[3,8,2], f32[1,8,8,2]) tuple(c, w, g, r)
}
)";

TEST_CASE("what is said of a program in text with another word") {
  add_changed_words("words of a showcase", std::string(kShowcase));
}
TEST_CASE("what is said of a program with windows with another word") {
  add_changed_words("words of windows", std::string(kWindows));
}

// --- .npy ---

TEST_CASE("what is said of arrays with another byte") {
  using hlo::PrimitiveType;
  for (const PrimitiveType type : {PrimitiveType::kF32, PrimitiveType::kS8, PrimitiveType::kPred,
                                   PrimitiveType::kC64, PrimitiveType::kU64, PrimitiveType::kBF16})
    for (const hlo::Dimensions& sizes : {hlo::Dimensions{}, {3}, {2, 3}, {0, 4}}) {
      const hlo::Literal array = hlo::Literal::zeros(hlo::Shape::array(type, sizes));
      const tests::Content whole = write_npy(array);
      const auto add = [&](const tests::Content& bytes) {
        const Result<hlo::Literal> read = read_npy(bytes, array.shape());
        std::string said = read ? "read" : read.error().to_string();
        if (read)
          for (const std::byte byte : read->bytes()) said += static_cast<char>(byte);
        tests::add_digest("verdicts", "arrays", read.ok() ? 1 : 0, said);
      };
      for (size_t at = 0; at < whole.size(); ++at) {
        for (const int by : {1, -1, 64}) {
          tests::Content changed = whole;
          changed[at] = static_cast<std::byte>(std::to_integer<int>(changed[at]) + by);
          add(changed);
        }
        add({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at)});
      }
    }
}

// --- zip ---

std::string zip_text(const std::string& archive) {
  const Bytes bytes = as_bytes(archive);
  const Result<std::vector<ZipMember>> members = read_zip_directory(bytes);
  if (!members) return members.error().to_string();
  std::string out;
  for (const ZipMember& member : *members) {
    const Result<ZipContent> content = read_zip_member(bytes, member);
    out += cat(member.name, ": ",
               content ? std::string(as_text(content->bytes)) : content.error().to_string(), "\n");
  }
  return out;
}

TEST_CASE("archives give their members, and with a byte changed what is said of them") {
  const std::vector<std::string> archives = {zip_of({{"a.txt", "all of it", "", "", false}}, ""),
                                             zip_of({{"a.txt", "all of it", "ex", "about", false},
                                                     {"b", std::string(300, 'b'), "", "", true},
                                                     {"empty", "", "", "", true},
                                                     {"", "", "", "", false}},
                                                    "a comment"),
                                             zip_of({}, "none")};
  CHECK(zip_text(archives[0]) == "a.txt: all of it\n");
  CHECK(zip_text(archives[1]) ==
        cat("a.txt: all of it\nb: ", std::string(300, 'b'), "\nempty: \n: \n"));
  CHECK(zip_text(archives[2]).empty());
  CHECK(is_zip(as_bytes(archives[0])));
  CHECK_FALSE(is_zip(as_bytes(archives[2])));
  const auto add = [](const std::string& archive) {
    const std::string said = zip_text(archive);
    tests::add_digest("verdicts", "archives", 1, said);
  };
  for (const std::string& whole : archives)
    for (size_t at = 0; at < whole.size(); ++at) {
      for (const int by : {1, -1, 2, 8, 46, 128, 255}) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] + by);
        add(changed);
      }
      for (const char filled : {'\xff', '\0'}) {
        std::string changed = whole;
        for (size_t i = at; i < std::min(at + 4, whole.size()); ++i) changed[i] = filled;
        add(changed);
        changed = whole;
        for (size_t i = at; i < std::min(at + 2, whole.size()); ++i) changed[i] = filled;
        add(changed);
      }
      add(whole.substr(0, at));
      add(whole.substr(at));
    }
}

}  // namespace
}  // namespace hlocc::import
