// A cache's folder: what is found again, under which names, what goes when it grows past its limit,
// and what is said of a folder that is none.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "driver/cache/store.h"
#include "driver/few_descriptors.h"
#include "support/folder.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kNoLimit = 1 << 20;

std::string key_of(char letter) { return std::string(64, letter); }
std::string file_of(const std::string& folder, Shelf shelf, char letter) {
  return cat(folder, "/", name_of(shelf), "/", std::string(2, letter), "/", key_of(letter));
}
void last_used(const std::string& path, int seconds_ago) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
}
bool is_recent(const std::string& path) {
  return fs::last_write_time(path) > fs::file_time_type::clock::now() - std::chrono::seconds(900);
}
std::string text_of(const std::optional<Pieces::Bytes>& bytes) {
  if (!bytes) return "nothing";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST_CASE("what a folder keeps is found under its shelf and its key") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), kNoLimit, false);
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "nothing");
  store->put(Shelf::kActions, key_of('a'), bytes_of("outcome"));
  store->put(Shelf::kContents, key_of('a'), bytes_of("library"));
  store->put(Shelf::kContents, key_of('b'), bytes_of(""));
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "outcome");
  CHECK(text_of(store->get(Shelf::kContents, key_of('a'))) == "library");
  CHECK(text_of(store->get(Shelf::kContents, key_of('b'))).empty());
  CHECK(text_of(store->get(Shelf::kActions, key_of('b'))) == "nothing");
  CHECK(fs::exists(cat(folder.path(), "/ac/aa/", key_of('a'))));
  CHECK(fs::exists(cat(folder.path(), "/cas/aa/", key_of('a'))));
  CHECK(paths_in(folder.path() + "/cas/aa").size() == 1);
  store->put(Shelf::kActions, key_of('a'), bytes_of("another"));
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "another");
  store->remove(Shelf::kActions, key_of('a'));
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "nothing");
  CHECK(text_of(store->get(Shelf::kContents, key_of('a'))) == "library");
  CHECK(store->trouble().empty());
}

TEST_CASE("a folder that is only read stays as it is") {
  const tests::TemporaryFolder folder;
  disk_store(folder.path(), kNoLimit, false)->put(Shelf::kActions, key_of('a'), bytes_of("old"));
  last_used(file_of(folder.path(), Shelf::kActions, 'a'), 3600);
  const auto reader = disk_store(folder.path(), 1, true);
  reader->put(Shelf::kActions, key_of('a'), bytes_of("new"));
  reader->put(Shelf::kActions, key_of('b'), bytes_of("new"));
  reader->remove(Shelf::kActions, key_of('a'));
  reader->finish();
  CHECK(text_of(reader->get(Shelf::kActions, key_of('a'))) == "old");
  CHECK(text_of(reader->get(Shelf::kActions, key_of('b'))) == "nothing");
  CHECK_FALSE(is_recent(file_of(folder.path(), Shelf::kActions, 'a')));
  CHECK(reader->trouble().empty());
}

// Entries of so many bytes, the first used longest ago, beside a limit; the letters of those that
// are left. The last one is put when the others are there.
std::string left_of(const std::vector<int>& sizes, int64_t limit, char read_again = 0,
                    bool grows = true) {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), limit, false);
  const auto shelf = [](size_t i) { return i % 2 == 0 ? Shelf::kContents : Shelf::kActions; };
  for (size_t i = 0; i < sizes.size(); ++i) {
    const char letter = static_cast<char>('a' + i);
    store->put(shelf(i), key_of(letter), Pieces::Bytes(static_cast<size_t>(sizes[i])));
    last_used(file_of(folder.path(), shelf(i), letter), static_cast<int>(10'000 - 1000 * i));
    if (letter == read_again) store->get(shelf(i), key_of(letter));
  }
  (grows ? *store : *disk_store(folder.path(), limit, false)).finish();
  std::string left;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (const char letter = static_cast<char>('a' + i);
        fs::exists(file_of(folder.path(), shelf(i), letter)))
      left += letter;
  return left;
}

TEST_CASE("a folder that grew past its limit loses what was used longest ago") {
  CHECK(left_of({40, 40, 40}, 120) == "abc");
  CHECK(left_of({40, 40, 40}, 119) == "bc");
  CHECK(left_of({40, 40, 40}, 88) == "c");
  // To nine tenths, and no further: of 100 and of 98.
  CHECK(left_of({30, 30, 30, 30}, 100) == "bcd");
  CHECK(left_of({30, 30, 30, 30}, 98) == "cd");
  CHECK(left_of({10, 100, 10}, 110) == "c");
  CHECK(left_of({40, 40, 40}, 10).empty());
  // Reading is a use; what did not grow keeps all.
  CHECK(left_of({40, 40, 40}, 119, 'a') == "ac");
  CHECK(left_of({40, 40, 40}, 10, 0, false) == "abc");
}

TEST_CASE("room is made once for what was put") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), 50, false);
  store->put(Shelf::kActions, key_of('a'), Pieces::Bytes(40));
  store->finish();
  CHECK(fs::exists(file_of(folder.path(), Shelf::kActions, 'a')));
  // Another process grows it past the limit; this one has put nothing since.
  disk_store(folder.path(), kNoLimit, false)->put(Shelf::kActions, key_of('b'), Pieces::Bytes(40));
  store->finish();
  CHECK(fs::exists(file_of(folder.path(), Shelf::kActions, 'a')));
}

