// Paths, flags and rules in the file of a matrix that stand beside those of matrix_spec_test.cpp:
// what they come to in the cells' command lines (driver/matrix/draft.cpp, draft_rules.cpp,
// spec.cpp).
#include <catch2/catch.hpp>
#include <filesystem>

#include "driver/matrix/spec.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A matrix of the model "a" on the host, with more members, read from a folder of its own.
class DraftFolder {
 public:
  MatrixSpec read(const std::string& more) const {
    folder_.write("m.json", cat(R"({"models": {"a": "a.pb"}, "targets": ["host"], )", more, "}"));
    const Result<MatrixSpec> spec = read_matrix(folder_.path() + "/m.json", "");
    INFO((spec ? "" : spec.error().to_string()));
    REQUIRE(spec);
    return *spec;
  }
  std::string ids(const std::string& more) const {
    std::vector<std::string> out;
    for (const MatrixCell& cell : read(more).cells) out.push_back(cell.id());
    return join(out, " ");
  }
  const std::string& path() const { return folder_.path(); }

 private:
  tests::TemporaryFolder folder_;
};

TEST_CASE("paths count from the file's folder, unless they are whole") {
  const DraftFolder folder;
  CHECK(folder.read(R"("verify": false)").cells[0].line.models[0] == folder.path() + "/a.pb");
  CHECK(folder.read(R"("output": "/out")").cells[0].line.output == "/out/host");
  CHECK(folder.read(R"("output": "out")").cells[0].line.output == folder.path() + "/out/host");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Result<MatrixSpec> here = read_matrix("m.json", "");
  std::filesystem::current_path(before);
  REQUIRE(here);
  CHECK(here->cells[0].line.models[0] == "a.pb");
}

TEST_CASE("a weight's file counts from the file's folder, a pattern is none") {
  const DraftFolder folder;
  const auto frozen = [&](const char* value) {
    const MatrixSpec spec = folder.read(cat(R"("options": {"freeze": ")", value, "\"}"));
    return join(spec.cells[0].line.given.at("--freeze"), " ");
  };
  CHECK(frozen("conv*") == "conv*");
  CHECK(frozen("w=w.npy") == cat("w=", folder.path(), "/w.npy"));
  CHECK(frozen("w=/w.npy") == "w=/w.npy");
}

TEST_CASE("an inclusion turns verification on or off") {
  const DraftFolder folder;
  const auto snapshots = [&](const char* more) {
    return folder.read(more).cells[0].snapshots.size();
  };
  CHECK(snapshots(R"("verify": true)") == 1);
  CHECK(snapshots(R"("verify": true, "include": [{"model": "a", "verify": false}])") == 0);
  CHECK(snapshots(R"("include": [{"model": "a", "verify": true}])") == 1);
  CHECK(snapshots(R"("include": [{"model": "a", "profile": true}])") == 0);
}

TEST_CASE("cells of inclusions have the axes that they name, and no others") {
  const DraftFolder folder;
  CHECK(folder.ids(R"("axes": {"O": ["s"]}, "include": [{"model": "a", "target": "cortex-m0"},
                                                        {"O": "s", "profile": true}])") ==
        "a/host/O=s a/cortex-m0");
  const char* const budgets = R"("axes": {"ram-budget": ["1K"]},
      "include": [{"model": "a", "target": "cortex-m0", "ram-budget": "2K"}])";
  CHECK(folder.ids(budgets) == "a/host/ram-budget=1K a/cortex-m0/ram-budget=2K");
  CHECK(folder.read(budgets).cells[1].line.options.ram_budget == 2048);
}

}  // namespace
}  // namespace hlocc::driver
