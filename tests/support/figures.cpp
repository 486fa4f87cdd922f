// See figures.h.
#include "support/figures.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace hlocc::tests {
namespace {

using FigureLines = std::map<std::string, Figures>;

std::map<std::string, FigureLines>& figure_files() {
  static std::map<std::string, FigureLines> all;
  return all;
}

// Two lines each: the name, and the figures behind two blanks.
std::map<std::string, std::string> figures_in(const std::string& path) {
  std::map<std::string, std::string> found;
  std::ifstream file(path);
  std::string name;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("  "))
      found[name] = line.substr(2);
    else
      name = line;
  return found;
}

void write_figures(const std::string& path, const FigureLines& lines) {
  std::ofstream file(path);
  for (const auto& [name, figures] : lines) file << name << "\n  " << figures.to_text() << "\n";
}

int figures_that_differ(const std::string& path, const FigureLines& lines) {
  int different = 0;
  const std::map<std::string, std::string> wanted = figures_in(path);
  for (const auto& [name, figures] : lines) {
    const auto found = wanted.find(name);
    const std::string text = figures.to_text();
    if (found != wanted.end() && found->second == text) continue;
    ++different;
    std::cout << path << ", " << name << ": is\n  "
              << (found == wanted.end() ? "nothing" : found->second) << "\nand would be\n  " << text
              << "\n";
  }
  return different;
}

}  // namespace

void Figures::add(const std::string& name, int64_t number) {
  const auto found = std::ranges::find(numbers_, name, &std::pair<std::string, int64_t>::first);
  if (found == numbers_.end())
    numbers_.emplace_back(name, number);
  else
    found->second += number;
}

void Figures::add_cost(const std::string& name, double cost) { add(name, std::llround(cost)); }

void Figures::add(const Figures& other) {
  for (const auto& [name, number] : other.numbers_) add(name, number);
  for (const auto& [kind, times] : other.kinds_) count(kind, times);
}

std::string Figures::to_text() const {
  std::string text;
  for (const auto& [name, number] : numbers_)
    if (number != 0) text += (text.empty() ? "" : ", ") + name + " " + std::to_string(number);
  std::string between = text.empty() ? "" : "; ";
  for (const auto& [kind, times] : kinds_) {
    text += between + std::to_string(times) + " " + kind;
    between = ", ";
  }
  return text;
}

void add_figures(const std::string& file, const Figures& figures) {
  add_figures(file, Catch::getResultCapture().getCurrentTestName(), figures);
}

void add_figures(const std::string& file, const std::string& line, const Figures& figures) {
  figure_files()[file][line].add(figures);
}

int check_figures() {
  int different = 0;
  for (const auto& [name, lines] : figure_files()) {
    const std::string path = "golden/" + name + ".txt";
    if (std::getenv("HLOCC_REGENERATE") != nullptr)
      write_figures(path, lines);
    else
      different += figures_that_differ(path, lines);
  }
  if (different > 0)
    std::cout << different << " lines have other figures than their golden files say. If that is "
              << "meant, write them anew with HLOCC_REGENERATE=1 and judge the difference.\n";
  return different > 0 ? 1 : 0;
}

}  // namespace hlocc::tests
