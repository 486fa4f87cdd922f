// What each wrong value of a flag, and each pair of flags that does not go together, is answered,
// word for word, beside what is just right (driver/cli/command_values.cpp, command_words.cpp,
// command_line.cpp, dimensions.cpp; driver/pipeline/memories.cpp).
#include <catch2/catch.hpp>
#include <span>

#include "driver/cli/command_line.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Result<CommandLine> parsed_words(const std::string& words) {
  std::vector<std::string> all = split(words, ' ');
  std::vector<const char*> raw{"hlocc"};
  for (const std::string& word : all) raw.push_back(word.c_str());
  return parse_command_line(static_cast<int>(raw.size()), raw.data());
}

// "" where the words are taken; the message and its notes, without "error[usage]: ", where not.
std::string answer_to(const std::string& words) {
  const Result<CommandLine> line = parsed_words(words);
  if (line) return "";
  CHECK(line.error().kind == DiagnosticKind::kUsage);
  std::string text = line.error().to_string();
  const std::string head = "error[usage]: ";
  REQUIRE(text.ends_with('\n'));
  text.pop_back();
  return text.substr(text.find(head) + head.size());
}

struct AnswerRow {
  const char *words, *answer;
};

void check_answers(std::span<const AnswerRow> rows) {
  for (const AnswerRow& row : rows) {
    INFO(row.words);
    CHECK(answer_to(row.words) == row.answer);
  }
}

TEST_CASE("levels, ABIs and kinds of files: what there is, and what was meant") {
  const AnswerRow rows[] = {
      {"compile m.pb -O0", ""},
      {"compile m.pb -O3", ""},
      {"compile m.pb -Oz", ""},
      {"compile m.pb -O4", "-O4: levels are -O0 -O1 -O2 -O3 -Os -Oz"},
      {"compile m.pb -Ofast", "-Ofast: levels are -O0 -O1 -O2 -O3 -Os -Oz"},
      {"compile m.pb --float-abi hard", ""},
      {"compile m.pb --float-abi soft", ""},
      {"compile m.pb --float-abi softpf",
       "--float-abi softpf: it is hard, softfp or soft\nnote: did you mean `softfp`?"},
      {"compile m.pb --float-abi x", "--float-abi x: it is hard, softfp or soft"},
      {"compile m.pb --emit header,lib", ""},
      {"compile m.pb --emit headre",
       "--emit headre: there is no such kind of file\nnote: did you mean `header`?\nnote: kinds "
       "are KINDS"},
  };
  for (const AnswerRow& row : rows) {
    std::string answer = answer_to(row.words);
    if (const size_t at = answer.find("kinds are "); at != std::string::npos)
      answer = answer.substr(0, at) + "kinds are KINDS";
    INFO(row.words);
    CHECK(answer == row.answer);
  }
}

TEST_CASE("names of arguments and sizes of dimensions") {
  const std::string name = ": it is I=NAME, as in 0=mfcc, or HLO_NAME=NAME, as in s['gain']=gain";
  const std::string size =
      ": it is NAME=SIZE, as in batch=1, or 0=1 for the first dimension of all arguments";
  const std::pair<const char*, std::string> rows[] = {
      {"compile m.pb --arg 0=a --arg 1=b", ""},
      {"compile m.pb --arg a=b=c", ""},
      {"compile m.pb --arg a=", ""},
      {"compile m.pb --arg a", "--arg a" + name},
      {"compile m.pb --arg =a", "--arg =a" + name},
      {"compile m.pb --arg=-1=a", "--arg -1=a" + name},
      {"compile m.pb --arg 0=a --arg 0=b", "--arg 0=b: leaf 0 has a name already"},
      {"compile m.pb --result 0=a --arg 0=a", ""},
      {"compile m.pb --result 0=a --result 0=a", "--result 0=a: leaf 0 has a name already"},
      {"inspect m.pb --dim n=1 --dim m=1", ""},
      {"inspect m.pb --dim n=0", ""},
      {"inspect m.pb --dim n=2147483647", ""},
      {"inspect m.pb --dim n=2147483648", "--dim n=2147483648" + size},
      {"inspect m.pb --dim n=-1", "--dim n=-1" + size},
      {"inspect m.pb --dim n=1x", "--dim n=1x" + size},
      {"inspect m.pb --dim n=", "--dim n=" + size},
      {"inspect m.pb --dim n", "--dim n" + size},
      {"inspect m.pb --dim =1", "--dim =1" + size},
      {"inspect m.pb --dim 5", "--dim 5" + size},
      {"inspect m.pb --dim n=1 --dim n=2", "--dim n=2: n has a size already"},
  };
  for (const auto& [words, answer] : rows) {
    INFO(words);
    CHECK(answer_to(words) == answer);
  }
  CHECK(parsed_words("inspect m.pb --dim x=y=3")->reading.dimensions.at("x=y") == 3);
  CHECK(parsed_words("compile m.pb --arg x=y=z")->compile.argument_names.at("x=y") == "z");
}

