// What the command line accepts, and how it refuses the rest.
#include "driver/command_line.h"

#include <catch2/catch.hpp>

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
  const CommandLine line = accepted(
      {"compile",    "m.pb",     "-o",     "out",      "--name",  "acme::Kws",        "--target",
       "cortex-m4f", "--target", "host",   "-Os",      "--emit",  "lib,header",       "--emit",
       "asm",        "--arg",    "0=mfcc", "--result", "1=probs", "--keep-arguments", "--no-winograd",
       "--json"});
  CHECK(line.verb == Verb::kCompile);
  CHECK(line.models == std::vector<std::string>{"m.pb"});
  CHECK(line.output == "out");
  CHECK(line.options.name == "acme::Kws");
  CHECK(line.targets == std::vector<std::string>{"cortex-m4f", "host"});
  CHECK(line.options.level == Level::kOs);
  CHECK(line.emit == std::set<package::Emit>{package::Emit::kLibrary, package::Emit::kHeader,
                                             package::Emit::kAssembly});
  CHECK(line.options.argument_names.at(0) == "mfcc");
  CHECK(line.options.result_names.at(1) == "probs");
  CHECK(line.options.keep_arguments);
  CHECK_FALSE(line.options.winograd);
  CHECK(line.json);
}

TEST_CASE("flags that repeat leave the model alone") {
  CHECK(accepted({"compile", "--arg", "0=x", "m.pb"}).models == std::vector<std::string>{"m.pb"});
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

TEST_CASE("what is not there is refused and never ignored") {
  check_refused({"compile", "m.pb", "--threads"});
  check_refused({"compile", "m.pb", "--emit", "report"});
  check_refused({"compile"});
  check_refused({"compile", "a.pb", "b.pb"});
  check_refused({"dance"});
  check_refused({"compile", "m.pb", "--arg", "x"});
  check_refused({"compile", "m.pb", "--arg", "-1=x"});
  check_refused({"compile", "m.pb", "--arg", "0=x", "--arg", "0=y"});
  check_refused({"compile", "m.pb", "--float-abi", "medium"});
  check_refused({"verify", "a.pb", "--target", "host", "--target", "cortex-m0"});
}

TEST_CASE("help and version are answers") {
  CHECK(accepted({"--version"}).answer.starts_with("hlocc "));
  CHECK(accepted({"--help"}).answer.find("compile") != std::string::npos);
  CHECK(accepted({"compile", "--help"}).answer.find("--keep-arguments") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
