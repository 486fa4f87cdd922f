// Who does the work of a queue: whoever waits at once does it himself, also where the thread was as
// quick as he; for who does not wait the thread does it.
#include "devices/queue/work_queue.h"

#include <atomic>
#include <catch2/catch.hpp>

namespace hlocc::device {
namespace {

TEST_CASE("whoever waits at once does the work himself") {
  WorkQueue queue;
  int own = 0;
  for (int i = 0; i < 500; ++i) {
    std::thread::id by;
    queue.add({.body = [&by]() -> Status {
      by = std::this_thread::get_id();
      return {};
    }});
    REQUIRE(queue.wait().ok());
    own += by == std::this_thread::get_id() ? 1 : 0;
  }
  CHECK(own > 0);
}

TEST_CASE("work is done for a caller who does not wait, whatever he did before") {
  WorkQueue queue;
  std::atomic<int> done = 0;
  const auto give = [&] {
    queue.add({.body = [&done]() -> Status {
      ++done;
      return {};
    }});
  };
  for (int i = 0; i < 20; ++i) {
    give();
    REQUIRE(queue.wait().ok());
  }
  give();
  // For ever, if nothing does it.
  while (done < 21) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_CASE("a thread that sleeps wakes for work that nobody waits for") {
  WorkQueue queue;
  std::atomic<int> done = 0;
  for (int i = 1; i < 4; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.add({.body = [&done]() -> Status {
      ++done;
      return {};
    }});
    // For ever, if nothing does it.
    while (done < i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("what failed first is what a queue says, and work behind it is left out") {
  WorkQueue queue;
  std::string ran, after;
  const auto give = [&](char name, bool fails, bool always) {
    queue.add({.body = [&ran, name, fails]() -> Status {
                 ran += name;
                 if (!fails) return {};
                 return error(DiagnosticKind::kRun, std::string(1, name));
               },
               .after = [&after, name] { after += name; },
               .always = always});
  };
  give('a', false, false);
  give('b', true, false);
  give('c', false, false);
  give('d', true, true);
  give('e', false, true);
  for (int i = 0; i < 2; ++i) {
    const Status said = queue.wait();
    REQUIRE_FALSE(said.ok());
    CHECK(said.error().message == "b");
  }
  CHECK(ran == "abde");
  CHECK(after == "abcde");
}

TEST_CASE("a queue that ends does all of its work before") {
  for (int i = 0; i < 50; ++i) {
    std::atomic<int> done = 0;
    {
      WorkQueue queue;
      for (int n = 0; n < 20; ++n)
        queue.add({.body = [&done]() -> Status {
          ++done;
          return {};
        }});
    }
    REQUIRE(done == 20);
  }
}

}  // namespace
}  // namespace hlocc::device
