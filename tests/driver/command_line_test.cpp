// What the command line accepts, and how it refuses the rest.
#include "driver/cli/command_line.h"

#include <catch2/catch.hpp>

#include "driver/pipeline/shared_library.h"
#include "package/version.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Result<CommandLine> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "hlocc");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

CommandLine accepted(std::vector<const char*> words) {
  Result<CommandLine> line = parse(std::move(words));
  INFO((line.ok() ? "" : line.error().message));
  REQUIRE(line.ok());
  return *line;
}

void check_refused(std::vector<const char*> words) {
  INFO(words[0] << " " << words.back());
  Result<CommandLine> line = parse(std::move(words));
  REQUIRE(!line.ok());
  CHECK(line.error().kind == DiagnosticKind::kUsage);
}

TEST_CASE("compile takes its flags") {
  const CommandLine line = accepted({"compile",
                                     "m.pb",
                                     "-o",
                                     "out",
                                     "--name",
                                     "acme::Kws",
                                     "--target",
                                     "cortex-m4f",
                                     "--target",
                                     "host",
                                     "-Os",
                                     "--emit",
                                     "lib,header",
                                     "--emit",
                                     "asm",
                                     "--arg",
                                     "0=mfcc",
                                     "--result",
                                     "1=probs",
                                     "--keep-arguments",
                                     "--fast-math",
                                     "--no-winograd",
                                     "--no-integer-qdq",
                                     "--json"});
  CHECK(line.verb == Verb::kCompile);
  CHECK(line.models == std::vector<std::string>{"m.pb"});
  CHECK(line.output == "out");
  CHECK(line.options.name == "acme::Kws");
  CHECK(line.targets == std::vector<std::string>{"cortex-m4f", "host"});
  CHECK(line.options.level == Level::kOs);
  CHECK(line.compile.emit == std::set<package::Emit>{package::Emit::kLibrary,
                                                     package::Emit::kHeader,
                                                     package::Emit::kAssembly});
  CHECK(line.compile.argument_names.at("0") == "mfcc");
  CHECK(line.compile.result_names.at("1") == "probs");
  CHECK(line.options.keep_arguments);
  CHECK(line.options.fast_math);
  CHECK_FALSE(line.options.winograd);
  CHECK_FALSE(line.options.integer_qdq);
  CHECK(line.json);
}

TEST_CASE("a budget of RAM for the code itself") {
  CHECK(accepted({"compile", "m.pb", "--ram-budget", "64K"}).options.ram_budget == 65536);
  CHECK(accepted({"verify", "m.pb", "--ram-budget", "1"}).options.ram_budget == 1);
  CHECK(accepted({"compile", "m.pb"}).options.ram_budget == 0);
  CHECK(accepted({"compile", "m.pb", "--optimize=ram"}).options.optimize_ram);
  CHECK_FALSE(accepted({"compile", "m.pb"}).options.optimize_ram);
}

TEST_CASE("limits of what a file may cost are flags of all verbs that read models") {
  for (const char* verb : {"compile", "inspect", "analyze", "run", "bench", "verify"})
    CHECK(accepted({verb, "m.pb", "--limits", "work=1G,memory=2G"}).limits.memory == int64_t{2}
                                                                                         << 30);
  CHECK(accepted({"profile", "d", "--model", "m.pb", "--limits", "work=7"}).limits.work == 7);
  CHECK(accepted({"compile", "m.pb"}).limits.work == 0);
}

TEST_CASE("analyze takes several targets, budgets and a clock; compile the budgets") {
  const CommandLine line =
      accepted({"analyze", "m.pb", "--target", "cortex-m0", "--target", "rv32imc", "--ram", "64K",
                "--flash", "1M", "--stack", "2K", "--clock", "80MHz", "--html", "m.html"});
  CHECK(line.verb == Verb::kAnalyze);
  CHECK(line.targets.size() == 2);
  CHECK(line.budgets.ram == 65536);
  CHECK(line.budgets.flash == 1048576);
  CHECK(line.budgets.stack == 2048);
  CHECK(line.clock == 80e6);
  CHECK(line.html == "m.html");
  CHECK(accepted({"analyze", "m.pb"}).budgets.ram == -1);
  CHECK(accepted({"compile", "m.pb", "--ram", "1K"}).budgets.ram == 1024);
  check_refused({"compile", "m.pb", "--clock", "80MHz"});
  check_refused({"inspect", "m.pb", "--target", "host", "--target", "cortex-m0"});
  check_refused({"analyze", "m.pb", "--ram", "-5"});
}

