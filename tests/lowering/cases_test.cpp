// Programs just inside and outside of what lowering asks of an op or a group (cases/*.hlo, each of
// which names its chips in the first line), as they stand: no pass has made them what lowering is
// used to. What they give is compared with the interpreter, and the kernels' figures are held, a
// line a program; what is refused is refused with the same words.
#include <filesystem>
#include <fstream>

#include "lowering/harness.h"
#include "lowering/program/lower.h"
#include "picked/picked.h"
#include "picked/program_figures.h"
#include "support/cases.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

std::vector<std::string> chips_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  INFO(path << ": " << line);
  REQUIRE(line.starts_with("@ "));
  return parts_of(line.substr(2), " ");
}

void check_cases_of(const std::string& path) {
  const std::vector<std::string> chips = chips_of(path);
  for (const Case& each : read_cases(path)) {
    INFO(each.name);
    const hlo::Module module = module_from(each.text);
    for (const std::string& chip : chips) {
      const Target target = chip_of(chip);
      const auto made = lowering::lower(module, signature_of(module), target);
      add_lowered("cases", cat(each.name, ", ", chip), made, target);
      if (made) agrees_on(module, {chip, target}, {.rtol = 1e-5, .atol = 1e-6});
    }
  }
}

}  // namespace

TEST_CASE("programs just inside and outside of what lowering asks", "[lowering]") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("cases")) {
    const std::string path = entry.path().string();
    if (path.ends_with("sides.hlo")) continue;
    check_cases_of(path);
    ++files;
  }
  CHECK(files > 2);
}

TEST_CASE("products whose left sides lie or are made so and otherwise", "[lowering]") {
  check_cases_of("cases/left_sides.hlo");
}

TEST_CASE("windows of every order, border and place", "[lowering]") {
  check_cases_of("cases/window_sides.hlo");
}

TEST_CASE("scales, gates, arms, turns and parts on both sides", "[lowering]") {
  check_cases_of("cases/sides.hlo");
}

}  // namespace hlocc::tests
