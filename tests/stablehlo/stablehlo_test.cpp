// Each program of tests/data/stablehlo, in both forms of MLIR, is what JAX's own road makes of it:
// the same bits of all results. make.py wrote them.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "driver/run/execute.h"
#include "hlo/compare.h"
#include "import/file.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;
using hlo::Literal;

constexpr const char* kFolder = HLOCC_TEST_DATA "/stablehlo";

std::string text_of(const std::string& path) {
  Result<std::vector<std::byte>> bytes = import::read_file(path);
  REQUIRE(bytes.ok());
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// All bits, but for those of NaNs; `loose`: near, in the type's own measure.
hlo::CompareRule rule_of(const Literal& expected, bool loose) {
  if (!loose) return {.exact = true, .signed_zero = true, .denorm = false};
  const double near = hlo::real_type(expected.type()) == hlo::PrimitiveType::kF64 ? 1e-12 : 1e-5;
  return {.rtol = near, .atol = near};
}

// What XLA's code computes, whose sums and functions are its own.
hlo::CompareRule rule_of_xla(const Literal& expected) {
  const hlo::PrimitiveType type = hlo::real_type(expected.type());
  if (!hlo::is_float(type)) return {.exact = true};
  const double near = hlo::type_bits(type) < 32 ? 2e-2 : 1e-4;
  return {.rtol = near, .atol = near};
}

Result<std::vector<Literal>> run(const Result<import::Imported>& imported,
                                 const std::vector<Literal>& arguments) {
  if (!imported) return imported.error();
  HLOCC_TRY(ops::verify(imported->module));
  HLOCC_TRY_ASSIGN(const Literal result,
                   driver::execute(imported->module, arguments, "interpreter", {}));
  return hlo::leaves(result);
}

// Why a program is not what the other road makes of it; empty if it is.
std::string difference(const std::string& path, const import::Imported& road,
                       const std::vector<Literal>& expected, bool loose) {
  const Result<import::Imported> imported = import::read_model_file(path);
  const Result<std::vector<Literal>> got = run(imported, road.snapshot->arguments);
  if (!got) return got.error().to_string();
  if (imported->module.aliases != road.module.aliases) return "other arguments are donated";
  if (got->size() != expected.size()) return "has another number of results";
  for (size_t i = 0; i < expected.size(); ++i) {
    const Literal& one = expected[i];
    const hlo::Comparison same = hlo::compare_leaf((*got)[i], one, rule_of(one, loose));
    if (!same.ok) return cat("result ", i, " differs: ", same.first);
  }
  return "";
}

TEST_CASE("programs as JAX prints them give what its HLO gives") {
  // Nights have thousands of programs elsewhere (harnesses.py).
  const char* elsewhere = std::getenv("HLOCC_STABLEHLO");
  const std::string folder = elsewhere != nullptr ? elsewhere : kFolder;
  std::set<std::string> loose;
  for (const std::string& name : split(text_of(cat(folder, "/loose.txt")), '\n'))
    loose.insert(name);
  int programs = 0, skipped = 0;
  for (const fs::path& path : paths_in(folder)) {
    const std::string file = path.filename().string();
    constexpr std::string_view kEnding = ".snapshot.pb";
    if (!file.ends_with(kEnding)) continue;
    const std::string name = file.substr(0, file.size() - kEnding.size());
    INFO(name);
    ++programs;
    const Result<import::Imported> road = import::read_model_file(path.string());
    const Result<std::vector<Literal>> expected =
        road ? run(road, road->snapshot->arguments) : road.error();
    // What HLO's own road has no answer for is no question here.
    if (!expected && elsewhere != nullptr) {
      WARN(name << ": " << expected.error().to_string());
      ++skipped;
      continue;
    }
    if (!expected) FAIL_CHECK(expected.error().to_string());
    if (!expected) continue;
    // Texts of StableHLO come without.
    const std::vector<Literal> by_xla = hlo::leaves(road->snapshot->result);
    for (size_t i = 0; i < by_xla.size() && elsewhere == nullptr; ++i) {
      INFO("result " << i << " by XLA");
      const hlo::Comparison near =
          hlo::compare_leaf((*expected)[i], by_xla[i], rule_of_xla(by_xla[i]));
      INFO(near.first);
      CHECK(near.ok);
    }
    for (const char* form : {".mlir", ".generic.mlir"}) {
      INFO(form);
      CHECK(difference(cat(folder, "/", name, form), *road, *expected, loose.contains(name)) == "");
    }
  }
  INFO(programs << " programs, " << skipped << " that the HLO road refuses");
  CHECK(programs >= 150);
  if (elsewhere != nullptr) std::printf("%d programs, %d skipped\n", programs, skipped);
}

TEST_CASE("docs/formats.md has the operations that are read") {
  std::string page = text_of(HLOCC_TEST_DATA "/../../docs/formats.md");
  page.erase(0, page.find("# StableHLO text"));
  int rows = 0;
  const auto check = [&](std::string_view name) {
    const std::string_view last = name.substr(name.rfind('.') + 1);
    INFO(name);
    CHECK(page.find(cat("`", last, "`")) != std::string::npos);
    ++rows;
  };
#define HLOCC_STABLEHLO_PLAIN(name, opcode) check(name);
#define HLOCC_STABLEHLO_MATH(name, opcode) check(name);
#define HLOCC_STABLEHLO_OP(name, pretty, function) check(name);
#include "import/stablehlo/ops.def"
  CHECK(rows > 100);
}

}  // namespace
}  // namespace hlocc
