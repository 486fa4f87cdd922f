// Which of the names somebody may have meant.
#include "support/suggest.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

TEST_CASE("edits are counted") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("target", "target") == 0);
  CHECK(edit_distance("tagret", "target") == 1);
  CHECK(edit_distance("targt", "target") == 1);
  CHECK(edit_distance("targets", "target") == 1);
  CHECK(edit_distance("tarbet", "target") == 1);
  CHECK(edit_distance("Keep_Arguments", "keep-arguments") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("AZ_", "az-") == 0);
  // Neighbours change places: both of them, and the first ones, too.
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("ab", "ca") == 2);
  CHECK(edit_distance("ab", "bc") == 2);
}

TEST_CASE("the nearest name is found, and none where none is near") {
  const std::vector<std::string> names = {"compile", "run", "verify", "cortex-m4", "cortex-m4f"};
  CHECK(nearest("complie", names) == "compile");
  CHECK(nearest("cortex-m4f0", names) == "cortex-m4f");
  CHECK(nearest("cortexm4", names) == "cortex-m4");
  CHECK(nearest("rnu", names) == "run");
  CHECK(nearest("dance", names).empty());
  CHECK(nearest("x", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("rux", {"run", "rut"}) == "run");
  // 128 letters are a name, one more are none.
  const std::string longest(128, 'a'), longer(129, 'a');
  CHECK(nearest(longest, {longest}) == longest);
  CHECK(nearest(longer, {longest}).empty());
  CHECK(nearest(longest, {longer}).empty());
}

TEST_CASE("a suggestion is a note") {
  const Diagnostic near = suggest(error(DiagnosticKind::kUsage, "no"), "tagret", {"target"}, "--");
  REQUIRE(near.notes.size() == 1);
  CHECK(near.notes[0] == "did you mean `--target`?");
  CHECK(suggest(error(DiagnosticKind::kUsage, "no"), "lunch", {"target"}).notes.empty());
}

}  // namespace
}  // namespace hlocc
