// Which refusals of the system are the input's fault, and what cures them.
#include "support/environment.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

TEST_CASE("a path that names no file is its giver's fault, all else is the environment's") {
  for (const int cause : {ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP})
    CHECK(cannot_read("m.pb", cause).kind == DiagnosticKind::kFile);
  for (const int cause : {EACCES, EIO, EMFILE, ENFILE, ENOMEM, EPERM})
    CHECK(cannot_read("m.pb", cause).kind == DiagnosticKind::kEnvironment);
  CHECK(cannot_read("m.pb", ENOENT).to_string() ==
        "m.pb: error[file]: cannot be read: No such file or directory\n");
}

TEST_CASE("what the system refuses comes with the cure, where there is one") {
  CHECK(environment_error("cannot be written", ENOSPC).at({"a.o", 0}).to_string() ==
        "a.o: error[environment]: cannot be written: No space left on device\n"
        "note: make room on that disk, or write elsewhere\n");
  CHECK(environment_error("x", EIO).notes.empty());
  errno = EMFILE;
  CHECK(environment_error("x").notes.size() == 1);
}

TEST_CASE("every kind has the exit code of its row") {
  CHECK(exit_code(DiagnosticKind::kShape) == kExitInput);
  CHECK(exit_code(DiagnosticKind::kUsage) == kExitUsage);
  CHECK(exit_code(DiagnosticKind::kTarget) == kExitUsage);
  CHECK(exit_code(DiagnosticKind::kInternal) == kExitBug);
  CHECK(exit_code(DiagnosticKind::kEnvironment) == kExitEnvironment);
  CHECK(exit_code(DiagnosticKind::kMissingTool) == kExitEnvironment);
}

}  // namespace
}  // namespace hlocc
