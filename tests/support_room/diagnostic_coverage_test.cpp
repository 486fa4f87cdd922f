// Every kind of diagnostic is provoked by some test: a kind that no test names is a promise that
// nobody keeps. Tests name kinds by enumerator or by the text in error[...], so that tests of the
// command line count too.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace {

namespace fs = std::filesystem;

// Kinds whose stage is not tested yet. A kind that gains a test must leave this list, so that it
// only shrinks.
const std::vector<std::string> exempt = {};

struct Kind {
  std::string enumerator, text;
};
const std::vector<Kind> kinds = {
#define HLOCC_DIAGNOSTIC(enumerator, text, exit) {#enumerator, text},
#include "support/diagnostic_kinds.def"
};

// All test sources with one of the extensions, but those of this room, where kinds are only
// printed.
std::string tests_of(const std::vector<std::string>& extensions) {
  std::string all;
  const fs::path root = fs::path(HLOCC_TEST_DATA).parent_path();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    const bool is_source =
        std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    if (!entry.is_regular_file() || !is_source ||
        entry.path().parent_path().filename() == "support_room")
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

bool contains_word(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const char after = at + word.size() < text.size() ? text[at + word.size()] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(after))) return true;
  }
  return false;
}

// "DiagnosticKind::kShape" or a message that starts with "shape: in a C++ test; "error[shape]"
// anywhere.
bool is_named(const Kind& kind, const std::string& programs, const std::string& scripts) {
  return contains_word(programs, "DiagnosticKind::" + kind.enumerator) ||
         contains_word(programs, "\"" + kind.text + ":") ||
         contains_word(programs, "error[" + kind.text + "]") ||
         contains_word(scripts, "error[" + kind.text + "]");
}

bool is_exempt(const Kind& kind) {
  return std::find(exempt.begin(), exempt.end(), kind.enumerator) != exempt.end();
}

}  // namespace

TEST_CASE("every diagnostic kind has a test, or stands in the list of exemptions") {
  const std::string programs = tests_of({".cpp", ".h"}), scripts = tests_of({".py", ".sh", ".txt"});
  for (const Kind& kind : kinds) {
    INFO(kind.enumerator);
    const bool named = is_named(kind, programs, scripts);
    if (is_exempt(kind)) {
      INFO("it has a test now: take it off the list of exemptions");
      CHECK(!named);
    } else {
      INFO("no test provokes it");
      CHECK(named);
    }
  }
}
