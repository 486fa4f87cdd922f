// The C program that runs a batch of cases names its files, its cases and the largest arena.
#include "driver/verify_main.h"

#include <catch2/catch.hpp>

namespace hlocc::driver {
namespace {

TEST_CASE("a batch has one arena for all, and a function for each case") {
  const std::vector<BatchCase> cases = {{3, {4, 0}, {8}, 100, 16}, {7, {}, {1}, 5000, 64}};
  const std::string text = write_batch_main(cases, "a \"folder\"");
  const auto holds = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(holds("#include \"hlocc_case_3.h\""));
  CHECK(holds("ARENA_BYTES = 5000, ARENA_ALIGN = 64"));
  CHECK(holds("get(file, hlocc_case_3_arg0_data(self), 4u)"));
  CHECK(holds("put(file, hlocc_case_7_result0_data(self), 1u)"));
  CHECK(holds("{run_3, run_7}"));
  CHECK(holds("board_file_open_read(\"a \\\"folder\\\"/3.in\")"));
}

}  // namespace
}  // namespace hlocc::driver
