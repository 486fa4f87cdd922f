// Folders' entries, numbers in texts and threads, none of which throws.
#include "support/folder.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>

#include "support/number.h"
#include "support/thread.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the entries of a folder, sorted; of none, none") {
  const fs::path folder = fs::temp_directory_path() / "hlocc_folder_test";
  fs::create_directories(folder / "b");
  std::ofstream(folder / "a.txt") << "x";
  CHECK(paths_in(folder) == std::vector<fs::path>{folder / "a.txt", folder / "b"});
  CHECK(paths_in(folder / "none").empty());
  CHECK(paths_in(folder / "a.txt").empty());
  CHECK(paths_in(std::string(300, 'n')).empty());
  fs::remove_all(folder);
}

TEST_CASE("numbers that are the whole text") {
  CHECK(to_integer("17") == 17);
  CHECK((to_count("0") == 0 && to_count("2147483647") == 2147483647));
  for (const char* text : {"", "-1", "2147483648", "4294967297", "1x", " 1"})
    CHECK_FALSE(to_count(text));
  CHECK(to_integer("-9223372036854775808") == INT64_MIN);
  for (const char* wrong : {"", " 1", "1 ", "1x", "x", "9223372036854775808", "1.5", "+1"})
    CHECK_FALSE(to_integer(wrong));
}

TEST_CASE("numbers with a fraction or an exponent") {
  CHECK((to_real("1.5") == 1.5 && to_real("-2e3") == -2000 && to_real("inf") > 1e308));
  for (const char* wrong : {"", " 1", "1.5 ", "1x", "x", "1e999", "+1"})
    CHECK_FALSE(to_real(wrong));
}

TEST_CASE("a thread runs and is waited for") {
  std::atomic<int> done = 0;
  Thread thread;
  thread.join();
  CHECK_FALSE(thread.is_running());
  REQUIRE(thread.start([&] { done = 1; }));
  thread.join();
  CHECK(done == 1);
}

}  // namespace
}  // namespace hlocc