TEST_CASE("flags and operands that a verb does not have, and values that are not there") {
  const AnswerRow rows[] = {
      {"verify a.pb --atol=", "--atol needs a value: --atol X"},
      {"verify a.pb --atol= 5", "--atol needs a value: --atol X"},
      {"verify a.pb --atol", "--atol needs a value: --atol X"},
      {"verify a.pb --atol=5", ""},
      {"verify a.pb --atol 5", ""},
      {"compile m.pb -O", "-O needs a value: -O LEVEL"},
      {"compile m.pb -O s", ""},
      {"compile m.pb --name=", "--name needs a value: --name TEXT"},
      {"compile m.pb --name ", ""},
      {"compile -- -m.pb", ""},
      {"compile - -o d", ""},
      {"compile m.pb -x",
       "`hlocc compile` has no flag -x\nnote: `hlocc compile --help` lists the flags"},
      {"--x", "`hlocc` has no flag --x\nnote: `hlocc --help` lists the flags"},
      {"targets a b", "`hlocc targets` takes one NAME, here are a and b"},
      {"backends a b", "`hlocc backends` takes no a and b"},
      {"compile a.pb b.pb --help", ""},
      {"backends a --help", ""},
      {"x/y", "there is no verb 'x/y'\nnote: `hlocc compile x/y` compiles a model"},
      {"-", "there is no verb '-'\nnote: `hlocc compile -` compiles a model"},
      {"verson",
       "there is no verb 'verson'\nnote: verbs are compile, run, verify, snapshot, convert, bench, "
       "inspect, analyze, profile, reduce, doctor, matrix, package, targets, backends, explain"},
  };
  check_answers(rows);
}

TEST_CASE("shares of an index") {
  const AnswerRow rows[] = {
      {"verify --index i --shard 0/1", ""},
      {"verify --index i --shard 6/7", ""},
      {"verify --index i --shard 7/7", "--shard 7/7: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard 1", "--shard 1: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard /2", "--shard /2: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard 0/", "--shard 0/: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard=-1/2", "--shard -1/2: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard 0/2x", "--shard 0/2x: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard 0x/2", "--shard 0x/2: it is I/N with I from 0 to N - 1"},
      {"verify --index i --shard 0/9999999999",
       "--shard 0/9999999999: it is I/N with I from 0 to N - 1"},
  };
  check_answers(rows);
}

TEST_CASE("tolerances") {
  const std::string not_one = ": a tolerance is a number that is not negative\nnote: ";
  const std::pair<const char*, std::string> rows[] = {
      {"verify a.pb --rtol 0", ""},
      {"verify a.pb --rtol 1e-4 --atol 2", ""},
      {"verify a.pb --rtol=-1", "--rtol -1" + not_one + "--rtol 1e-4"},
      {"verify a.pb --rtol 1x", "--rtol 1x" + not_one + "--rtol 1e-4"},
      {"verify a.pb --rtol inf", "--rtol inf" + not_one + "--rtol 1e-4"},
      {"verify a.pb --atol nan", "--atol nan" + not_one + "--atol 1e-4"},
      {"verify a.pb --atol 1e999", "--atol 1e999" + not_one + "--atol 1e-4"},
      {"verify --streams 3 --rtol 1",
       "--rtol and --atol compare results, and --streams compares bytes"},
      {"verify --streams 0 --atol 1",
       "--rtol and --atol compare results, and --streams compares bytes"},
      {"verify --streams 3", ""},
      {"verify --streams 0", ""},
  };
  for (const auto& [words, answer] : rows) {
    INFO(words);
    CHECK(answer_to(words) == answer);
  }
  CHECK(parsed_words("verify a.pb --rtol 0.5")->verify.rtol == 0.5);
  CHECK_FALSE(parsed_words("verify a.pb")->verify.rtol);
}

