// See notes.h.
#include "driver/cli/notes.h"

#include <cstdio>
#include <utility>

#include "driver/cli/terminal.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Where this thread writes down what it says; null: nowhere.
std::vector<Said>*& written_down() {
  thread_local std::vector<Said>* into = nullptr;
  return into;
}

void show(const CommandLine& line, const Said& said) {
  if (!wants_notes(line)) return;
  const std::string word =
      said.is_warning ? coloured("warning: ", Colour::kMagenta) : coloured("note: ", Colour::kCyan);
  std::fputs(cat(word, for_terminal(said.text), "\n").c_str(), stderr);
}

void say(const CommandLine& line, Said said) {
  if (said.text.empty()) return;
  show(line, said);
  if (written_down() != nullptr) written_down()->push_back(std::move(said));
}

}  // namespace

bool wants_notes(const CommandLine& line) { return !line.json && !line.quiet; }

void say_note(const CommandLine& line, const std::string& text) { say(line, {false, text}); }

void say_warning(const CommandLine& line, const std::string& text) { say(line, {true, text}); }

SaidScope::SaidScope(std::vector<Said>* into) : before_(std::exchange(written_down(), into)) {}
SaidScope::~SaidScope() { written_down() = before_; }

void say_again(const CommandLine& line, const std::vector<Said>& said) {
  for (const Said& one : said) say(line, one);
}

}  // namespace hlocc::driver
