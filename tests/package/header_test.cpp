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

std::string kws_header() { return write_header(kws_signature(), plan_of(kws_signature())); }
std::string zoo_header() {
  return write_header(zoo_signature(), with_counter(plan_of(zoo_signature())));
}
std::string empty_header() {
  Options options;
  options.stem = "nothing";
  const kernel::Signature signature =
      *make_signature(module_of({}, hlo::Shape::make_tuple({})), options);
  return write_header(signature, plan_of(signature));
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

 private:
  fs::path path_;
};

TEST_CASE("headers are the golden ones") {
  const std::pair<const char*, std::string> cases[] = {{"golden/kws.h", kws_header()},
                                                       {"golden/zoo.h", zoo_header()},
                                                       {"golden/nothing.h", empty_header()}};
  for (const auto& [path, text] : cases) {
    if (std::getenv("HLOCC_REGENERATE") != nullptr) write(path, text);
    INFO(path);
    CHECK(read(path) == text);
  }
}

TEST_CASE("headers compile without warnings as main files") {
  const Folder folder;
  write(folder / "kws.h", kws_header());
  write(folder / "zoo.h", zoo_header());
  write(folder / "nothing.h", empty_header());
  write(folder / "all.c",
        "#include \"kws.h\"\n#include \"zoo.h\"\n#include \"kws.h\"\n#include \"nothing.h\"\nint "
        "main(void) { return 0; }\n");
  const std::string strict = "-Wall -Wextra -Wpedantic -Werror -ffreestanding -fsyntax-only";
  std::vector<std::string> compilers = {"gcc"};
  if (std::system("command -v clang > /dev/null 2>&1") == 0) compilers.push_back("clang");
  for (const std::string& compiler : compilers) {
    for (const char* file : {"kws.h", "zoo.h", "nothing.h", "all.c"}) {
      folder.run(cat(compiler, " -x c -std=c99 ", strict, " ", std::string(file)));
      folder.run(cat(compiler, " -x c++ -std=c++11 -fno-exceptions -fno-rtti ", strict, " ",
                     std::string(file)));
    }
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
  acme_kws_set_arg0_data(&kws, mine);
  if (acme_kws_run(&kws) != 0 || p[0] != 10) return 6;
  acme_kws_set_arg_mfcc_data(&kws, NULL);
  return acme_kws_arg0_data(&kws) == in ? 0 : 7;
}
)";

constexpr const char* kUseCpp = R"(#include "zoo.h"
#include "kws.h"
extern "C" int zoo_run(zoo_t *) { return 0; }
extern "C" int acme_kws_run(acme_kws_t *self) { acme_kws_result0_data(self)[3] = 0.5f; return 0; }
static acme::Kws::Static kws;
static Zoo::Static zoo;
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
  return state[16] == 7 && state[15] == 0 ? 0 : 12;
}
)";

TEST_CASE("C and C++ programs use the header") {
  const Folder folder;
  write(folder / "kws.h", kws_header());
  write(folder / "zoo.h", zoo_header());
  write(folder / "use.c", kUseC);
  write(folder / "use.cpp", kUseCpp);
  folder.run("gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 use.c -o use_c && ./use_c");
  folder.run("g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -O2 use.cpp -o use_cpp && ./use_cpp");
}

// A state of three floats: no multiple of the words that hold it.
TEST_CASE("an instance has room for all of its state") {
  using hlo::PrimitiveType, hlo::Shape;
  for (int64_t count : {1, 2, 3, 4, 5}) {
    hlo::Module module = module_of({Shape::array(PrimitiveType::kF32, {count})}, Shape::array(PrimitiveType::kF32, {count}));
    module.aliases.push_back({{}, 0, {}, false});
    Options options;
    options.name = "Small";
    const kernel::Signature signature = *make_signature(module, options);
    planning::Plan plan;
    plan.state_bytes = 4 * count;
    plan.argument_places = plan.result_places = {{planning::Region::kState, 0, 4 * count}};
    const Folder folder;
    write(folder / "small.h", write_header(signature, plan));
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