TEST_CASE("flags that repeat leave the model alone") {
  CHECK(accepted({"compile", "--arg", "0=x", "m.pb"}).models == std::vector<std::string>{"m.pb"});
  CHECK(accepted({"compile", "--arg", "a[b=c]=x", "m.pb"}).compile.argument_names.at("a[b=c]") ==
        "x");
  CHECK(accepted({"compile", "--target", "host", "m.pb"}).models ==
        std::vector<std::string>{"m.pb"});
  CHECK(accepted({"run", "--input", "x=a.npy", "m.pb"}).models == std::vector<std::string>{"m.pb"});
  CHECK(accepted({"compile", "-"}).models == std::vector<std::string>{"-"});
  CHECK(accepted({"compile", "m.pb", "--features", "-a,+b"}).features == "-a,+b");
}

TEST_CASE("levels are spelled as compilers spell them") {
  CHECK(accepted({"compile", "m.pb"}).options.level == Level::kO2);
  CHECK(accepted({"compile", "-O0", "m.pb"}).options.level == Level::kO0);
  CHECK(accepted({"compile", "m.pb", "-Oz"}).options.level == Level::kOz);
  check_refused({"compile", "m.pb", "-O9"});
}

TEST_CASE("verify takes snapshots, an index, a shard") {
  const CommandLine line = accepted({"verify", "a.pb", "b.pb", "--index", "i.json", "--shard",
                                     "1/3", "--backend", "interpreter"});
  CHECK(line.models.size() == 2);
  CHECK(line.shard == 1);
  CHECK(line.shards == 3);
  check_refused({"verify"});
  check_refused({"verify", "a.pb", "--shard", "3/3"});
  check_refused({"verify", "a.pb", "--shard", "x"});
  check_refused({"verify", "a.pb", "--board", "b"});
}

TEST_CASE("verify takes several targets, and how many at once") {
  const CommandLine line =
      accepted({"verify", "a.pb", "--target", "host", "--target", "cortex-m0", "-j", "3"});
  CHECK(line.targets == std::vector<std::string>{"host", "cortex-m0"});
  CHECK(line.jobs == 3);
  check_refused({"verify", "a.pb", "--target", "host", "-j", "0"});
}

TEST_CASE("what is not there is refused and never ignored") {
  check_refused({"compile", "m.pb", "--threads"});
  check_refused({"compile", "m.pb", "--emit", "reprot"});
  check_refused({"compile"});
  check_refused({"dance"});
  check_refused({"compile", "m.pb", "--arg", "x"});
  check_refused({"compile", "m.pb", "--arg", "-1=x"});
  check_refused({"compile", "m.pb", "--arg", "0=x", "--arg", "0=y"});
  check_refused({"compile", "m.pb", "--float-abi", "medium"});
  check_refused({"run", "a.pb", "--target", "host", "--target", "cortex-m0"});
}

std::string refusal(std::vector<const char*> words) {
  const Result<CommandLine> line = parse(std::move(words));
  REQUIRE(!line.ok());
  return line.error().to_string();
}

void check_told(std::vector<const char*> words, const std::string& told) {
  const std::string text = refusal(std::move(words));
  INFO(text);
  CHECK(text.find(told) != std::string::npos);
}

TEST_CASE("compile takes several models for one arena") {
  const CommandLine line = accepted({"compile", "Kws=a.pb", "b.pb", "--shared-arena", "--name",
                                     "acme::Both", "--arg", "Kws:0=x"});
  CHECK(line.compile.shared_arena);
  CHECK(line.models == std::vector<std::string>{"Kws=a.pb", "b.pb"});
  CHECK(read_operand("Kws=a.pb").name == "Kws");
  CHECK(read_operand("Kws=a.pb").path == "a.pb");
  // What is no identifier is part of a path.
  CHECK(read_operand("./x=y.pb").path == "./x=y.pb");
  CHECK(read_operand("a.pb").path == "a.pb");
  CHECK(read_operand("kws").name.empty());
  CHECK(read_operand("kws").path == "kws");
  check_told({"compile", "a.pb", "b.pb"}, "--shared-arena makes one library");
  check_told({"compile", "a.pb", "--shared-arena", "--name", "A"}, "needs two models");
  check_told({"compile", "a.pb", "b.pb", "--shared-arena"}, "needs a --name");
  check_told({"compile", "-", "-", "--shared-arena", "--name", "A"}, "standard input is one model");
  check_told({"compile", "a.pb", "b.pb", "--shared-arena", "--name", "A", "--plugin", "x.so"},
             "--plugin do not go together");
  check_told({"compile", "a.pb", "--profile", "--plugin", "x.so"}, "--profile and --plugin");
  CHECK(accepted({"compile", "a.pb", "--profile"}).options.profile);
  check_told({"verify", "a.pb", "--runner", "true"}, "--runner needs a --target");
  CHECK(accepted({"verify", "a.pb", "--runner", "x", "--target", "host"}).verify.runner == "x");
  check_told({"profile", "d.txt"}, "--model");
  CHECK(accepted({"profile", "d.txt", "--model", "m.pb", "-Os"}).profile.has_level);
  check_told({"compile", "a.pb", "b.pb", "--shared-arena", "--name", "A", "--weights", "external"},
             "--weights external do not go together");
}

