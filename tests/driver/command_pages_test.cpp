// Man page and completions know every verb and flag that the command line knows.
#include "driver/cli/command_pages.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/cli/command_tree.h"
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

TEST_CASE("every verb and flag stands in the man page and in both completions") {
  Tree tree;
  const std::string man = man_page(tree.app), bash = bash_completion(tree.app),
                    zsh = zsh_completion(tree.app);
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
        ++flags;
      }
    }
  }
  CHECK(flags > 30);
}

TEST_CASE("bash completes verbs, flags and values from lists") {
  Tree tree;
  const std::string bash = bash_completion(tree.app);
  CHECK(offered(bash, "hlocc co", 1) == " compile \n");
  CHECK(offered(bash, "hlocc compile --tar", 2) == " --target \n");
  CHECK(offered(bash, "hlocc compile --target cortex-m4", 3) == " cortex-m4 cortex-m4f \n");
  CHECK(offered(bash, "hlocc compile --target stm32f407v", 3) == " stm32f407ve stm32f407vg \n");
  CHECK(offered(bash, "hlocc targets cortex-m4", 2) == " cortex-m4 cortex-m4f \n");
  CHECK(offered(bash, "hlocc targets --js", 2) == " --json \n");
  CHECK(offered(bash, "hlocc run --tar", 2) == "  \n");
  CHECK(offered(bash, "hlocc compile --float-abi so", 3) == " softfp soft \n");
}

TEST_CASE("the man page is roff without complaints") {
  if (std::system("command -v groff > /dev/null") != 0) return;
  Tree tree;
  const std::string name = fresh_file();
  std::ofstream(name) << man_page(tree.app);
  CHECK(std::system(cat("test -z \"$(groff -man -ww -Tascii -z ", name, " 2>&1)\"").c_str()) == 0);
  std::filesystem::remove(name);
}

TEST_CASE("a page is asked for by its kind") {
  const Tree tree;
  CHECK(command_page("man") == man_page(tree.app));
  CHECK(command_page("bash") == bash_completion(tree.app));
  CHECK(command_page("zsh") == zsh_completion(tree.app));
  CHECK(command_page("fish").empty());
}

}  // namespace
}  // namespace hlocc::driver
