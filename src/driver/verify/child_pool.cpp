// See child_pool.h. One loop polls the pipes of all children; a child has ended when both of its
// pipes have.
#include "driver/verify/child_pool.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>

#include "driver/verify/pipe.h"

namespace hlocc::driver {

struct ChildPool::Running {
  pid_t child = -1;
  Pipe result, errors;
  ChildOutcome outcome;
  std::function<void(const ChildOutcome&)> done;
  bool has_result = true, has_errors = true;  // more may come
};

namespace {

// What is there to be read; false at the end.
bool take(int descriptor, std::string& into) {
  char buffer[1 << 14];
  const ssize_t moved = ::read(descriptor, buffer, sizeof buffer);
  if (moved > 0) into.append(buffer, static_cast<size_t>(moved));
  return goes_on(moved, errno);
}

}  // namespace

ChildPool::ChildPool(int most)
    : most_(most > 0 ? static_cast<size_t>(most)
                     : std::max<size_t>(1, std::thread::hardware_concurrency())) {}

ChildPool::~ChildPool() {
  for (const auto& one : running_) {
    ::kill(one->child, SIGKILL);
    wait_for(one->child, one->outcome);
    one->outcome.finished = false;
    clean_up_after(one->child, one->outcome);
  }
}

void ChildPool::add(const std::function<std::string()>& body,
                    std::function<void(const ChildOutcome&)> done) {
  while (running_.size() >= most_) wait_for_one();
  auto one = std::make_unique<Running>();
  one->done = std::move(done);
  if (are_open(one->result, one->errors)) {
    std::fflush(nullptr);
    one->child = ::fork();
  }
  if (one->child < 0) return one->done(no_process("cannot start a child process"));
  if (one->child == 0) be_child(body, one->result, one->errors);
  one->result.close_write();
  one->errors.close_write();
  running_.push_back(std::move(one));
}

void ChildPool::wait_for_one() {
  std::vector<pollfd> waits;
  for (const auto& one : running_) {
    waits.push_back({one->has_result ? one->result.read_end : -1, POLLIN, 0});
    waits.push_back({one->has_errors ? one->errors.read_end : -1, POLLIN, 0});
  }
  if (::poll(waits.data(), waits.size(), -1) < 0) return;
  for (size_t i = 0; i < running_.size(); ++i) {
    Running& one = *running_[i];
    if (waits[2 * i].revents != 0) one.has_result = take(one.result.read_end, one.outcome.output);
    if (waits[2 * i + 1].revents != 0)
      one.has_errors = take(one.errors.read_end, one.outcome.errors);
  }
  const auto is_over = [](const auto& one) { return !one->has_result && !one->has_errors; };
  const auto over = std::stable_partition(running_.begin(), running_.end(), std::not_fn(is_over));
  std::vector<std::unique_ptr<Running>> ended(std::make_move_iterator(over),
                                              std::make_move_iterator(running_.end()));
  running_.erase(over, running_.end());
  for (const auto& one : ended) {
    wait_for(one->child, one->outcome);
    clean_up_after(one->child, one->outcome);
    one->done(one->outcome);
  }
}

void ChildPool::finish() {
  while (!running_.empty()) wait_for_one();
}

}  // namespace hlocc::driver
