// What the header says of an arena in several memories, and that programs can use it.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models.h"
#include "package/header_writer.h"
#include "package/library_files.h"
#include "package/manifest.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

namespace fs = std::filesystem;

// The library of the tests: init has the weights copied, run reads them.
constexpr const char* kUseMemories = R"(#include "two.h"
static unsigned char fast[ACME_TWO_ARENA_FAST_BYTES] __attribute__((aligned(ACME_TWO_ARENA_ALIGN)));
static unsigned char slow[ACME_TWO_ARENA_SLOW_BYTES] __attribute__((aligned(ACME_TWO_ARENA_ALIGN)));
static unsigned char both[ACME_TWO_ARENA_BYTES] __attribute__((aligned(ACME_TWO_ARENA_ALIGN)));
static acme_two_t two;
#ifdef __cplusplus
extern "C" {
#endif
void acme_two_keep_(acme_two_t *self) {
  ((float *)self->arenas[0])[4] = 7;
}
int acme_two_run(acme_two_t *self) {
  acme_two_result0_data(self)[1] = acme_two_arg0_data(self)[1] * ((float *)self->arenas[0])[4];
  return 0;
}
#ifdef __cplusplus
}
#endif
static int used(void) {
  if (acme_two_init(&two, fast, 0) != ACME_TWO_ERROR_NULL) return 1;
  if (acme_two_init(&two, 0, slow) != ACME_TWO_ERROR_NULL) return 2;
  if (acme_two_init(&two, fast + 1, slow) != ACME_TWO_ERROR_ALIGN) return 3;
  if (acme_two_init(&two, fast, slow + 1) != ACME_TWO_ERROR_ALIGN) return 4;
  if (acme_two_init(&two, fast, slow) != ACME_TWO_OK) return 5;
  if ((unsigned char *)acme_two_arg0_data(&two) != slow) return 6;
  if ((unsigned char *)acme_two_result0_data(&two) != fast) return 7;
  acme_two_arg0_data(&two)[1] = 2;
  if (acme_two_run(&two) != 0 || acme_two_result0_data(&two)[1] != 14) return 8;
  if (acme_two_set_result0_data(&two, (float *)(void *)slow) != ACME_TWO_OK) return 9;
  if (acme_two_set_result0_data(&two, 0) != ACME_TWO_OK) return 10;
  if ((unsigned char *)acme_two_result0_data(&two) != fast) return 11;
  if (acme_two_init(&two, ACME_TWO_ARENAS_IN(both)) != ACME_TWO_OK) return 12;
  if ((unsigned char *)acme_two_result0_data(&two) != both + 16) return 13;
  return ACME_TWO_ARENA_KEPT_BYTES == 16 && ACME_TWO_ARENA_FAST_SECTION[5] == 'h' ? 0 : 14;
}
)";
constexpr const char* kUseMemoriesCpp = R"( int main() {
  static acme::Two::Static own(fast);
  static acme::Two given(fast, slow);
  own.arg0_data()[1] = 3;
  if (!own.Run() || own.result0(1) != 21 || given.result0_data() != own.result0_data()) return 20;
  if (acme::Two::kArenaFastBytes != 32 || acme::Two::kArenaSlowBytes != 16) return 21;
  return given.Init(fast, nullptr) ? 22 : used();
}
)";

kernel::Signature named(kernel::Signature signature, const std::string& name) {
  signature.class_name = "acme::" + name;
  signature.prefix = cat("acme_", name, "_");
  return signature;
}

}  // namespace

TEST_CASE("C and C++ programs hand in an arena for each memory") {
  std::string pattern = (fs::temp_directory_path() / "hlocc_memories_XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  const kernel::Signature signature = two_signature();
  std::ofstream(folder / "two.h") << write_header(signature, in_two_memories(plan_of(signature)),
                                                  this_machine(), this_core(), {});
  std::ofstream(folder / "use.c") << kUseMemories << "int main(void) { return used(); }\n";
  std::ofstream(folder / "use.cpp") << kUseMemories << kUseMemoriesCpp;
  const std::string strict = " -Wall -Wextra -Wpedantic -Werror -O2 ";
  for (const std::string& line :
       {cat("gcc -std=c99", strict, "use.c -o use_c && ./use_c"),
        cat("g++ -std=c++11", strict, "use.cpp -o use_cpp && ./use_cpp")}) {
    INFO(line);
    CHECK(std::system(cat("cd ", folder.string(), " && ", line).c_str()) == 0);
  }
  fs::remove_all(folder);
}

TEST_CASE("models of a library need the most of each memory") {
  const kernel::Signature one = named(two_signature(), "one"),
                          other = named(two_signature(), "other");
  const planning::Plan first = in_two_memories(plan_of(one));
  planning::Plan second = first;
  second.pieces = {{"fast", 64, 16, 4096}, {"slow", 0, 64, 8192}};
  second.arena_bytes = 80;
  const std::vector<LibraryModel> models = {{&one, &first, {}}, {&other, &second, {}}};
  const SharedArena arena = arena_of(models);
  REQUIRE(arena.pieces.size() == 2);
  CHECK(arena.pieces[0].bytes == 32);
  CHECK(arena.pieces[1].bytes == 64);
  CHECK(arena.bytes == 96);
  const kernel::Signature library = *make_library_signature("acme::Both");
  const std::string header = write_library_header(library, models, this_machine(), this_core());
  CHECK_THAT(header, Catch::Contains("#define ACME_BOTH_ARENA_FAST_BYTES 32\n"));
  CHECK_THAT(header, Catch::Contains("#define ACME_BOTH_ARENA_SLOW_BYTES 64\n"));
  CHECK_THAT(header, Catch::Contains("ArenaFast {\n  unsigned char bytes[32];"));
  CHECK_THAT(header, !Catch::Contains(" Arena {"));
}

TEST_CASE("the manifest says what lies in which memory") {
  const kernel::Signature signature = two_signature();
  Target target = this_machine();
  target.options.memories = {{"fast", 4096}, {"slow", 8192}};
  target.options.weights_memory = "fast";
  const std::string text =
      write_manifest(signature, in_two_memories(plan_of(signature)), target, {}, {});
  CHECK_THAT(text, Catch::Contains(R"("memory": "fast:4096,slow:8192")"));
  CHECK_THAT(text, Catch::Contains(R"("weights_in": "fast")"));
  CHECK_THAT(text, Catch::Contains(R"("section": ".bss.hlocc_fast")"));
  CHECK_THAT(text, Catch::Contains(R"("memory": "slow")"));
}

TEST_CASE("state lies in no memory of the arena") {
  const hlo::Shape f32 = hlo::Shape::array(hlo::PrimitiveType::kF32, {4});
  hlo::Module module = module_of({f32, f32}, hlo::Shape::make_tuple({f32, f32}));
  module.aliases.push_back({{1}, 1, {}, false});
  Options options;
  options.stem = "m";
  const kernel::Signature signature = *make_signature(module, options);
  const auto json = nlohmann::json::parse(
      write_manifest(signature, in_two_memories(plan_of(signature)), this_machine(), {}, {}));
  CHECK(json["arguments"][0]["memory"] == "slow");
  CHECK(json["results"][0]["memory"] == "fast");
  CHECK_FALSE(json["arguments"][1].contains("memory"));
  CHECK(json["arguments"][1]["region"] == "state");
}

}  // namespace hlocc::package
