// The generated header: golden files, compilers' opinion under the strictest flags, and a program
// that uses it. HLOCC_REGENERATE=1 writes the golden files anew.
#include "package/header_writer.h"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models.h"
#include "package/header_parts.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The state of a generator of random numbers, which does not start as zeros.
planning::Plan with_counter(planning::Plan plan) {
  kernel::ProgramValue counter;
  counter.role = kernel::ValueRole::kState;
  counter.data = std::make_shared<std::vector<std::byte>>(8, std::byte{7});
  plan.values.push_back(counter);
  plan.places.push_back({planning::Region::kState, plan.state_bytes, 8});
  plan.state_bytes += 8;
  return plan;
}

std::string kws_header() {
  return write_header(kws_signature(), plan_of(kws_signature()), this_machine(), this_core(), {});
}
std::string zoo_header() {
  return write_header(zoo_signature(), with_counter(plan_of(zoo_signature())), this_machine(),
                      this_core(), {});
}
std::string two_header() {
  const kernel::Signature signature = two_signature();
  return write_header(signature, in_two_memories(plan_of(signature)), this_machine(), this_core(),
                      {});
}
std::string empty_header() {
  Options options;
  options.stem = "nothing";
  const kernel::Signature signature =
      *make_signature(module_of({}, hlo::Shape::make_tuple({})), options);
  return write_header(signature, plan_of(signature), this_machine(), this_core(), {});
}

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "hlocc_header_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }
  // Runs a command in the folder; its output is shown when it fails.
  void run(const std::string& command) const {
    INFO(command);
    const int status =
        std::system(cat("cd ", path_.string(), " && ", command, " > log 2>&1").c_str());
    INFO(read(path_ / "log"));
    CHECK(status == 0);
  }
  // Runs a command that must fail, and say so.
  void fails(const std::string& command, const std::string& message) const {
    INFO(command);
    const int status =
        std::system(cat("cd ", path_.string(), " && ", command, " > log 2>&1").c_str());
    CHECK(status != 0);
    CHECK_THAT(read(path_ / "log"), Catch::Contains(message));
  }

 private:
  fs::path path_;
};

TEST_CASE("headers are the golden ones") {
  const std::pair<const char*, std::string> cases[] = {{"golden/kws.h", kws_header()},
                                                       {"golden/zoo.h", zoo_header()},
                                                       {"golden/two.h", two_header()},
                                                       {"golden/nothing.h", empty_header()}};
  for (const auto& [path, text] : cases) {
    if (std::getenv("HLOCC_REGENERATE") != nullptr) write(path, text);
    INFO(path);
    CHECK(read(path) == text);
  }
}

// A model that calls a function of the user's.
std::string calling_header() {
  Options options;
  options.stem = "calling";
  const hlo::Shape f32 = hlo::Shape::array(hlo::PrimitiveType::kF32, {4});
  const kernel::Signature signature = *make_signature(module_of({f32}, f32), options);
  planning::Plan plan = plan_of(signature);
  add_user_call(plan);
  return write_header(signature, plan, this_machine(), this_core(), {});
}

void write_headers(const Folder& folder) {
  write(folder / "kws.h", kws_header());
  write(folder / "zoo.h", zoo_header());
  write(folder / "two.h", two_header());
  write(folder / "nothing.h", empty_header());
  write(folder / "calling.h", calling_header());
}

constexpr const char* kHeaders[] = {"kws.h", "zoo.h", "two.h", "nothing.h", "calling.h"};
constexpr const char* kStandardsC[] = {"c99", "c11", "c17"};
constexpr const char* kStandardsCpp[] = {"c++11", "c++14", "c++17", "c++20", "c++23"};

// Every function of one model, with no warning of its own.
constexpr const char* kCallAll = R"(
static int call_all(void);
static int call_all(void) {
  static zoo_t zoo;
  static uint64_t arena[ZOO_ARENA_BYTES / 8 + 2];
  static unsigned char state[ZOO_STATE_BYTES];
  int error = zoo_init(&zoo, arena);
  error |= zoo_set_arg_data_data(&zoo, zoo_arg0_data(&zoo));
  error |= zoo_set_result1_data(&zoo, zoo_result1_data(&zoo));
  zoo_checkpoint(&zoo, state);
  zoo_restore(&zoo, state);
  zoo_reset(&zoo);
  return error == ZOO_OK && *zoo_error_msg(error) == 0 && *zoo_var_h_data(&zoo) > 0 ? 0 : zoo_run(&zoo);
}
)";

