// See digests.h.
#include "support/digests.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

namespace hlocc::tests {
namespace {

struct Digest {
  size_t count = 0, size = 0;
  uint64_t hash = 0xcbf29ce484222325;
};
using Digests = std::map<std::string, Digest>;  // by test case

std::map<std::string, Digests>& files() {
  static std::map<std::string, Digests> all;
  return all;
}

std::string path_of(const std::string& name) { return "golden/" + name + ".txt"; }

std::string line_of(const std::string& test, const Digest& digest) {
  std::string hash(16, '0');
  uint64_t left = digest.hash;
  for (size_t i = hash.size(); i-- > 0; left >>= 4) hash[i] = "0123456789abcdef"[left & 15];
  return hash + " " + std::to_string(digest.count) + " of " + std::to_string(digest.size) + ": " +
         test;
}

using Lines = std::map<std::string, std::string>;  // by test

// The tests' lines in a golden file.
Lines lines_in(const std::string& path) {
  Lines lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const size_t at = line.find(": "); at != std::string::npos)
      lines[line.substr(at + 2)] = line;
  return lines;
}

// Ends a run that has to end with a failure, so that mutants that are seen are seen soon: a line
// that has all that its golden one has, and something else.
void end_at_first_difference(const std::string& name, const std::string& test,
                             const Digest& digest) {
  static const bool wanted = std::getenv("HLOCC_FIRST_DIFFERENCE") != nullptr;
  if (!wanted) return;
  static std::map<std::string, Lines> known;
  if (!known.contains(name)) known[name] = lines_in(path_of(name));
  const auto line = known[name].find(test);
  const std::string made = line_of(test, digest);
  const auto count_of = [](const std::string& text) { return std::stoull(text.substr(17)); };
  if (line == known[name].end() || count_of(line->second) != count_of(made) || line->second == made)
    return;
  std::cout << "another line than in " << path_of(name) << ": " << made << std::endl;
  std::_Exit(1);
}

}  // namespace

void add_digest(const std::string& name, size_t size, const std::string& text) {
  add_digest(name, Catch::getResultCapture().getCurrentTestName(), size, text);
}

void add_digest(const std::string& name, const std::string& test, size_t size,
                const std::string& text) {
  Digest& digest = files()[name][test];
  ++digest.count;
  digest.size += size;
  // FNV-1a: the same everywhere, and no more is asked of it.
  for (const char c : text)
    digest.hash = (digest.hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  end_at_first_difference(name, test, digest);
  if (const char* folder = std::getenv("HLOCC_TEXTS")) {
    std::string file = test;
    for (char& c : file)
      if (c == '/') c = '_';
    std::filesystem::create_directories(folder);
    std::ofstream(std::filesystem::path(folder) /
                  (name + " " + file + " " + std::to_string(digest.count)))
        << text;
  }
}

int check_digests() {
  int different = 0;
  for (const auto& [name, digests] : files()) {
    const std::string path = path_of(name);
    if (std::getenv("HLOCC_REGENERATE") != nullptr) {
      std::ofstream file(path);
      for (const auto& [test, digest] : digests) file << line_of(test, digest) << "\n";
      continue;
    }
    const Lines wanted = lines_in(path);
    for (const auto& [test, digest] : digests) {
      const auto found = wanted.find(test);
      const std::string line = line_of(test, digest);
      if (found != wanted.end() && found->second == line) continue;
      ++different;
      std::cout << path << " has\n  " << (found == wanted.end() ? "nothing" : found->second)
                << "\nand would have\n  " << line << "\n";
    }
  }
  if (different > 0)
    std::cout << different
              << " lines: the tests made something else than their golden files say. If that is "
              << "meant, write them anew with HLOCC_REGENERATE=1; HLOCC_TEXTS=FOLDER writes the "
              << "texts, to be compared with those of a build before the change.\n";
  return different > 0 ? 1 : 0;
}

}  // namespace hlocc::tests
