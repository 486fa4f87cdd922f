// Temporary files go however a process ends, and only with the one that made them.
#include "support/temporary_path.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

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