TEST_CASE("sections that are something else than constants are told apart") {
  const auto answer = [](const std::string& name) {
    const std::string text = answer_to("compile m.pb --weights-section=" + name);
    return text.empty() ? text : text.substr(0, text.find("\nnote: "));
  };
  const auto special = [](const std::string& name, const std::string& why) {
    return cat("--weights-section ", name, ": ", why);
  };
  const std::pair<const char*, const char*> rows[] = {
      {".bss", "holds zeros, which are not stored"},
      {".sbss", "holds zeros, which are not stored"},
      {".tbss", "holds zeros, which are not stored"},
      {".noinit", "is not stored"},
      {".init_array", "holds addresses of functions"},
      {".fini_array", "holds addresses of functions"},
      {".preinit_array", "holds addresses of functions"},
      {".ctors", "holds addresses of functions"},
      {".dtors", "holds addresses of functions"},
      {".tdata", "belongs to threads"},
      {".note", "holds the linker's notes"},
      {".debug", "is left out of a firmware"},
      {".comment", "is left out of a firmware"},
      {".symtab", "is the linker's own"},
      {".strtab", "is the linker's own"},
      {".shstrtab", "is the linker's own"},
      {".rel", "is the linker's own"},
      {".rela", "is the linker's own"},
      {".group", "is the linker's own"}};
  for (const auto& [name, why] : rows) {
    CHECK(answer(name) == special(name, cat(name, " ", why)));
    CHECK(answer(cat(name, ".x")) == special(cat(name, ".x"), cat(name, " ", why)));
    CHECK(answer(cat(name, "x")).empty());
    // Of .debug alone there are sections with an underscore.
    CHECK(answer(cat(name, "_x")).empty() == (std::string(name) != ".debug"));
  }
  CHECK(answer_to("compile m.pb --weights-section ")
            .starts_with("--weights-section : the name is empty\nnote: a section's name is made of "
                         "letters, digits"));
  CHECK(answer("a*") == "--weights-section a*: no assembler takes that name");
  CHECK(answer("aZ09_.$-").empty());
}

TEST_CASE("memories of a target") {
  const std::string header =
      "\nnote: letters, digits and _, a letter first: fast:64K gives ..._ARENA_FAST_BYTES";
  const std::string order =
      "\nnote: the fastest memory is the first, and the last one takes the rest; NAME:BYTES:WAITS "
      "says how many cycles an access waits";
  const std::string one = "\nnote: --memory fast:64K,slow:512K; --ram checks what one memory holds";
  const std::pair<std::string, std::string> rows[] = {
      {"a:1,b", ""},
      {"a:1,b:2", ""},
      {"a:1:0,b:2:1000", ""},
      {"a:1:3,b:2:3", ""},
      {"a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1", ""},
      {"a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1", "ALL: there are at most 8 memories"},
      {"a:1", "ALL: that is one memory, and there is nothing to choose" + one},
      {"a:1,_b", "_b: _b is no name for the header" + header},
      {"a:1,2b", "2b: 2b is no name for the header" + header},
      {"a:1,b-c", "b-c: b-c is no name for the header" + header},
      {"a:1,:2", ":2: a memory needs a name" + header},
      {"a:1:1:1,b", "a:1:1:1: a memory is NAME:BYTES:WAITS"},
      {"a:0,b", "a:0: a memory has a byte at least"},
      {"a:1:1001,b", "a:1:1001: waits are cycles from 0 to 1000"},
      {"a:1:-1,b", "a:1:-1: waits are cycles from 0 to 1000"},
      {"a:1:x,b", "a:1:x: waits are cycles from 0 to 1000"},
      {"a:1,a:2", "ALL: two memories are called a"},
      {"a_b:1,AB:2", "ALL: two memories are called AB"},
      {"a:1:4,b:2:3", "ALL: b is faster than a, which stands before it" + order},
  };
  for (const auto& [memories, answer] : rows) {
    INFO(memories);
    const std::string told = answer.starts_with("ALL") ? memories + answer.substr(3) : answer;
    CHECK(answer_to(cat("compile m.pb --memory ", memories)) ==
          (told.empty() ? "" : cat("--memory ", told)));
  }
}

