// See place_parts.h. Each list of steps is gone through once, with what lies on the device and what
// is on its way; a list ends with nothing under way.
#include "devices/partition/place_parts.h"

#include <algorithm>
#include <map>

#include "planning/order.h"
#include "planning/step_values.h"

namespace hlocc::device {
namespace {

using namespace kernel;
using Id = ProgramValueId;

constexpr int kMemory = 1, kQueues = 4;

class PartPlacer {
 public:
  PartPlacer(Program& program, const std::set<std::string>& parts)
      : program_(program), parts_(parts) {}

  void run() {
    count_reads(program_.steps);
    for (const Id id : program_.results) ++host_reads_[id];
    block(program_.steps);
  }

 private:
  const UserCall* part_of(const Step& step) const {
    const auto* call = std::get_if<UserCall>(&step.what);
    return call != nullptr && parts_.contains(call->symbol) ? call : nullptr;
  }

  // Reads by the host, which need the bytes in its memory.
  void count_reads(const Steps& steps) {
    for (const Step& step : steps) {
      if (part_of(step) == nullptr)
        for (const Id id : planning::reads_of(step, program_.kernels)) ++host_reads_[id];
      planning::for_each_block(step, [&](const Steps& inner) { count_reads(inner); });
    }
  }
  void reads_below(const Step& step, std::set<Id>& ids) const {
    for (const Id id : planning::reads_of(step, program_.kernels)) ids.insert(id);
    planning::for_each_block(step, [&](const Steps& inner) {
      for (const Step& one : inner) reads_below(one, ids);
    });
  }
  void writes_below(const Step& step, std::set<Id>& ids) const {
    for (const Id id : planning::writes_of(step, program_.kernels)) ids.insert(id);
    planning::for_each_block(step, [&](const Steps& inner) {
      for (const Step& one : inner) writes_below(one, ids);
    });
  }

  // What a list knows while it is gone through.
  struct Site {
    std::map<Id, Id> there;     // the host's value -> its twin on the device
    std::map<Id, int> made_by;  // value on the device -> queue that makes it, until waited for
    std::map<Id, int> coming;   // the host's value -> queue that brings it
    std::set<int> busy;         // queues that have not been waited for
    int next_queue = 0;
  };

  void block(Steps& steps) {
    hoist(steps);
    Site site;
    Steps out;
    for (Step& step : steps) {
      if (const UserCall* call = part_of(step)) {
        const UserCall copy = *call;
        submit(copy, step.origin, site, out);
        continue;
      }
      std::set<Id> read;
      reads_below(step, read);
      for (const Id id : read)
        if (const auto found = site.coming.find(id); found != site.coming.end())
          wait(found->second, site, out);
      const auto inner = [&](Steps& list) {
        // A queue that is at work for this list is not for the one inside.
        bool uses = false;
        for_each_step(list, [&](const Step& one) { uses |= part_of(one) != nullptr; });
        if (uses) wait_for_all(site, out);
        block(list);
      };
      if (auto* loop = std::get_if<WhileStep>(&step.what))
        inner(loop->condition), inner(loop->body);
      if (auto* choice = std::get_if<ConditionalStep>(&step.what))
        for (Steps& branch : choice->branches) inner(branch);
      out.push_back(std::move(step));
    }
    wait_for_all(site, out);
    steps = std::move(out);
  }

  // Each part moves up to right behind what it waits for, and no further than the part before it.
  void hoist(Steps& steps) const {
    size_t earliest = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      const UserCall* call = part_of(steps[i]);
      if (call == nullptr) continue;
      size_t to = i;
      for (; to > earliest; --to) {
        std::set<Id> written;
        writes_below(steps[to - 1], written);
        const bool needed = std::ranges::any_of(
            call->operands, [&](Id operand) { return written.contains(operand); });
        if (needed) break;
      }
      std::rotate(steps.begin() + static_cast<std::ptrdiff_t>(to),
                  steps.begin() + static_cast<std::ptrdiff_t>(i),
                  steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      earliest = to + 1;
    }
  }

  Id twin(Id host) {
    ProgramValue value = program_.values[static_cast<size_t>(host)];
    value.name += ".device";
    value.role = ValueRole::kTemporary;
    value.leaf = kernel::kNone;
    value.data = nullptr;
    value.memory = kMemory;
    program_.values.push_back(std::move(value));
    return static_cast<Id>(program_.values.size()) - 1;
  }

  void wait(int queue, Site& site, Steps& out) {
    out.push_back({Wait{queue}, {}});
    site.busy.erase(queue);
    std::erase_if(site.coming, [&](const auto& row) { return row.second == queue; });
    std::erase_if(site.made_by, [&](const auto& row) { return row.second == queue; });
  }
  void wait_for_all(Site& site, Steps& out) {
    while (!site.busy.empty()) wait(*site.busy.begin(), site, out);
  }

  // The queue of the part whose results it reads, that those stay in order; others are waited for.
  int queue_for(const UserCall& call, Site& site, Steps& out) {
    int queue = kernel::kNone;
    for (const Id operand : call.operands) {
      if (!site.there.contains(operand)) {
        // It comes back to the host and goes out again, when there is no twin any more.
        if (const auto found = site.coming.find(operand); found != site.coming.end())
          wait(found->second, site, out);
        continue;
      }
      const auto made = site.made_by.find(site.there[operand]);
      if (made == site.made_by.end() || made->second == queue) continue;
      if (queue == kernel::kNone)
        queue = made->second;
      else
        wait(made->second, site, out);
    }
    if (queue != kernel::kNone) return queue;
    return site.next_queue++ % kQueues;
  }

  void submit(const UserCall& call, const kernel::Origin& origin, Site& site, Steps& out) {
    const int queue = queue_for(call, site, out);
    Submit submit{.part = call.symbol, .queue = queue};
    for (const Id operand : call.operands) {
      if (!site.there.contains(operand)) {
        const Id far = twin(operand);
        out.push_back({Transfer{operand, far, queue}, origin});
        site.there[operand] = far;
        site.made_by[far] = queue;
      }
      submit.operands.push_back(site.there[operand]);
    }
    for (const Id result : call.results) {
      const Id far = twin(result);
      submit.results.push_back(far);
      site.there[result] = far;
      site.made_by[far] = queue;
    }
    const std::vector<Id> made = submit.results;
    out.push_back({std::move(submit), origin});
    for (size_t i = 0; i < made.size(); ++i) {
      if (host_reads_[call.results[i]] == 0) continue;
      out.push_back({Transfer{made[i], call.results[i], queue}, origin});
      site.coming[call.results[i]] = queue;
    }
    site.busy.insert(queue);
  }

  Program& program_;
  const std::set<std::string>& parts_;
  std::map<Id, int> host_reads_;
};

}  // namespace

void place_parts(Program& program, const std::set<std::string>& parts) {
  program.steps = planning::order_steps(program);
  PartPlacer(program, parts).run();
}

}  // namespace hlocc::device
