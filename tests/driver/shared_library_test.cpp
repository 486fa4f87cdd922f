// Several models in one library (driver/pipeline/shared_library.cpp): how they are called, whose
// leaves flags name, and the files beside the library that are not the backend's.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/pipeline/shared_library.h"
#include "driver/pipeline/targets.h"
#include "driver/verb_told.h"
#include "support/require.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

std::string sum_of(int elements) {
  return cat("HloModule m\nENTRY e {\n x = f32[", elements, "] parameter(0)\n y = f32[", elements,
             "] parameter(1)\n ROOT r = f32[", elements, "] add(x, y)\n}\n");
}

struct TwoModels {
  tests::TemporaryFolder folder;
  std::string a = folder.write("a.hlo", sum_of(4)), b = folder.write("b.hlo", sum_of(8)),
              out = folder.path() + "/out";

  Told compile(const std::string& models, const std::string& flags) const {
    return told_by(cat("compile ", models, " --shared-arena --target cortex-m4f -o ", out, flags));
  }
  Told named(const std::string& flags) const {
    return compile(cat("Kws=", a, " Vad=", b), " --name acme::Both" + flags);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(out)) names.push_back(file.path().filename());
    std::ranges::sort(names);
    return names;
  }
  std::string text(const std::string& name) const {
    std::ifstream file(out + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_CASE("several models: their names are the command line's, or their modules', in its order") {
  const TwoModels two;
  const auto classes_of = [&](const std::string& models) {
    CommandLine line;
    line.models = split(models, ' ');
    line.options.name = "acme::Both";
    std::string out;
    const Result<std::vector<SharedModel>> read = load_models(line);
    if (!read) return read.error().message;
    for (const SharedModel& model : *read) out += cat(out.empty() ? "" : " ", model.class_name);
    return out;
  };
  CHECK(classes_of(cat("Kws=", two.a, " Vad=", two.b)) == "acme::Kws acme::Vad");
  CHECK(classes_of(cat(two.a, " ", two.b, " ", two.a)) == "acme::M acme::M2 acme::M3");
  CHECK(classes_of(cat(two.a, " Vad=", two.b, " ", two.a)) == "acme::M acme::Vad acme::M2");
}

#ifdef HLOCC_LLVM  // C makes no libraries
// A product with weights of 37 different numbers.
std::string product_of(int inputs, int outputs) {
  std::vector<std::string> rows;
  for (int i = 0; i < inputs; ++i) {
    std::vector<std::string> row;
    for (int j = 0; j < outputs; ++j)
      row.push_back(cat("0.", 10 + (inputs * i + j * j * 17 + i * j * 7) % 37));
    rows.push_back(cat("{", join(row, ","), "}"));
  }
  return cat("HloModule m\nENTRY e {\n x = f32[1,", inputs, "] parameter(0)\n w = f32[", inputs,
             ",", outputs, "] constant({", join(rows, ","), "})\n ROOT d = f32[1,", outputs,
             "] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
}

TEST_CASE("several models: weights become palettes where flash is exceeded, of all together") {
  const tests::TemporaryFolder folder;
  CommandLine line;
  line.models = {"A=" + folder.write("a.hlo", product_of(32, 32)),
                 "B=" + folder.write("b.hlo", product_of(48, 32))};
  line.options.name = "Both";
  Target target = tests::require(find_target("cortex-m4f"));
  target.options.name = "Both";
  const std::vector<SharedModel> models = tests::require(load_models(line));
  const auto flash_in = [&](int64_t flash) {
    const SharedCompilation made =
        tests::require(compile_shared(models, target, {package::Emit::kLibrary}, {.flash = flash}));
    return made.total.flash_bytes();
  };
  const int64_t free = flash_in(-1);
  CHECK(free > 4 * 32 * (32 + 48));
  CHECK(flash_in(free) == free);
  CHECK(flash_in(free - 1) < free);
}

TEST_CASE("several models: only the files that are asked for, each with all models") {
  struct Row {
    const char* kinds;
    std::vector<std::string> files;
  };
  const Row rows[] = {
      {"", {"both.h", "both.json", "libboth.a"}},
      {" --emit header", {"both.h", "both.json"}},
      {" --emit hlo", {"both.hlo.txt", "both.json"}},
      {" --emit kernel", {"both.json", "both.kernel.txt"}},
      {" --emit report", {"both.html", "both.json"}},
      {" --emit header,hlo,kernel", {"both.h", "both.hlo.txt", "both.json", "both.kernel.txt"}}};
  for (const Row& row : rows) {
    INFO(row.kinds);
    const TwoModels two;
    const Told told = two.named(row.kinds);
    REQUIRE(told.code == kExitDone);
    CHECK(two.files() == row.files);
    for (const std::string& name : {"both.hlo.txt", "both.kernel.txt"})
      if (std::ranges::find(row.files, name) != row.files.end()) {
        CHECK(two.text(name).starts_with("// acme::Kws\n"));
        CHECK(two.text(name).find("\n// acme::Vad\n") != std::string::npos);
      }
  }
}

TEST_CASE("several models: a leaf that a flag names is a model's") {
  const TwoModels two;
  REQUIRE(two.named(" --arg Kws:0=mfcc --result Vad:0=sum --arg Vad:x=left").code == kExitDone);
  const std::string header = two.text("both.h");
  for (const char* there : {"ACME_KWS_ARG_mfcc_", "ACME_VAD_RESULT_sum_", "ACME_VAD_ARG_left_"})
    CHECK(header.find(there) != std::string::npos);
  for (const char* missing : {"ACME_VAD_ARG_mfcc_", "ACME_KWS_RESULT_sum_", "ACME_KWS_ARG_left_"})
    CHECK(header.find(missing) == std::string::npos);
  struct Row {
    const char* flags;
    const char* told;
  };
  const Row rows[] = {
      {" --arg 0=mfcc",
       "--arg 0=mfcc: it does not say which model's leaf\nnote: here it is "
       "--arg Kws:0=mfcc; the models are Kws, Vad"},
      {" --result Other:0=y", "--result Other:0=y: it does not say which model's leaf"},
      {" --arg Kws:7=z", "--arg 7=z: there is no such leaf"},
      {" --backend c", "the backend c makes no libraries"},
  };
  for (const Row& row : rows) {
    INFO(row.flags);
    const Told told = two.named(row.flags);
    CHECK(told.code == kExitUsage);
    CHECK(told.errors.find(row.told) != std::string::npos);
  }
  const Told same = two.compile(cat("Kws=", two.a, " Kws=", two.b), " --name Both");
  CHECK(same.errors.find("names of Kws (kws_...) could be names of Kws") != std::string::npos);
}
#else
TEST_CASE("several models: without LLVM no library is made") {
  const Told told = TwoModels().named("");
  CHECK(told.code == kExitUsage);
  CHECK(told.errors.find("the backend c makes no libraries") != std::string::npos);
}
#endif

}  // namespace
}  // namespace hlocc::driver