TEST_CASE("misspelt words are named, with the nearest that there is") {
  check_told({"compile", "m.pb", "--tagret", "cortex-m4f"},
             "has no flag --tagret\nnote: did you mean `--target`?");
  check_told({"compile", "m.pb", "--keep_argument"}, "did you mean `--keep-arguments`?");
  check_told({"compile", "m.pb", "-target", "host"}, "did you mean `--target`?");
  check_told({"complie", "m.pb"}, "there is no verb 'complie'\nnote: did you mean `compile`?");
  check_told({"dance"}, "verbs are compile, run");
  check_told({"kws.pb"}, "`hlocc compile kws.pb` compiles a model");
  check_told({"--verson"}, "did you mean `--version`?");
  check_told({"run", "m.pb", "--emit", "c"}, "--emit belongs to `hlocc compile`");
  check_told({"compile", "a.pb", "b.pb"}, "takes one MODEL, here are a.pb and b.pb");
  check_told({"backends", "cpu"}, "`hlocc backends` takes no cpu");
  check_told({"compile", "m.pb", "--emit", "libb"}, "did you mean `lib`?");
  check_told({"compile", "m.pb", "--target"}, "--target needs a value: --target T");
  check_told({"inspect", "m.pb", "--target", "host", "--target", "cortex-m0"},
             "only compile, verify, analyze, package take several --target");
  check_told({"compile", "m.pb", "--float-abi", "sotfp"}, "did you mean `softfp`?");
  // A word that belongs to a flag is no word of its own, and behind -- there are no flags.
  CHECK(accepted({"compile", "m.pb", "--name", "compile"}).options.name == "compile");
  CHECK(accepted({"compile", "--", "--model.pb"}).models[0] == "--model.pb");
}

TEST_CASE("sections have names that assemblers take") {
  for (const char* bad : {"", "a b", "a\"b", "a\nb", "a,b", "\x7f", ".bss", ".bss.w", ".init_array",
                          ".debug_info", ".note"})
    check_refused({"compile", "m.pb", "--weights-section", bad});
  check_told({"compile", "m.pb", "--weights-section", ".debug_info"}, ": .debug is left out");
  for (const char* good : {".weights", ".rodata.w_1", ".qspi-flash$", ".text", ".bssless", ".data"})
    CHECK(accepted({"compile", "m.pb", "--weights-section", good}).options.weights_section == good);
}

TEST_CASE("the version says commit and LLVM, as far as they are known") {
  const std::string name = cat("hlocc ", package::version());
  CHECK(version_line("0123456789ab", "19.1.7") == name + " (commit 0123456789ab, LLVM 19.1.7)");
  CHECK(version_line("0123456789ab+", "") ==
        name + " (commit 0123456789ab with changes, without LLVM)");
  CHECK(version_line("", "19.1.7") ==
        name + " (commit unknown: not built from a checkout, LLVM 19.1.7)");
}

TEST_CASE("every verb has -q, -v and --json") {
  for (const char* verb : {"targets", "backends"}) {
    CHECK(accepted({verb, "-q"}).quiet);
    CHECK(accepted({verb, "-v"}).verbose);
    CHECK(accepted({verb, "--json"}).json);
    check_refused({verb, "-q", "-v"});
  }
  for (const char* verb : {"run", "verify", "inspect", "analyze", "bench"})
    CHECK(accepted({verb, "m.pb", "-v"}).verbose);
}

TEST_CASE("stdout takes one thing") {
  CHECK(accepted({"compile", "m.pb", "-o", "-", "--emit", "c"}).output == "-");
  CHECK(accepted({"reduce", "m.pb", "-o", "-"}).output == "-");
  check_refused({"compile", "m.pb", "-o", "-"});
  check_refused({"compile", "m.pb", "-o", "-", "--emit", "c", "--depfile", "d"});
  check_refused({"compile", "m.pb", "-o", "-", "--emit", "c,header"});
  check_refused({"compile", "m.pb", "-o", "-", "--emit", "c", "--json"});
  check_refused({"analyze", "m.pb", "--html", "-", "--json"});
  check_refused({"inspect", "m.pb", "--graph", "svg", "--json"});
  check_refused({"inspect", "m.pb", "-o", "m.svg"});
}

TEST_CASE("without a word there is no verb") {
  const char* name = "hlocc";
  for (const int words : {0, 1}) {
    const Result<CommandLine> line = parse_command_line(words, &name);
    REQUIRE(!line.ok());
    CHECK(line.error().kind == DiagnosticKind::kUsage);
  }
}

TEST_CASE("help and version are answers") {
  check_refused({"--version", "x"});
  CHECK(accepted({"--version"}).asks_for_version);
  CHECK(accepted({"version"}).asks_for_version);
  CHECK_FALSE(accepted({"targets"}).asks_for_version);
  CHECK(accepted({"--help"}).answer.find("compile") != std::string::npos);
  CHECK(accepted({"compile", "--help"}).answer.find("--keep-arguments") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
