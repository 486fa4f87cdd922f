// Each program of tests/data/stablehlo, in both forms of MLIR, is what JAX's own road makes of it:
// the same bits of all results. make.py wrote them.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <set>

#include "driver/run/execute.h"
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

// The bits of one leaf, but for those of NaNs.
bool same_bits(const Literal& a, const Literal& b) {
  if (!hlo::same_dimensions_and_type(a.shape(), b.shape())) return false;
  if (a.bytes().size() == b.bytes().size() &&
      std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin()))
    return true;
  if (hlo::real_type(a.type()) != hlo::PrimitiveType::kF32) return false;
  const auto count = a.bytes().size() / sizeof(float);
  for (size_t i = 0; i < count; ++i) {
    float x = 0, y = 0;
    std::memcpy(&x, a.bytes().data() + i * sizeof x, sizeof x);
    std::memcpy(&y, b.bytes().data() + i * sizeof y, sizeof y);
    if (std::memcmp(&x, &y, sizeof x) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

bool is_near(const Literal& a, const Literal& b) {
  if (!hlo::same_dimensions_and_type(a.shape(), b.shape())) return false;
  const auto x = a.bytes(), y = b.bytes();
  for (size_t i = 0; i + sizeof(float) <= x.size(); i += sizeof(float)) {
    float p = 0, q = 0;
    std::memcpy(&p, x.data() + i, sizeof p);
    std::memcpy(&q, y.data() + i, sizeof q);
    if (!(std::abs(p - q) <= 1e-5f * std::max(1.0f, std::abs(q)))) return false;
  }
  return true;
}

std::vector<Literal> run(const hlo::Module& module, const std::vector<Literal>& arguments,
                         const std::string& way) {
  const Status sound = ops::verify(module);
  if (!sound) FAIL(sound.error().to_string());
  Result<Literal> result = driver::execute(module, arguments, way, {});
  if (!result) FAIL(result.error().to_string());
  return hlo::leaves(*result);
}

hlo::Module read(const std::string& path) {
  Result<import::Imported> imported = import::read_model_file(path);
  if (!imported) FAIL(imported.error().to_string());
  return std::move(imported->module);
}

void compare(const std::string& name, bool loose) {
  INFO(name);
  Result<import::Imported> road = import::read_model_file(cat(kFolder, "/", name, ".snapshot.pb"));
  if (!road) FAIL(road.error().to_string());
  const std::vector<Literal>& arguments = road->snapshot->arguments;
  const std::vector<Literal> expected = run(road->module, arguments, "interpreter");
  for (const char* form : {".mlir", ".generic.mlir"}) {
    INFO(form);
    const hlo::Module module = read(cat(kFolder, "/", name, form));
    CHECK(module.aliases == road->module.aliases);
    const std::vector<Literal> got = run(module, arguments, "interpreter");
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO("result " << i);
      CHECK((same_bits(got[i], expected[i]) || (loose && is_near(got[i], expected[i]))));
    }
  }
}

TEST_CASE("programs as JAX prints them give what its HLO gives") {
  std::set<std::string> loose;
  for (const std::string& name : split(text_of(cat(kFolder, "/loose.txt")), '\n'))
    loose.insert(name);
  int programs = 0;
  for (const fs::path& path : paths_in(kFolder)) {
    const std::string file = path.filename().string();
    constexpr std::string_view kEnding = ".snapshot.pb";
    if (!file.ends_with(kEnding)) continue;
    const std::string name = file.substr(0, file.size() - kEnding.size());
    DYNAMIC_SECTION(name) { compare(name, loose.contains(name)); }
    ++programs;
  }
  CHECK(programs >= 150);
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