TEST_CASE("headers compile without warnings as main files") {
  const Folder folder;
  write_headers(folder);
  write(folder / "all.c",
        "#include \"kws.h\"\n#include \"zoo.h\"\n#include \"kws.h\"\n#include \"two.h\"\n#include "
        "\"nothing.h\"\n#include "
        "\"calling.h\"\nint main(void) { return 0; }\n");
  const std::string strict = "-Wall -Wextra -Wpedantic -Werror -ffreestanding -fsyntax-only ";
  for (const std::string compiler : {"gcc", "clang-19"}) {
    for (const char* standard : kStandardsC)
      folder.run(cat(compiler, " -x c -std=", std::string(standard), " ", strict,
                     "kws.h zoo.h two.h nothing.h calling.h all.c"));
    for (const std::string standard : kStandardsCpp)
      folder.run(cat(compiler, " -x c++ -std=", standard == "c++23" ? "c++2b" : standard,
                     " -fno-exceptions -fno-rtti ", strict,
                     "kws.h zoo.h two.h nothing.h calling.h all.c"));
  }
}

// What users turn on in code bases of their own; a header is not the place where it fails.
TEST_CASE("headers stand every warning when they are included") {
  const Folder folder;
  write_headers(folder);
  std::string includes;
  for (const char* header : kHeaders) includes += cat("#include \"", std::string(header), "\"\n");
  write(folder / "use.c",
        includes + std::string(kCallAll) + "int main(void) { return call_all(); }\n");
  const std::string clang =
      "clang-19 -ffreestanding -fsyntax-only -Werror -Weverything -Wno-padded "
      "-Wno-unsafe-buffer-usage -Wno-unknown-warning-option ";
  const std::string gcc =
      "gcc -ffreestanding -fsyntax-only -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion "
      "-Wsign-conversion -Wcast-align=strict -Wcast-qual -Wundef -Wunused-macros -Wlogical-op ";
  for (const std::string standard : kStandardsC) {
    folder.run(cat(clang, "-x c -std=", standard, " use.c"));
    folder.run(cat(gcc, "-Wstrict-prototypes -Wmissing-prototypes -Wbad-function-cast -x c -std=",
                   standard, " use.c"));
  }
  for (const std::string standard : kStandardsCpp) {
    const std::string name = standard == "c++23" ? "c++2b" : standard;
    // What a standard older than the compiler's newest lacks is the test's own to use or not.
    folder.run(
        cat(clang, "-Wno-c++98-compat -Wno-c++98-compat-pedantic -x c++ -std=", name, " use.c"));
    folder.run(cat(
        gcc, "-Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -x c++ -std=", name,
        " use.c"));
  }
}

// run copies every argument byte to where the results are, so that accessors can be told apart.
constexpr const char* kUseC = R"(#include "kws.h"
static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;
int acme_kws_run(acme_kws_t *self) {
  for (int i = 0; i < ACME_KWS_RESULT_probs_COUNT; ++i)
    acme_kws_result0_data(self)[i] = 2 * acme_kws_arg0_data(self)[i];
  return 0;
}
int main(void) {
  static float mine[ACME_KWS_ARG0_COUNT] = {5};
  if (acme_kws_init(&kws, arena + 1) != ACME_KWS_ERROR_ALIGN || acme_kws_init(&kws, NULL) == 0) return 1;
  if (*acme_kws_error_msg(ACME_KWS_ERROR_ALIGN) == 0 || *acme_kws_error_msg(0) != 0) return 2;
  if (acme_kws_init(&kws, arena) != 0) return 3;
  float *in = acme_kws_arg_mfcc_data(&kws);
  in[3] = 4;
  if (acme_kws_run(&kws) != 0) return 4;
  const float *p = acme_kws_result_probs_data(&kws);
  if (p[3] != 8 || (unsigned char *)p != arena + 1968) return 5;
  if (acme_kws_set_arg0_data(&kws, mine) != ACME_KWS_OK) return 6;
  if (acme_kws_run(&kws) != 0 || p[0] != 10) return 7;
  /* A buffer that is not aligned is refused, and the one before stays; four bytes are enough. */
  const float *crooked = (const float *)(const void *)((const char *)mine + 2);
  if (acme_kws_set_arg0_data(&kws, crooked) != ACME_KWS_ERROR_ALIGN) return 8;
  if (acme_kws_arg0_data(&kws) != mine || acme_kws_set_arg0_data(&kws, mine + 1) != ACME_KWS_OK) return 9;
  if (ACME_KWS_ARG0_ALIGN != 4 || ACME_KWS_ARG0_STRIDE0 != 490 || ACME_KWS_ARG_mfcc_STRIDE1 != 10) return 10;
  acme_kws_set_arg_mfcc_data(&kws, NULL);
  return acme_kws_arg0_data(&kws) == in ? 0 : 11;
}
)";

