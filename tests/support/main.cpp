// The one translation unit that carries Catch2's runner: compiled once, linked into every test
// program. After the tests come their digests.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "support/digests.h"

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  return failed != 0 ? failed : hlocc::tests::check_digests();
}
