// What a compile tries for less RAM, and what the chip's threads and windows of a stream make of a
// model (driver/pipeline/pipeline.cpp, decisions.cpp).
#include <catch2/catch.hpp>
#include <functional>

#include "driver/analyze/inspection.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/text_module.h"
#include "driver/verb_told.h"
#include "package/names.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

// A model that is compiled to C for a Cortex-M4F.
class SearchFolder {
 public:
  explicit SearchFolder(const std::string& model) : model_(folder_.write("kws.hlo", model)) {}
  Told compile(const std::string& flags) const {
    return told_by(cat("compile ", model_, " --backend c --target cortex-m4f -o ", folder_.path(),
                       "/out", flags));
  }

 private:
  tests::TemporaryFolder folder_;
  std::string model_;
};

// Two convolutions, whose picture between them need not be there as a whole.
std::string convolutions() {
  const auto nested = [](std::vector<int> sizes) {
    int next = 0;
    const std::function<std::string(size_t)> part = [&](size_t at) -> std::string {
      if (at == sizes.size()) return cat(next++ % 7);
      std::vector<std::string> parts;
      for (int i = 0; i < sizes[at]; ++i) parts.push_back(part(at + 1));
      return cat("{", join(parts, ","), "}");
    };
    return part(0);
  };
  return cat("HloModule m\nENTRY e {\n y = f32[1,8,8,2] parameter(0)\n v = f32[1,1,2,8] constant(",
             nested({1, 1, 2, 8}), ")\n w = f32[3,3,8,2] constant(", nested({3, 3, 8, 2}),
             ")\n e = f32[1,8,8,8] convolution(y, v), window={size=1x1}, "
             "dim_labels=b01f_01io->b01f\n ROOT p = f32[1,8,8,2] convolution(e, w), "
             "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n}\n");
}

TEST_CASE("less RAM has its price among the lines of a compile, where it was asked for") {
  const SearchFolder folder(convolutions());
  const std::string begin = "cortex-m4f: arena ";
  CHECK(folder.compile("").line(begin) == "none");
  const std::string price = folder.compile(" --optimize=ram").line(begin);
  CHECK(price.find(" bytes for 2560: ") != std::string::npos);
}

TEST_CASE("what comes to the program of an earlier attempt is not tried again") {
  const SearchFolder folder(convolutions());
  const std::pair<const char*, const char*> rows[] = {
      {"--optimize=ram", "as it comes; loops over rows; more rows at a time"},
      {"--ram-budget 1400",
       "as it comes; rows in strips; loops over rows, to the budget; loops over rows, to the "
       "budget"},
      {"--ram-budget 1", "as it comes; rows in strips; loops over rows, to the budget"},
      {"--memory fast:1K,slow:1K", "as it comes; rows in strips; loops over rows"},
      {"--stream y=1", "as it comes; another end of the streamed chain"}};
  for (const auto& [flags, moves] : rows) {
    INFO(flags);
    const Told told = folder.compile(cat(" --print-after decisions ", flags));
    std::vector<std::string> tried;
    for (const std::string& one : split(told.out, '\n'))
      if (const size_t end = one.find(" ("); end != std::string::npos)
        tried.push_back(one.substr(0, end));
    CHECK(join(tried, "; ") == moves);
  }
}

TEST_CASE("a model without convolutions has no loops over rows to be tried") {
  const SearchFolder folder(
      "HloModule m\nENTRY e {\n x = f32[4,2] parameter(0)\n ROOT y = f32[4,2] sine(x)\n}\n");
  const Told told = folder.compile(" --print-after decisions --memory fast:8,slow:8");
  CHECK(told.line("rows in strips") != "none");
  CHECK(told.line("loops over rows") == "none");
}

TEST_CASE("windows of a stream that follow one another are counted in its instance") {
  const SearchFolder folder(
      "HloModule m\nENTRY e {\n x = f32[4,2] parameter(0)\n ROOT y = f32[4,2] sine(x)\n}\n");
  const auto instance = [&](const char* flags) {
    const std::string line = folder.compile(cat(" --stream x", flags)).line("cortex-m4f: RAM");
    return line.substr(line.find("instance"), 11);
  };
  CHECK(instance("") == "instance 24");
  CHECK(instance(" --every 1") == "instance 32");
  CHECK(instance(" --every 2") == "instance 32");
}

TEST_CASE("launches are split for two threads, and not for one") {
  const SearchFolder folder(convolutions());
  const auto is_split = [&](const char* threads) {
    const Told told = folder.compile(cat(" --time-report --threads ", threads));
    return told.errors.find("\nsplit ") != std::string::npos;
  };
  CHECK_FALSE(is_split("1"));
  CHECK(is_split("2"));
}

TEST_CASE("how few rows a model can do with is asked where it is shown, and not of streams") {
  Target target = tests::require(find_target("cortex-m4f"));
  target.options.stem = "kws";
  const hlo::Module module = module_of_text(convolutions());
  const auto is_known = [&](bool wants, std::optional<StreamOption> stream) {
    target.options.stream = std::move(stream);
    const kernel::Signature signature =
        tests::require(package::make_signature(module, target.options));
    Watch watch;
    watch.wants_row_floor = wants;
    return tests::require(plan_module(module, signature, target, watch)).row_floor.has_value();
  };
  CHECK(is_known(true, {}));
  CHECK_FALSE(is_known(false, {}));
  CHECK_FALSE(is_known(true, StreamOption{0, 1}));
}

TEST_CASE("a model that is inspected may lack an op, and is told no plan else") {
  const auto told = [](const char* body, int64_t budget) {
    CommandLine line;
    line.targets = {"cortex-m4f"};
    line.options.ram_budget = budget;
    line.options.stem = "kws";
    const hlo::Module module = module_of_text(cat("HloModule m\nENTRY e {\n", body, "}\n"));
    const kernel::Signature signature =
        tests::require(package::make_signature(module, line.options));
    const auto found = inspect_module(module, signature, line, nullptr, nullptr);
    if (!found) return cat("error: ", std::string(diagnostic_kind_name(found.error().kind)));
    return cat(found->plan ? "a plan" : "no plan", ", ", found->unsupported.size());
  };
  const char* const sine = " x = f32[4] parameter(0)\n ROOT y = f32[4] sine(x)\n";
  const char* const fed =
      " t = token[] after-all()\n i = ((f32[2]), token[]) infeed(t)\n d = (f32[2]) "
      "get-tuple-element(i), index=0\n x = f32[2] get-tuple-element(d), index=0\n ROOT y = f32[2] "
      "sine(x)\n";
  CHECK(told(sine, 0) == "a plan, 0");
  CHECK(told(sine, 1) == "error: budget");
  CHECK(told(fed, 0) == "no plan, 1");
}

}  // namespace
}  // namespace hlocc::driver
