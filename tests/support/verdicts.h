// What a reader says of files, held by digests (digests.h): the text of the module that it makes of
// one, or the whole diagnostic. Good models, bad ones, and good ones in which one byte or word is
// one more or one less, so that every number of a file comes to both sides of each limit. Which of
// these are right is judged elsewhere (by what other runtimes compute, and case by case); here any
// change of what is read, refused or said shows.
#pragma once
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "support/budget.h"
#include "support/digests.h"
#include "support/folder.h"
#include "support/hostile_files.h"
#include "support/text.h"

namespace hlocc::tests {

// Reads the bytes of a file called "file".
using Read = std::function<Result<hlo::Module>(const Content&)>;

// Changed models may ask for anything: it is not made, and the words say so.
constexpr Limits kOfChanged = {.memory = int64_t{1} << 26};

// Adds to the file's line in golden/NAME.txt.
inline void add_verdict(const std::string& name, const std::string& line, const Content& bytes,
                        const Read& read, const Limits& limits = kOfChanged) {
  Budget budget(limits);
  const BudgetScope scope(&budget);
  const Result<hlo::Module> module = read(bytes);
  if (!module) return add_digest(name, line, 0, module.error().to_string());
  const Status sound = ops::verify(*module);
  if (!sound) FAIL_CHECK(sound.error().to_string());
  add_digest(name, line, 1, ops::to_text(*module));
}

// A line for each file of FOLDER with this ending. How many there are.
inline int add_verdicts(const std::string& name, const std::string& folder,
                        const std::string& ending, const Read& read) {
  int files = 0;
  for (const std::filesystem::path& path : paths_in(folder)) {
    const std::string file = path.filename().string();
    if (!file.ends_with(ending)) continue;
    INFO(file);
    add_verdict(name, file, content_of(path.string()), read, {});
    ++files;
  }
  return files;
}

// Changes one thing in the content; drawn from `random`.
using ChangeOne = std::function<void(Content& content, std::mt19937& random)>;

// A line for each file: what is said of it after each of so many changes. `part` of `parts`: those
// files whose number has this rest.
inline void add_changed_verdicts(const std::string& name, const std::string& folder,
                                 const std::string& ending, size_t part, size_t parts, int changes,
                                 const ChangeOne& change, const Read& read) {
  size_t number = 0;
  for (const std::filesystem::path& path : paths_in(folder)) {
    const std::string file = path.filename().string();
    if (!file.ends_with(ending) || number++ % parts != part) continue;
    INFO(file);
    const Content whole = content_of(path.string());
    std::mt19937 random(static_cast<uint32_t>(number));
    for (int i = 0; i < changes; ++i) {
      Content changed = whole;
      change(changed, random);
      add_verdict(name, file, changed, read);
    }
  }
}

// One byte is one more or one less, or, rarely, 0 or the one behind it.
inline void change_byte(Content& content, std::mt19937& random) {
  std::byte& byte = content[random() % content.size()];
  const auto value = std::to_integer<uint32_t>(byte);
  const uint32_t to[] = {value + 1, value + 1, value - 1, value - 1, value + 2, 0, 0xff, 1};
  byte = static_cast<std::byte>(to[random() % std::size(to)]);
}

}  // namespace hlocc::tests