TEST_CASE("flags that do not go together with memories") {
  const std::string beside =
      "--memory and a device beside the target do not go together\nnote: a device may not reach "
      "every memory; without --memory the arena is one";
  const std::pair<const char*, std::string> rows[] = {
      {"compile m.pb --memory a:1,b --weights-in a", ""},
      {"compile m.pb --memory a:1,b --weights-in b", ""},
      {"compile m.pb --weights-in a",
       "--weights-in needs --memory, which says what memories there are\nnote: hlocc compile MODEL "
       "--memory fast:64K,slow:512K --weights-in fast"},
      {"compile m.pb --memory a:1,b:64 --weights-in c",
       "--weights-in c: --memory has none of that name\nnote: its memories are a:1,b:64"},
      {"compile m.pb --memory a:1,b --plugin x.so", beside},
      {"compile m.pb --memory a:1,b --backend vulkan", beside},
      {"verify a.pb --memory a:1,b --backend vulkan", beside},
      {"verify a.pb --memory a:1,b --target host", ""},
      {"verify a.pb --memory a:1,b",
       "--memory needs a --target\nnote: hlocc verify SNAPSHOT --target cortex-m4f --memory "
       "fast:64K,slow:512K"},
      {"analyze m.pb --memory a:1,b", ""},
      {"analyze m.pb --memory a:1,b --curve",
       "--curve and --memory do not go together\nnote: the curve is of RAM in one piece"},
      {"compile a.pb b.pb --shared-arena --name N --memory a:1,b", ""},
      {"compile a.pb b.pb --shared-arena --name N --memory a:1,b --weights-in a",
       "--weights-in and --shared-arena do not go together\nnote: another model would write over "
       "the weights; compile the models one by one"},
  };
  for (const auto& [words, answer] : rows) {
    INFO(words);
    CHECK(answer_to(words) == answer);
  }
}

TEST_CASE("flags that do not go together, each beside what is right") {
  const AnswerRow rows[] = {
      {"compile m.pb --ram-budget 1", ""},
      {"compile m.pb --ram-budget 0", "--ram-budget 0: an arena takes a byte at least"},
      {"compile a.pb b.pb",
       "`hlocc compile` takes one MODEL, here are a.pb and b.pb\nnote: --shared-arena makes one "
       "library of several models"},
      {"verify a.pb b.pb", ""},
      {"run a.pb b.pb", "`hlocc run` takes one MODEL_OR_SNAPSHOT, here are a.pb and b.pb"},
      {"inspect m.pb --target host", ""},
      {"inspect m.pb --target host --target cortex-m0",
       "only compile, verify, analyze, package take several --target"},
      {"compile m.pb --target host --target cortex-m0", ""},
      {"compile m.pb --profile", ""},
      {"compile m.pb --profile --backend c", ""},
      {"compile m.pb --profile --backend vulkan",
       "--profile and --backend vulkan do not go together"},
      {"compile m.pb --profile --plugin p.so",
       "--profile and --plugin do not go together\nnote: `hlocc bench --plugin FILE --steps` tells "
       "what each step takes where"},
      {"compile m.pb --plugin p.so", ""},
      {"compile m.pb --stream x", ""},
      {"compile m.pb --stream x --every 2", ""},
      {"compile m.pb --every 2",
       "--every needs a --stream\nnote: hlocc compile MODEL --stream NAME --every N"},
      {"analyze m.pb --curve", ""},
      {"analyze m.pb --curve --stream x",
       "--curve and --stream do not go together\nnote: rows that are pushed are planned for the "
       "smallest arena"},
      {"compile a.pb b.pb --shared-arena --name N", ""},
      {"compile a.pb - --shared-arena --name N", ""},
      {"compile - b.pb --shared-arena --name N", ""},
      {"compile a.pb b.pb --shared-arena --name N --stream x",
       "--shared-arena and --stream do not go together\nnote: compile a library of its own: its "
       "arena may be the others', too (hlocc_arena.h)"},
      {"compile m.pb --stream x --backend vulkan",
       "--stream and a device beside the target do not go together"},
      {"compile m.pb --stream x --plugin p.so",
       "--stream and a device beside the target do not go together"},
      {"verify a.pb --target host --runner r", ""},
      {"verify a.pb --runner r",
       "--runner needs a --target\nnote: hlocc verify SNAPSHOT --target cortex-m4f --runner "
       "./flash_and_listen.sh"},
      {"verify a.pb --target host --board b", ""},
      {"verify a.pb --board b", "--board needs a --target"},
      {"targets -q", ""},
      {"targets -q -v", "-q and -v do not go together"},
      {"inspect m.pb --graph svg -o f.svg", ""},
      {"inspect m.pb -o f.svg",
       "-o of inspect names the file of --graph, which is not given\nnote: hlocc inspect MODEL "
       "--graph svg -o FILE.svg"},
      {"verify", "verify needs a snapshot or an --index"},
      {"verify a.pb", ""},
      {"verify --index i.json", ""},
      {"verify --index i.json --known-gaps g", ""},
      {"verify a.pb --known-gaps g", "--known-gaps names cases of an --index"},
      {"verify m.pb --input x=a.npy", ""},
      {"verify m.pb n.pb --input x=a.npy",
       "--input and --expect are values of one model\nnote: hlocc verify MODEL --input "
       "NAME=FILE.npy --expect NAME=FILE.npy"},
      {"verify --index i.json --input x=a.npy",
       "--input and --expect are values of one model\nnote: hlocc verify MODEL --input "
       "NAME=FILE.npy --expect NAME=FILE.npy"},
      {"verify m.pb n.pb", ""},
      {"package a.pb b.pb --format make --name N --target host -o d --input x=a.npy", ""},
      {"verify m.pb n.pb --expect x=a.npy",
       "--input and --expect are values of one model\nnote: hlocc verify MODEL --input "
       "NAME=FILE.npy --expect NAME=FILE.npy"},
      {"verify m.pb --dim n=1 --input x=a.npy", ""},
      {"verify m.pb --dim n=1 --expect x=a.npy", ""},
      {"verify m.pb --dim n=1",
       "--dim and --freeze change a model, and a snapshot's values would not fit it\nnote: hlocc "
       "verify MODEL --freeze NAME=FILE.npy --input NAME=FILE.npy"},
      {"verify m.pb --freeze w=a.npy",
       "--dim and --freeze change a model, and a snapshot's values would not fit it\nnote: hlocc "
       "verify MODEL --freeze NAME=FILE.npy --input NAME=FILE.npy"},
      {"compile m.pb --dim n=1", ""},
  };
  check_answers(rows);
}

