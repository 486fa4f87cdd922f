// Temporary files go however a process ends, and only with the one that made them.
#include "support/temporary_path.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "support/check.h"
#include "support/lost_exceptions.h"
#include "support/out_of_memory.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;

// The address sanitizer's ends the process itself, and asks no handler.
#ifdef __SANITIZE_ADDRESS__
constexpr bool has_own_operator_new = false;
#else
constexpr bool has_own_operator_new = true;
#endif

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "hlocc_temporary_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  // A file, or what is to be a folder with one in it.
  std::string make(const std::string& name) const {
    const fs::path path = path_ / name;
    if (path.has_extension())
      std::ofstream(path) << "x";
    else
      fs::create_directory(path), std::ofstream(path / "file.txt") << "x";
    return path.string();
  }
  bool is_empty() const { return fs::is_empty(path_); }

 private:
  fs::path path_;
};

// How a child ends that does this.
int exit_code_of(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(98);
    body();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_CASE("a temporary path goes with its scope, unless it is kept or handed on") {
  const Folder folder;
  std::optional<TemporaryPath> later;
  {
    const TemporaryPath file(folder.make("a.txt")), whole(folder.make("folder"));
    TemporaryPath handed(folder.make("b.txt"));
    later.emplace(std::move(handed));
    CHECK_FALSE(folder.is_empty());
  }
  CHECK(fs::exists(later->path()));
  later.reset();
  CHECK(folder.is_empty());
  const std::string kept = folder.make("c.txt");
  {
    TemporaryPath file(kept);
    file.keep();
  }
  CHECK(fs::exists(kept));
}

TEST_CASE("temporary paths go where no destructor runs") {
  const Folder folder;
  CHECK(exit_code_of([&] {
          const TemporaryPath file(folder.make("a.txt")), whole(folder.make("folder"));
          HLOCC_CHECK(false, "on purpose");
        }) == 3);
  CHECK(folder.is_empty());
  CHECK(exit_code_of([&] {
          end_at_lost_exceptions();
          const TemporaryPath file(folder.make("a.txt"));
          [&]() noexcept { static_cast<void>(std::string_view().substr(1)); }();
        }) == 3);
  CHECK(folder.is_empty());
  if (!has_own_operator_new) return;
  CHECK(exit_code_of([&] {
          end_when_out_of_memory();
          const TemporaryPath file(folder.make("a.txt")), whole(folder.make("folder"));
          // More than any address space.
          const volatile size_t bytes = size_t{1} << 62;
          ::operator delete(::operator new(bytes));
        }) == 4);
  CHECK(folder.is_empty());
}

TEST_CASE("what was kept is out of the list, and the others stay in it") {
  const Folder folder;
  const std::string kept = folder.make("kept.txt");
  const std::function<void(TemporaryPath&)> rows[] = {
      [](TemporaryPath&) {},
      [](TemporaryPath& path) { path.keep(); },
      [](TemporaryPath& path) { const TemporaryPath moved(std::move(path)); },
  };
  for (const auto& row : rows) {
    CHECK(exit_code_of([&] {
            const TemporaryPath file(folder.make("a.txt"));
            {
              TemporaryPath path(kept);
              path.keep();
              row(path);
            }
            HLOCC_CHECK(false, "on purpose");
          }) == 3);
    CHECK(fs::exists(kept));
    fs::remove(kept);
    CHECK(folder.is_empty());
    folder.make("kept.txt");
  }
}

TEST_CASE("a limit of data is exceeded by what is there and what is asked for") {
  const struct {
    size_t bytes, limit;
    const char* statm;
    bool is_over;
  } rows[] = {
      {10, 10, "9 9 9 9 9 0 9", false}, {11, 10, "9 9 9 9 9 0 9", true},
      {4, 10, "9 9 9 9 9 3 9", false},  {5, 10, "9 9 9 9 9 3 9", true},
      {11, 10, "9 9 9 9 9", false},     {11, 10, "", false},
      {11, 10, "none", false},
  };
  for (const auto& [bytes, limit, statm, is_over] : rows) {
    INFO(bytes << " of " << limit << " beside " << statm);
    CHECK(is_over_data_limit(bytes, limit, statm, 2) == is_over);
  }
}

TEST_CASE("the limit of data is that of the process") {
  rlimit limit = {};
  REQUIRE(::getrlimit(RLIMIT_DATA, &limit) == 0);
  const auto limited_to = [&](rlim_t most, size_t bytes) {
    return exit_code_of([&] {
      limit.rlim_cur = std::min(most, limit.rlim_max);
      ::_exit(::setrlimit(RLIMIT_DATA, &limit) != 0 ? 97 : is_over_data_limit(bytes) ? 1 : 0);
    });
  };
  CHECK(limited_to(rlim_t{1} << 40, 1) == 0);
  CHECK(limited_to(rlim_t{1} << 40, size_t{1} << 41) == 1);
  // As far as whoever runs this may go.
  CHECK(limited_to(RLIM_INFINITY, SIZE_MAX) == (limit.rlim_max == RLIM_INFINITY ? 0 : 1));
}

TEST_CASE("a forked process leaves its parent's temporary files alone") {
  const Folder folder;
  const TemporaryPath file(folder.make("a.txt"));
  CHECK(exit_code_of([&] { HLOCC_CHECK(false, "on purpose"); }) == 3);
  CHECK(exit_code_of([&] { TemporaryPath moved(std::move(const_cast<TemporaryPath&>(file))); }) ==
        99);
  CHECK(fs::exists(file.path()));
}

}  // namespace
}  // namespace hlocc
