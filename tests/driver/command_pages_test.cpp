// Man page and completions know every verb and flag that the command line knows.
#include "driver/cli/command_pages.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "driver/cli/command_examples.h"
#include "driver/cli/command_tree.h"
#include "driver/cli/page_flags.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Tree {
  CommandLine line;
  CommandTexts texts;
  CLI::App app;
  Tree() { build_command_tree(app, line, texts); }
};

std::string fresh_file() {
  std::string name = (std::filesystem::temp_directory_path() / "hlocc_pages_XXXXXX").string();
  ::close(::mkstemp(name.data()));
  return name;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// What bash offers after these words, of which the last is being typed.
std::string offered(const std::string& completion, const std::string& words, int last) {
  const std::string name = fresh_file();
  std::ofstream(name) << completion << "COMP_WORDS=(" << words << ")\nCOMP_CWORD=" << last
                      << "\n_hlocc\necho \" ${COMPREPLY[*]} \"\n";
  std::FILE* shell = ::popen(cat("bash ", name, " 2>&1").c_str(), "r");
  std::string out;
  for (int c; (c = std::fgetc(shell)) != EOF;) out += static_cast<char>(c);
  CHECK(::pclose(shell) == 0);
  std::filesystem::remove(name);
  return out;
}

TEST_CASE("every verb and flag stands in the man page and in all completions") {
  Tree tree;
  const std::string man = man_page(tree.app), bash = bash_completion(tree.app),
                    zsh = zsh_completion(tree.app), fish = fish_completion(tree.app);
  int flags = 0;
  for (const CLI::App* verb : tree.app.get_subcommands([](const CLI::App*) { return true; })) {
    INFO(verb->get_name());
    CHECK(man.find(cat(".SH \"HLOCC ", verb->get_name(), "\"")) != std::string::npos);
    CHECK(zsh.find(cat("'", verb->get_name(), ":")) != std::string::npos);
    const std::string all = offered(bash, cat("hlocc ", verb->get_name(), " -"), 2);
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        INFO(name);
        CHECK(all.find(cat(" --", name, " ")) != std::string::npos);
        CHECK(zsh.find(cat("'*--", name, "[")) != std::string::npos);
        CHECK(fish.find(cat("__fish_seen_subcommand_from ", verb->get_name(), "' -l ", name,
                            " ")) != std::string::npos);
        ++flags;
      }
    }
  }
  CHECK(flags > 30);
}

TEST_CASE("bash completes verbs, flags and values from lists") {
  Tree tree;
  const std::string bash = bash_completion(tree.app);
  // A case for each flag that has a list of values, and for no other.
  const auto cases_of = [&](const std::string& flag) {
    size_t count = 0;
    for (const std::string& line : split(bash, '\n'))
      count += line.starts_with(cat("    ", flag, ") COMPREPLY")) ? 1 : 0;
    return count;
  };
  CHECK(cases_of("--target") == 1);
  CHECK(cases_of("--name") == 0);
  CHECK(cases_of("--json") == 0);
  CHECK(offered(bash, "hlocc com", 1) == " compile \n");
  CHECK(offered(bash, "hlocc compile --tar", 2) == " --target \n");
  CHECK(offered(bash, "hlocc compile --target cortex-m4", 3) == " cortex-m4 cortex-m4f \n");
  CHECK(offered(bash, "hlocc compile --target stm32f407v", 3) == " stm32f407ve stm32f407vg \n");
  CHECK(offered(bash, "hlocc targets cortex-m4", 2) == " cortex-m4 cortex-m4f \n");
  CHECK(offered(bash, "hlocc targets --js", 2) == " --json \n");
  CHECK(offered(bash, "hlocc run --tar", 2) == "  \n");
  CHECK(offered(bash, "hlocc compile --float-abi so", 3) == " softfp soft \n");
}

// What fish offers for these words; the completion of the commands that it knows is left out.
TEST_CASE("fish reads its completion, and completes as bash does") {
  if (std::system("command -v fish > /dev/null") != 0) return;
  Tree tree;
  const std::string name = fresh_file();
  std::ofstream(name) << fish_completion(tree.app);
  const auto offered_by_fish = [&](const std::string& words) {
    std::FILE* shell = ::popen(
        cat("fish --no-config -c \"source ", name, "; complete -C '", words, "'\" 2>&1 | cut -f1")
            .c_str(),
        "r");
    std::string out;
    for (int c; (c = std::fgetc(shell)) != EOF;) out += static_cast<char>(c);
    CHECK(::pclose(shell) == 0);
    return out;
  };
  CHECK(offered_by_fish("hlocc com") == "compile\n");
  CHECK(offered_by_fish("hlocc compile --tar") == "--target\n");
  CHECK(offered_by_fish("hlocc compile --target cortex-m4") == "cortex-m4\ncortex-m4f\n");
  CHECK(offered_by_fish("hlocc targets cortex-m4") == "cortex-m4\ncortex-m4f\n");
  CHECK(offered_by_fish("hlocc run --tar").empty());
  std::filesystem::remove(name);
}

