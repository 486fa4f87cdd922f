// Several children at once: all answers arrive, whatever becomes of one.
#include "driver/verify/child_pool.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <map>

#include "support/text.h"

namespace hlocc::driver {
namespace {

TEST_CASE("a pool hands over what each of its children said") {
  for (const int most : {1, 3, 100}) {
    std::map<int, ChildOutcome> outcomes;
    {
      ChildPool pool(most);
      for (int i = 0; i < 20; ++i)
        pool.add(
            [i]() -> std::string {
              if (i == 5) ::kill(::getpid(), SIGKILL);
              if (i == 7) ::_exit(3);
              if (i == 9) return std::string(1 << 20, 'x');  // more than a pipe holds
              return cat("child ", i);
            },
            [i, &outcomes](const ChildOutcome& outcome) { outcomes[i] = outcome; });
      pool.finish();
    }
    REQUIRE(outcomes.size() == 20);
    CHECK(outcomes[4].output == "child 4");
    CHECK(outcomes[4].finished);
    CHECK_FALSE(outcomes[5].finished);
    CHECK(outcomes[5].failure.find("signal 9") == 0);
    CHECK(outcomes[7].failure == "exit code 3");
    CHECK(outcomes[9].output.size() == 1 << 20);
  }
}

TEST_CASE("a pool that is given up ends its children") {
  int ended = 0;
  {
    ChildPool pool(2);
    for (int i = 0; i < 2; ++i)
      pool.add([]() -> std::string { return ::pause(), ""; },
               [&](const ChildOutcome&) { ++ended; });
  }
  CHECK(ended == 0);
}

}  // namespace
}  // namespace hlocc::driver
