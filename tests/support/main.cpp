// What every test program does: Catch2's run, and after the tests their digests and figures. Catch2's own
// library brings a `main`, which the linker gives another name (--wrap) where that library is
// installed; else its runner is compiled here.
#ifndef HLOCC_CATCH_LIBRARY
#define CATCH_CONFIG_RUNNER
#endif
#include <catch2/catch.hpp>

#include "support/digests.h"
#include "support/figures.h"

#ifdef HLOCC_CATCH_LIBRARY
extern "C" int __real_main(int argc, char** argv);
extern "C" int __wrap_main(int argc, char** argv) {
  const int failed = __real_main(argc, argv);
#else
int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
#endif
  if (failed != 0) return failed;
  return hlocc::tests::check_digests() + hlocc::tests::check_figures();
}