TEST_CASE("each verb has an example, and each example is a command line") {
  const std::string man = replaced(command_page("man"), "\\-", "-");
  std::set<std::string_view> verbs;
  for (const CommandExample& example : command_examples()) {
    INFO(example.line);
    std::vector<std::string> words = split(std::string(example.line), ' ');
    REQUIRE(words.size() > 1);
    CHECK(words[1] == example.verb);
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    CHECK(parse_command_line(static_cast<int>(argv.size()), argv.data()).ok());
    CHECK(man.find(std::string(example.what)) != std::string::npos);
    verbs.insert(example.verb);
  }
  Tree tree;
  for (const CLI::App* verb : page_verbs(tree.app)) {
    CHECK(verbs.contains(verb->get_name()));
    CHECK(verb->get_footer().find(cat("  hlocc ", verb->get_name())) != std::string::npos);
  }
}

TEST_CASE("the man page is roff without complaints") {
  if (std::system("command -v groff > /dev/null") != 0) return;
  Tree tree;
  const std::string name = fresh_file();
  std::ofstream(name) << man_page(tree.app);
  CHECK(std::system(cat("test -z \"$(groff -man -ww -Tascii -z ", name, " 2>&1)\"").c_str()) == 0);
  std::filesystem::remove(name);
}

TEST_CASE("docs/flags.md has each verb with its operands, flags and examples") {
  const Tree tree;
  const std::string page = markdown_page(tree.app);
  const std::string path = std::string(HLOCC_TEST_DATA) + "/../../docs/flags.md";
  if (std::getenv("HLOCC_REGENERATE")) std::ofstream(path, std::ios::binary) << page;
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  INFO("docs/flags.md is out of date: run this test with HLOCC_REGENERATE=1");
  CHECK(written == page);
  // What would end a cell does not.
  for (const std::string& line : split(page, '\n')) {
    if (line.empty() || line[0] != '|') continue;
    INFO(line);
    CHECK(std::ranges::count(replaced(line, "\\|", ""), '|') == 3);
  }
}

TEST_CASE("zsh and fish read a text that has their own signs as it is") {
  CLI::App app;
  app.add_subcommand("verb", "it's [a]: b\\c");
  CHECK(zsh_completion(app).find(R"('verb:it'\''s \[a\]\: b\\c')") != std::string::npos);
  CHECK(fish_completion(app).find(R"(-a verb -d 'it\'s [a]: b\\c')") != std::string::npos);
}

TEST_CASE(
    "the man page takes no text for a macro, and has a row for each operand that is described") {
  CLI::App app;
  app.description(".so x");
  CLI::App* verb = app.add_subcommand("verb", "'as it is'");
  verb->add_option("FILE", "a-b");
  verb->add_option("OTHER");
  verb->add_option("--flag", "what\\is");
  const std::string man = man_page(app);
  CHECK(man.find("\n\\&.so x.\n") != std::string::npos);
  CHECK(man.find(".SH \"HLOCC verb\"\n\\fBhlocc verb\\fR [FILE] [OTHER] [\\fIFLAG\\fR...]\n.PP\n"
                 "\\&'as it is'.\n.TP\n\\fIFILE\\fR\na\\-b\n.TP\n") != std::string::npos);
  CHECK(man.find("what\\eis\n") != std::string::npos);
  CHECK(man.find("\\fIOTHER") == std::string::npos);
  CHECK(man.find("\\fI\\fR") == std::string::npos);
}

TEST_CASE("a page is asked for by its kind") {
  const Tree tree;
  CHECK(command_page("man") == man_page(tree.app));
  CHECK(command_page("bash") == bash_completion(tree.app));
  CHECK(command_page("zsh") == zsh_completion(tree.app));
  CHECK(command_page("fish") == fish_completion(tree.app));
  CHECK(command_page("markdown") == markdown_page(tree.app));
  CHECK(command_page("tcsh").empty());
}

}  // namespace
}  // namespace hlocc::driver