TEST_CASE("files that a process left half-written go after an hour") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), kNoLimit, false);
  store->put(Shelf::kActions, key_of('a'), bytes_of("whole"));
  const std::string half = file_of(folder.path(), Shelf::kActions, 'a');
  const std::string old = half + ".1.2.partial", young = half + ".3.4.partial";
  std::ofstream(old) << "half";
  std::ofstream(young) << "half";
  last_used(old, 3700);
  last_used(young, 3500);
  store->finish();
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young));
  CHECK(fs::exists(half));
}

TEST_CASE("a file under its first name is left behind after an hour, and no second earlier") {
  CHECK_FALSE(is_left_behind(1000, 1000));
  CHECK_FALSE(is_left_behind(1000, 1000 + 3600));
  CHECK(is_left_behind(1000, 1000 + 3601));
  CHECK_FALSE(is_left_behind(1000, 0));  // another machine's clock
}

TEST_CASE("a link to nothing beside entries takes no room") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), 79, false);
  store->put(Shelf::kActions, key_of('a'), Pieces::Bytes(40));
  const std::string entry = file_of(folder.path(), Shelf::kActions, 'a'), link = entry + "z";
  fs::create_symlink(folder.path() + "/nothing", link);
  store->finish();
  CHECK(fs::exists(entry));
  CHECK(fs::is_symlink(link));
}

TEST_CASE("a folder that is none is said once, and loses nothing but the entry") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("file", "a file");
  const auto store = disk_store(file, kNoLimit, false);
  store->put(Shelf::kActions, key_of('a'), bytes_of("outcome"));
  CHECK(store->trouble().starts_with(file + ": cannot be written"));
  const std::string first = store->trouble();
  store->put(Shelf::kContents, key_of('b'), bytes_of("library"));
  CHECK(store->trouble() == first);
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "nothing");
  store->finish();
}

// No file may grow past so many bytes, for as long as this lives.
class ShortFiles {
 public:
  explicit ShortFiles(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit now = {bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~ShortFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_CASE("an entry that can't be written whole is none, and one that can't be opened is a miss") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), kNoLimit, false);
  store->put(Shelf::kActions, key_of('a'), bytes_of("whole"));
  std::optional<Pieces::Bytes> without_descriptors;
  {
    const tests::FewDescriptors none(0);
    without_descriptors = store->get(Shelf::kActions, key_of('a'));
  }
  CHECK_FALSE(without_descriptors);
  {
    const ShortFiles few(10);
    store->put(Shelf::kActions, key_of('b'), Pieces::Bytes(100));
  }
  CHECK(store->trouble().starts_with(folder.path() + ": cannot be written"));
  CHECK_FALSE(fs::exists(file_of(folder.path(), Shelf::kActions, 'b')));
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))) == "whole");
}

TEST_CASE("an empty entry is one, and a folder in an entry's place is said") {
  const tests::TemporaryFolder folder;
  const auto store = disk_store(folder.path(), kNoLimit, false);
  store->put(Shelf::kActions, key_of('a'), bytes_of(""));
  CHECK(text_of(store->get(Shelf::kActions, key_of('a'))).empty());
  CHECK(store->get(Shelf::kActions, key_of('a')).has_value());
  fs::create_directories(file_of(folder.path(), Shelf::kActions, 'b'));
  CHECK(store->trouble().empty());
  store->put(Shelf::kActions, key_of('b'), bytes_of("outcome"));
  CHECK(store->trouble().starts_with(folder.path() + ": cannot be written"));
  CHECK(text_of(store->get(Shelf::kActions, key_of('b'))) == "nothing");
}

}  // namespace
}  // namespace hlocc::driver