constexpr const char* kUseCpp = R"(#include "zoo.h"
#include "kws.h"
extern "C" int zoo_run(zoo_t *) { return 0; }
extern "C" int acme_kws_run(acme_kws_t *self) { acme_kws_result0_data(self)[3] = 0.5f; return 0; }
static acme::Kws::Static kws;
static Zoo::Static zoo;
static float arena[4];
int main() {
  acme::Kws lost;
  if (lost.Run() || *lost.error_msg() == 0) return 1;
  kws.arg_mfcc(0, 48, 9) = 3;
  if (kws.arg0_data()[489] != 3 || kws.arg0_size() != 1960 || kws.arg_mfcc_count() != 490) return 2;
  if (!kws.Run() || kws.result_probs(0, 3) != 0.5f || *kws.error_msg() != 0) return 3;
  if (kws.results()[0] != kws.result0_data() || kws.arg_data(0) != kws.arg0_data()) return 4;
  if (kws.LookupArgIndex("mfcc") != 0 || kws.LookupResultIndex("mfcc") != -1) return 5;
  zoo.arg_data() = 1.5;
  zoo.arg1_data()[1] = 0xf7;
  if (zoo.arg0() != 1.5 || zoo.arg1(2) != 7 || zoo.arg1(3) != -1) return 6;
  zoo.arg2(1, 2) = 77;
  if (zoo.arg2_data()[5] != 77 || zoo.arg2(1, 2) != 77) return 7;
  zoo.arg2(1, 0) = 78;
  if (zoo.arg2_data()[1] != 78) return 8;
  zoo.arg3(1)[1] = 9;
  if (zoo.arg3_data()[3] != 9 || zoo.arg3_size() != 16 || zoo.arg3_count() != 2) return 9;
  if (zoo.var_h_data() != zoo.result_h_data() || zoo.var_h_data() != zoo.arg4_data() || zoo.arg_h(0) != 0) return 10;
  zoo.arg5() = 1;
  if (zoo.arg5(0) != 1 || Zoo::kNumArgs != 6 || Zoo::kNumVariables != 1 || zoo.result1_size() != 0) return 11;
  const unsigned char *state = reinterpret_cast<const unsigned char *>(zoo.instance()->state);
  if (state[16] != 7 || state[15] != 0) return 12;
  if (zoo.set_arg3_data(reinterpret_cast<float *>(reinterpret_cast<char *>(arena) + 2))) return 13;
  if (*zoo.error_msg() == 0 || !zoo.set_arg3_data(arena) || zoo.arg3_data() != arena) return 14;
  if (!kws.set_arg_data(0, arena) || kws.arg_mfcc_data() != arena || kws.set_arg_data(1, arena)) return 19;
  // A copy has a state of its own; what was taken out goes back in; reset is the start.
  zoo.var_h_data()[2] = 5;
  zoo_t copy = *zoo.instance();
  zoo_var_h_data(&copy)[2] = 6;
  if (zoo.var_h(2) != 5 || zoo_result_h_data(&copy) != zoo_arg_h_data(&copy)) return 15;
  unsigned char saved[Zoo::kStateBytes];
  zoo.Checkpoint(saved);
  zoo.Reset();
  if (zoo.var_h(2) != 0 || state[16] != 7) return 16;
  zoo.Restore(saved);
  if (zoo.var_h(2) != 5) return 17;
  // Constants of two classes compare, and may be referred to.
  const size_t &bytes = Zoo::kArenaBytes;
  return Zoo::kNumArgs > acme::Kws::kNumArgs && bytes == ZOO_ARENA_BYTES && Zoo::kArg2Stride1 == 2 ? 0 : 18;
}
)";

