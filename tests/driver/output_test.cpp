// What is written to stdout and stderr: in colours only on a terminal that takes them, as wide as
// that is, and never lost without a word.
#include "driver/cli/output.h"

#include <sys/ioctl.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "driver/captured_output.h"
#include "driver/cli/notes.h"
#include "driver/cli/progress.h"
#include "driver/cli/report.h"
#include "driver/cli/terminal.h"
#include "driver/set_variable.h"

namespace hlocc::driver {
namespace {

using tests::CapturedOutput, tests::OwnTerminal, tests::Redirected, tests::SetVariable;

TEST_CASE("colours are for a terminal that takes them and a user who does not refuse") {
  const struct {
    bool is_terminal;
    std::optional<std::string> term, refused;
    bool is_user_there, has_colours;
  } rows[] = {
      {true, "xterm", {}, true, true},   {true, "xterm", "", true, true},
      {true, "xterm", "1", true, false}, {true, "dumb", {}, false, false},
      {true, {}, {}, false, false},      {false, "xterm", {}, false, false},
  };
  const OwnTerminal terminal;
  for (const auto& row : rows) {
    const SetVariable term("TERM", row.term), refused("NO_COLOR", row.refused);
    bool is_user_there = false, colours = false;
    std::string word;
    {
      const Redirected to(stderr,
                          row.is_terminal ? terminal.open_inner() : ::open("/dev/null", O_WRONLY));
      is_user_there = terminal_of_user() != nullptr;
      colours = has_colours();
      word = coloured("error", Colour::kRed);
    }
    INFO(row.is_terminal << " " << row.term.value_or("-") << " " << row.refused.value_or("-"));
    CHECK(is_user_there == row.is_user_there);
    CHECK(colours == row.has_colours);
    CHECK(word == (row.has_colours ? "\033[1;31merror\033[0m" : "error"));
  }
}

TEST_CASE("output is as wide as COLUMNS says, else as the terminal, else without end") {
  const OwnTerminal terminal;
  winsize size{};
  size.ws_col = 57;
  REQUIRE(::ioctl(terminal.outer(), TIOCSWINSZ, &size) == 0);
  const struct {
    std::optional<std::string> columns;
    size_t on_terminal, in_file;
  } rows[] = {{{}, 57, 0}, {"80", 80, 80}, {"1", 1, 1}, {"0", 57, 0}, {"-3", 57, 0}, {"x", 57, 0}};
  for (const auto& row : rows) {
    const SetVariable columns("COLUMNS", row.columns);
    const auto width_on = [](int descriptor) {
      const Redirected to(stdout, descriptor);
      return output_width();
    };
    INFO(row.columns.value_or("-"));
    CHECK(width_on(terminal.open_inner()) == row.on_terminal);
    CHECK(width_on(::open("/dev/null", O_WRONLY)) == row.in_file);
  }
}

TEST_CASE("output that is lost is an error of the environment, and says why") {
  // At the end, before it, or byte by byte.
  const struct {
    size_t bytes;
    int mode;
  } rows[] = {{1, _IOFBF}, {size_t{1} << 20, _IOFBF}, {1, _IONBF}};
  for (const auto& row : rows) {
    const CapturedOutput errors(stderr);
    int lost = 0, failed = 0;
    {
      const Redirected full(stdout, ::open("/dev/full", O_WRONLY));
      std::setvbuf(stdout, nullptr, row.mode, BUFSIZ);
      print_text(std::string(row.bytes, 'x'));
      lost = finish_output(kExitDone, false);
      std::clearerr(stdout);
      print_text(std::string(row.bytes, 'x'));
      failed = finish_output(kExitInput, false);
      std::clearerr(stdout);
    }
    std::setvbuf(stdout, nullptr, _IOFBF, BUFSIZ);
    INFO(row.bytes << " " << row.mode);
    CHECK(lost == kExitEnvironment);
    CHECK(failed == kExitInput);
    CHECK(errors.text().find("cannot write the standard output: No space left on device") !=
          std::string::npos);
  }
  const CapturedOutput out(stdout), errors(stderr);
  print("%s\n", "fine");
  CHECK(finish_output(kExitDone, false) == kExitDone);
  CHECK(out.text() == "fine\n");
  CHECK(errors.text().empty());
}

TEST_CASE("notes go to stderr, unless they are not wanted, and can be said again") {
  CommandLine plain, quiet, json;
  quiet.quiet = true;
  json.json = true;
  std::vector<Said> written;
  const CapturedOutput errors(stderr);
  {
    const SaidScope scope(&written);
    say_note(plain, "one");
    say_warning(plain, "two");
    say_note(plain, "");
    say_note(quiet, "three");
    say_warning(json, "four");
  }
  say_note(plain, "five");
  CHECK(errors.text() == "note: one\nwarning: two\nnote: five\n");
  REQUIRE(written.size() == 4);
  CHECK((written[1].is_warning && written[1].text == "two"));
  const CapturedOutput again(stderr);
  say_again(plain, written);
  CHECK(again.text() == "note: one\nwarning: two\nnote: three\nwarning: four\n");
}

TEST_CASE("a line of progress is for who wants notes, and stages for who wants many words") {
  struct Row {
    bool json, quiet, verbose;
    Telling telling;
  };
  const Row rows[] = {
      {false, false, false, Telling::kLine},   {false, false, true, Telling::kStages},
      {true, false, false, Telling::kNothing}, {true, false, true, Telling::kNothing},
      {false, true, false, Telling::kNothing}, {false, true, true, Telling::kNothing}};
  for (const Row& row : rows) {
    CommandLine line;
    line.json = row.json;
    line.quiet = row.quiet;
    line.verbose = row.verbose;
    CHECK(telling_of(line) == row.telling);
  }
}

TEST_CASE("a diagnostic has its words in colours where stderr has them, and the same text") {
  const Diagnostic diagnostic =
      error(DiagnosticKind::kUsage, "no such flag").at({"m.pb", 3}).note("try -h");
  const CapturedOutput plain(stderr);
  CHECK(report(diagnostic, false) == 2);
  CHECK(plain.text() == diagnostic.to_string());
  const OwnTerminal terminal;
  const SetVariable term("TERM", "xterm"), refused("NO_COLOR", std::nullopt);
  {
    const Redirected to(stderr, terminal.open_inner());
    report(diagnostic, false);
  }
  std::string shown(4096, '\0');
  shown.resize(static_cast<size_t>(
      std::max<ssize_t>(0, ::read(terminal.outer(), shown.data(), shown.size()))));
  CHECK(shown ==
        "\033[1mm.pb:3: \033[0m\033[1;31merror[usage]:\033[0m no such flag\r\n"
        "\033[1;36mnote:\033[0m try -h\r\n");
}

}  // namespace
}  // namespace hlocc::driver