TEST_CASE("the standard output holds one thing") {
  const std::string two =
      "two things would go to the standard output, which - names\nnote: --json, --print, "
      "--print-after and a second - are the others";
  const std::string file =
      "`compile -o -` writes one file of one target to the standard output, and no depfile\nnote: "
      "--emit names it: header, c, lib, obj, asm, llvm, hlo, kernel or report";
  const std::pair<const char*, std::string> rows[] = {
      {"compile m.pb -o - --emit c", ""},
      {"compile m.pb -o - --emit c --target host", ""},
      {"compile m.pb -o - --emit c --json", two},
      {"compile m.pb -o - --emit c --print-after import", two},
      {"compile m.pb -o -", file},
      {"compile m.pb -o - --emit c,header", file},
      {"compile m.pb -o - --emit c --target host --target cortex-m0", file},
      {"compile m.pb -o - --emit c --depfile d", file},
      {"compile m.pb -o d --emit c,header --depfile d --json", ""},
      {"analyze m.pb --html -", ""},
      {"analyze m.pb --html - --json", two},
      {"analyze m.pb --html f.html --json", ""},
      {"inspect m.pb --graph svg", ""},
      {"inspect m.pb --graph svg --json", two},
      {"inspect m.pb --graph svg -o f.svg --json", ""},
      {"run m.pb --output - --print", two},
      {"run m.pb --output - --json", two},
      {"run m.pb --output -", ""},
      {"run m.pb --output d --print", ""},
      {"matrix m.json -o - --html -", two},
      {"matrix m.json -o d --html -", ""},
      {"matrix m.json -o - --html f.html", ""},
  };
  for (const auto& [words, answer] : rows) {
    INFO(words);
    CHECK(answer_to(words) == answer);
  }
}

TEST_CASE("a GPU is a device beside a target, and a backend of its own where nothing is compiled") {
  const CommandLine plain = *parsed_words("compile m.pb --backend c"),
                    beside = *parsed_words("compile m.pb --backend vulkan"),
                    both = *parsed_words("compile m.pb --backend c --device vulkan-v3d"),
                    run = *parsed_words("run m.pb --backend vulkan");
  CHECK(plain.device.empty());
  CHECK(plain.backend == "c");
  CHECK_FALSE(beside.device.empty());
  CHECK(beside.backend.empty());
  CHECK(both.device == "vulkan-v3d");
  CHECK(both.backend == "c");
  CHECK(run.device.empty());
  CHECK(run.backend == "vulkan");
  CHECK(answer_to("compile m.pb --device vulkan-v3d") ==
        "--device vulkan-v3d: it is for --backend vulkan");
  CHECK(parsed_words("compile m.pb --backend vulkan --device vulkan-v3d")->device == "vulkan-v3d");
  CHECK_FALSE(parsed_words("compile m.pb --backend vulkan --device vulkan-v33").ok());
  // Only a compile has code of another backend beside it.
  CHECK(answer_to("run m.pb --backend c --device vulkan-v3d") ==
        "--device vulkan-v3d: it is for --backend vulkan");
  CHECK(parsed_words("run m.pb --backend vulkan --device vulkan-v3d")->device == "vulkan-v3d");
  CHECK(answer_to("run m.pb --device vulkan-v3d") ==
        "--device vulkan-v3d: it is for --backend vulkan");
}

}  // namespace
}  // namespace hlocc::driver
