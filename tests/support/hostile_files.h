// Files of models that are wrong: those in a folder, each refused by a diagnostic that names what is
// wrong, and good ones that were cut or changed, which are read or refused as long as reading ends.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hlo/module.h"
#include "import/file.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc::tests {

using Content = std::vector<std::byte>;
// Reads it within a budget, and tells whether it was taken.
using IsRead = std::function<bool(const Content&)>;

inline Content content_of(const std::string& path) {
  Result<Content> bytes = import::read_file(path);
  REQUIRE(bytes.ok());
  return std::move(*bytes);
}

// Whether `module`, read of bytes called "file", was taken: then it keeps HLO's rules. A refusal has
// words, is no bug of ours, and names the file.
inline bool is_taken(const Result<hlo::Module>& module) {
  if (module) {
    const Status sound = ops::verify(*module);
    if (!sound) FAIL_CHECK(sound.error().to_string());
    return true;
  }
  CHECK(!module.error().message.empty());
  CHECK(module.error().kind != DiagnosticKind::kInternal);
  CHECK(module.error().location.file == "file");
  return false;
}

// FOLDER/bad/errors.txt: lines "NAME WORDS"; each FOLDER/bad/NAME.EXTENSION is refused in these
// words. How many there are.
inline int check_refusals(const std::string& folder, const std::string& extension) {
  const Content raw = content_of(cat(folder, "/bad/errors.txt"));
  const std::string text(reinterpret_cast<const char*>(raw.data()), raw.size());
  int cases = 0;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    const size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank), part = line.substr(blank + 1);
    INFO(name);
    const auto read = import::read_model_file(cat(folder, "/bad/", name, extension));
    REQUIRE_FALSE(read.ok());
    INFO(read.error().to_string());
    CHECK(read.error().message.find(part) != std::string::npos);
    ++cases;
  }
  return cases;
}

// `whole` is taken, and cut anywhere it is not.
inline void check_cuts(const Content& whole, const IsRead& is_read) {
  REQUIRE(is_read(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK_FALSE(is_read(Content(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

// A word at every `step` bytes becomes 0, -1, a large number and so on; each byte loses bits.
inline void change_words(const Content& whole, size_t step, const IsRead& is_read) {
  constexpr uint32_t words[] = {0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x100000};
  for (size_t at = 0; at + 4 <= whole.size(); at += step)
    for (const uint32_t word : words) {
      Content changed = whole;
      std::memcpy(&changed[at], &word, sizeof word);
      is_read(changed);
    }
  for (size_t at = 0; at < whole.size(); ++at)
    for (const int flip : {1, 2, 16, 128, 255}) {
      Content changed = whole;
      changed[at] ^= static_cast<std::byte>(flip);
      is_read(changed);
    }
}

// Each file of the folder, so many times, with one to three bytes that are drawn.
inline void draw_changes(const std::string& folder, const std::string& extension, int changes,
                         const IsRead& is_read) {
  std::mt19937 random(20261126);
  for (const std::filesystem::path& path : paths_in(folder)) {
    if (path.extension() != extension) continue;
    INFO(path.string());
    const Content whole = content_of(path.string());
    for (int change = 0; change < changes; ++change) {
      Content changed = whole;
      for (uint32_t left = 1 + random() % 3; left > 0; --left) {
        const size_t at = random() % changed.size();
        const auto by = static_cast<uint8_t>(random());
        changed[at] =
            random() % 2 == 0 ? static_cast<std::byte>(by % 5) : static_cast<std::byte>(by);
      }
      is_read(changed);
    }
  }
}

}  // namespace hlocc::tests