TEST_CASE("C and C++ programs use the header") {
  const Folder folder;
  write(folder / "kws.h", kws_header());
  write(folder / "zoo.h", zoo_header());
  write(folder / "use.c", kUseC);
  write(folder / "use.cpp", kUseCpp);
  for (const std::string level : {"-O0", "-O2"}) {
    folder.run(
        cat("gcc -std=c99 -Wall -Wextra -Wpedantic -Werror ", level, " use.c -o use_c && ./use_c"));
    for (const std::string standard : {"c++11", "c++17"})
      folder.run(cat("g++ -std=", standard, " -Wall -Wextra -Wpedantic -Werror ", level,
                     " use.cpp -o use_cpp && ./use_cpp"));
  }
}

// Another layout of structs, other sizes of types: nothing that compiles and then reads elsewhere.
TEST_CASE("a compiler that lays out the instance in another way is refused") {
  const Folder folder;
  write_headers(folder);
  write(folder / "use.c", "#include \"zoo.h\"\n");
  folder.run("gcc -std=c99 -fsyntax-only use.c");
  for (const std::string language : {"-x c -std=c99", "-x c++ -std=c++11"}) {
    folder.fails(cat("gcc ", language, " -fpack-struct -fsyntax-only use.c"),
                 "instance_is_aligned");
    folder.fails(cat("gcc ", language, " -m32 -ffreestanding -fsyntax-only use.c"),
                 "no compiler for x86-64");
    folder.fails(cat("gcc ", language, " -mx32 -ffreestanding -fsyntax-only use.c"),
                 "pointers of 64 bits");
    folder.fails(
        cat("gcc ", language, " -m32 -DZOO_SKIP_TARGET_CHECK -ffreestanding -fsyntax-only use.c"),
        "instance_has_its_size");
  }
}

// What instructions are called is part of comments.
TEST_CASE("names from files do not end comments") {
  CHECK(for_c_comment("a*/b/*c\n\\") == "a* /b/ *c??");
  CHECK(for_c_comment("~ \x7f\x80!") ==
        "~ ?"
        "?!");
  Options options;
  options.stem = "odd";
  hlo::Module module =
      module_of({hlo::Shape::scalar(hlo::PrimitiveType::kF32)}, hlo::Shape::make_tuple({}));
  name_parameters(module, {"*/ int injected; /*"});
  const kernel::Signature signature = *make_signature(module, options);
  const Folder folder;
  write(folder / "odd.h", write_header(signature, plan_of(signature), this_machine(), this_core(),
                                       {"", hlo_argument_names(module)}));
  folder.run("gcc -x c -std=c99 -Wall -Wextra -Werror -ffreestanding -fsyntax-only odd.h");
  CHECK(signature.arguments[0].name == "int_injected");
}

TEST_CASE("what is to be known of a device is a line of the opening comment, and ends none") {
  const kernel::Signature signature = kws_signature();
  const auto opening = [&](const std::string& note) {
    const std::string header = write_header(signature, plan_of(signature), this_machine(),
                                            this_core(), {.device_note = note});
    return header.substr(0, header.find("*/"));
  };
  const std::string plain = opening(""), noted = opening("gpu */ may");
  CHECK(noted.find("\n * gpu * / may\n *\n") != std::string::npos);
  CHECK(noted.size() == plain.size() + std::string(" * gpu * / may\n *\n").size());
}

TEST_CASE("a profile has a row for each step that takes time, in loops and branches too") {
  const kernel::Signature signature = kws_signature();
  planning::Plan plan = plan_of(signature);
  add_user_call(plan);
  kernel::WhileStep loop;
  loop.condition = loop.body = plan.steps;
  kernel::ConditionalStep choice;
  choice.branches = {plan.steps, plan.steps};
  choice.yields.resize(2);
  plan.steps.push_back({std::move(loop), {}});
  plan.steps.push_back({std::move(choice), {}});
  Target target = this_machine();
  const auto header = [&] { return write_header(signature, plan, target, this_core(), {}); };
  CHECK(header().find("PROFILE_STEPS") == std::string::npos);
  target.options.profile = true;
  CHECK(header().find("#define ACME_KWS_PROFILE_STEPS 5\n") != std::string::npos);
}

TEST_CASE("state begins as what the plan says, and only what lies in it") {
  const kernel::Signature signature = kws_signature();
  planning::Plan plan = plan_of(signature);
  const auto data = std::make_shared<const std::vector<std::byte>>(4, std::byte{7});
  const auto add = [&](kernel::ValueRole role, bool has_data, planning::Region region) {
    kernel::ProgramValue value{.name = "v", .element = kernel::Scalar::kS32, .elements = 1};
    value.role = role;
    if (has_data) value.data = data;
    plan.values.push_back(value);
    plan.places.push_back({region, 0, 4});
  };
  const auto count = [&] {
    const std::string header = write_header(signature, plan, this_machine(), this_core(), {});
    size_t found = 0;
    for (size_t at = 0; (at = header.find("initial[]", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  plan.state_bytes = 4;
  using kernel::ValueRole, planning::Region;
  add(ValueRole::kState, false, Region::kState);
  add(ValueRole::kState, true, Region::kArena);
  add(ValueRole::kConstant, true, Region::kState);
  CHECK(count() == 0);
  add(ValueRole::kState, true, Region::kState);
  CHECK(count() == 1);
}

TEST_CASE("instances are held to be aligned where processors align") {
  const kernel::Signature signature = kws_signature();
  for (const int bits : {16, 32, 64})
    for (const CoreFamily family : {CoreFamily::kArm, CoreFamily::kOther}) {
      Target target = this_machine();
      target.pointer_bits = bits;
      const std::string header =
          write_header(signature, plan_of(signature), target, {family, {}}, {});
      CHECK((header.find("instance_is_aligned") != std::string::npos) ==
            (bits >= 32 && family == CoreFamily::kArm));
    }
}

TEST_CASE("bytes are added before the state where pointers end at no multiple of eight") {
  using hlo::PrimitiveType, hlo::Shape;
  for (const auto& [bits, leaves, padding] :
       {std::tuple{32, 1, 4}, {32, 2, 4}, {64, 1, 0}, {64, 2, 0}, {16, 1, 2}}) {
    const Shape f32 = Shape::array(PrimitiveType::kF32, {4});
    hlo::Module module =
        module_of(std::vector<Shape>(static_cast<size_t>(leaves), f32),
                  Shape::make_tuple(std::vector<Shape>(static_cast<size_t>(leaves), f32)));
    module.aliases.push_back({{0}, 0, {}, false});
    Options options;
    options.name = "Small";
    const kernel::Signature signature = *make_signature(module, options);
    Target target = this_machine();
    target.pointer_bits = bits;
    const std::string header = write_header(signature, plan_of(signature), target, this_core(), {});
    INFO(header);
    const std::string line = "  unsigned char padding[" + std::to_string(padding) + "];\n";
    CHECK((header.find(line) != std::string::npos) == (padding > 0));
    CHECK((header.find("padding[") != std::string::npos) == (padding > 0));
  }
}

TEST_CASE("state of one byte is state, state of none is not") {
  using hlo::PrimitiveType, hlo::Shape;
  for (const int64_t bytes : {0, 1}) {
    const Shape u8 = Shape::array(PrimitiveType::kU8, {bytes});
    hlo::Module module = module_of({u8}, u8);
    module.aliases.push_back({{}, 0, {}, false});
    Options options;
    options.name = "Small";
    const kernel::Signature signature = *make_signature(module, options);
    planning::Plan plan;
    plan.state_bytes = bytes;
    plan.argument_places = plan.result_places = {{planning::Region::kState, 0, bytes}};
    const std::string header = write_header(signature, plan, this_machine(), this_core(), {});
    INFO(header);
    CHECK((header.find("uint64_t state[1];") != std::string::npos) == (bytes == 1));
    CHECK((header.find("state_lie_in_their_place") != std::string::npos) == (bytes == 1));
    CHECK((header.find("small_state_(self, 0)") != std::string::npos) == (bytes == 1));
    CHECK((header.find("small_arena_(self, 0)") != std::string::npos) == (bytes == 0));
    CHECK((header.find("i < sizeof self->state") != std::string::npos) == (bytes == 1));
    const Folder folder;
    write(folder / "small.h", header);
    folder.run("gcc -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only small.h");
  }
}

TEST_CASE("sizes beyond an int are size_t") {
  using hlo::PrimitiveType, hlo::Shape;
  for (const int64_t bytes : {int64_t{INT32_MAX}, int64_t{INT32_MAX} + 1}) {
    Options options;
    options.name = "Large";
    const kernel::Signature signature = *make_signature(
        module_of({Shape::array(PrimitiveType::kS8, {bytes})}, Shape::make_tuple({})), options);
    const std::string header =
        write_header(signature, plan_of(signature), this_machine(), this_core(), {});
    CHECK((header.find("constexpr int arg0_size()") != std::string::npos) == (bytes == INT32_MAX));
  }
}

TEST_CASE("a function of the user's is declared once, whatever types it is called with") {
  const kernel::Signature signature = kws_signature();
  planning::Plan plan = plan_of(signature);
  add_user_call(plan);
  add_user_call(plan);
  plan.values[2].elements = 9;
  const std::string header = write_header(signature, plan, this_machine(), this_core(), {});
  const size_t first = header.find("void my_filter(");
  REQUIRE(first != std::string::npos);
  CHECK(header.find("void my_filter(", first + 1) == std::string::npos);
}

TEST_CASE("elements of one bit are read by value") {
  using hlo::PrimitiveType, hlo::Shape;
  for (const int bits : {1, 2, 4, 8}) {
    Shape packed = Shape::array(PrimitiveType::kU8, {16});
    packed.layout.element_bits = bits;
    Options options;
    options.name = "Bits";
    const kernel::Signature signature =
        *make_signature(module_of({packed}, Shape::make_tuple({})), options);
    const std::string header =
        write_header(signature, plan_of(signature), this_machine(), this_core(), {});
    INFO(bits);
    CHECK((header.find(cat("[at / ", 8 / bits, "] >> (at % ", 8 / bits, " * ", bits, ") & ",
                           (1 << bits) - 1, ")")) != std::string::npos) == (bits < 8));
  }
}

// A state of three floats: no multiple of the words that hold it.
TEST_CASE("an instance has room for all of its state") {
  using hlo::PrimitiveType, hlo::Shape;
  for (int64_t count : {1, 2, 3, 4, 5}) {
    hlo::Module module = module_of({Shape::array(PrimitiveType::kF32, {count})},
                                   Shape::array(PrimitiveType::kF32, {count}));
    module.aliases.push_back({{}, 0, {}, false});
    Options options;
    options.name = "Small";
    const kernel::Signature signature = *make_signature(module, options);
    planning::Plan plan;
    plan.state_bytes = 4 * count;
    plan.argument_places = plan.result_places = {{planning::Region::kState, 0, 4 * count}};
    const Folder folder;
    write(folder / "small.h", write_header(signature, plan, this_machine(), this_core(), {}));
    write(folder / "use.c", R"(#include "small.h"
#include <string.h>
static struct { small_t model; unsigned char canary[16]; } both;
static unsigned char arena[SMALL_ARENA_BYTES] __attribute__((aligned(SMALL_ARENA_ALIGN)));
int main(void) {
  unsigned i;
  memset(both.canary, 0xa5, sizeof both.canary);
  if (sizeof both.model.state < SMALL_STATE_BYTES) return 1;
  if (small_init(&both.model, arena) != 0) return 2;
  for (i = 0; i < SMALL_ARG0_COUNT; ++i) small_arg0_data(&both.model)[i] = (float)(i + 1);
  for (i = 0; i < sizeof both.canary; ++i)
    if (both.canary[i] != 0xa5) return 3;
  for (i = 0; i < SMALL_RESULT0_COUNT; ++i)
    if (small_result0_data(&both.model)[i] != (float)(i + 1)) return 4;
  return 0;
}
)");
    folder.run("gcc -std=c99 -Wall -Wextra -Werror -O0 use.c -o use && ./use");
  }
}

}  // namespace
}  // namespace hlocc::package
