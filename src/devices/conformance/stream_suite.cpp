// The checks, one function each. A check that blocks a stream does so by a callback that waits for
// a gate, so that what "not yet" means does not hang on time.
#include "devices/conformance/stream_suite.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>

#include "support/text.h"

namespace hlocc::device {
namespace {

using Bytes = std::vector<std::byte>;

Diagnostic wrong(const std::string& what) { return error(DiagnosticKind::kMismatch, what); }
Status expect(bool good, const std::string& what) { return good ? Status() : Status(wrong(what)); }
// The refusal must be of that kind.
Status refused(const Status& status, DiagnosticKind kind, const std::string& what) {
  if (status.ok()) return wrong(what + " is not refused");
  return expect(status.error().kind == kind,
                cat(what, " is refused as error[", diagnostic_kind_name(status.error().kind),
                    "]: ", status.error().message));
}
template <typename T>
Status status_of(const Result<T>& result) {
  return result.ok() ? Status() : Status(result.error());
}

Bytes pattern(size_t size, int seed) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>((i * 7 + static_cast<size_t>(seed) * 31 + i / 251) & 0xff);
  return bytes;
}

// Opens at the latest when its check is over. What waits there may outlive the check, where a
// device is wrong.
class Gate {
 public:
  ~Gate() { open(); }
  void open() {
    const std::lock_guard lock(state_->mutex);
    state_->is_open = true;
    state_->changed.notify_all();
  }
  // A callback that returns once the gate is open.
  std::function<Status()> pass() const {
    return [state = state_]() -> Status {
      std::unique_lock lock(state->mutex);
      state->changed.wait(lock, [&] { return state->is_open; });
      return {};
    };
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Memory that goes when the check is over.
class Piece {
 public:
  static Result<std::unique_ptr<Piece>> make(StreamExecutor& executor, int64_t bytes) {
    HLOCC_TRY_ASSIGN(const DeviceMemory memory, executor.Allocate(bytes));
    return std::unique_ptr<Piece>(new Piece(executor, memory));
  }
  ~Piece() { (void)executor_.Deallocate(memory_); }
  DeviceMemory operator*() const { return memory_; }

 private:
  Piece(StreamExecutor& executor, DeviceMemory memory) : executor_(executor), memory_(memory) {}
  StreamExecutor& executor_;
  DeviceMemory memory_;
};

Status holds(StreamExecutor& executor, DeviceMemory memory, const Bytes& wanted,
             const std::string& what) {
  Bytes got(wanted.size());
  HLOCC_TRY(executor.SynchronousMemcpyDeviceToHost(got, memory));
  return expect(got == wanted, what);
}

Status copies(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  int seed = 0;
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{4097}, size_t{300000}}) {
    HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, static_cast<int64_t>(size)));
    HLOCC_TRY_ASSIGN(const auto b, Piece::make(executor, static_cast<int64_t>(size)));
    const Bytes sent = pattern(size, ++seed);
    Bytes back(size);
    HLOCC_TRY(stream->MemcpyHostToDevice(**a, sent));
    HLOCC_TRY(stream->MemcpyDeviceToDevice(**b, **a));
    HLOCC_TRY(stream->Memset(**a, std::byte{0x5a}));
    HLOCC_TRY(stream->MemcpyDeviceToHost(back, **b));
    HLOCC_TRY(stream->BlockHostUntilDone());
    HLOCC_TRY(expect(back == sent, cat("a copy of ", size, " bytes there and back")));
    HLOCC_TRY(holds(executor, **a, Bytes(size, std::byte{0x5a}), cat("a fill of ", size)));
    HLOCC_TRY(executor.SynchronousMemcpyHostToDevice(**a, sent));
    HLOCC_TRY(holds(executor, **a, sent, cat("a synchronous copy of ", size, " bytes")));
    HLOCC_TRY(executor.SynchronousMemset(**a, std::byte{1}));
    HLOCC_TRY(holds(executor, **a, Bytes(size, std::byte{1}), "a synchronous fill"));
  }
  return {};
}

Status slices(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 256));
  Bytes wanted = pattern(256, 3);
  HLOCC_TRY(stream->MemcpyHostToDevice(**a, wanted));
  HLOCC_TRY(stream->Memset((**a).Slice(10, 5), std::byte{9}));
  HLOCC_TRY(stream->MemcpyDeviceToDevice((**a).Slice(200, 56), (**a).Slice(1, 56)));
  HLOCC_TRY(stream->BlockHostUntilDone());
  std::fill_n(wanted.begin() + 10, 5, std::byte{9});
  std::copy_n(wanted.begin() + 1, 56, wanted.begin() + 200);
  return holds(executor, **a, wanted, "slices of an allocation");
}

Status order_in_a_stream(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 4096));
  HLOCC_TRY_ASSIGN(const auto b, Piece::make(executor, 4096));
  for (int round = 0; round < 50; ++round) {
    HLOCC_TRY(stream->Memset(**a, static_cast<std::byte>(round)));
    HLOCC_TRY(stream->MemcpyDeviceToDevice(**b, **a));
    HLOCC_TRY(stream->Memset(**a, std::byte{0xff}));
  }
  HLOCC_TRY(stream->BlockHostUntilDone());
  return holds(executor, **b, Bytes(4096, std::byte{49}), "work of one stream out of order");
}

Status work_goes_on(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto slow, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto quick, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto event, executor.CreateEvent());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 64));
  HLOCC_TRY(executor.SynchronousMemset(**a, std::byte{1}));
  HLOCC_TRY(
      expect(event->PollForStatus() == Event::State::kNotRecorded, "a fresh event is recorded"));
  Gate gate;
  HLOCC_TRY(slow->DoHostCallback(gate.pass()));
  HLOCC_TRY(slow->Memset(**a, std::byte{2}));
  HLOCC_TRY(slow->RecordEvent(*event));
  // Whatever is found wrong from here on, the gate opens before the stream is destroyed.
  Status found = expect(event->PollForStatus() == Event::State::kPending,
                        "an event is done before its stream is");
  if (found.ok()) found = holds(executor, **a, Bytes(64, std::byte{1}), "work before its turn");
  if (found.ok()) found = quick->BlockHostUntilDone();
  HLOCC_TRY_ASSIGN(const auto b, Piece::make(executor, 64));
  if (found.ok()) found = quick->Memset(**b, std::byte{3});
  if (found.ok()) found = quick->BlockHostUntilDone();
  if (found.ok()) found = holds(executor, **b, Bytes(64, std::byte{3}), "another stream's work");
  gate.open();
  HLOCC_TRY(slow->BlockHostUntilDone());
  HLOCC_TRY(std::move(found));
  HLOCC_TRY(expect(event->PollForStatus() == Event::State::kDone, "an event is never done"));
  return holds(executor, **a, Bytes(64, std::byte{2}), "work behind a callback");
}

Status events_order_streams(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto first, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto second, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto event, executor.CreateEvent());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 64));
  HLOCC_TRY_ASSIGN(const auto b, Piece::make(executor, 64));
  for (int round = 1; round <= 20; ++round) {
    Gate gate;
    HLOCC_TRY(executor.SynchronousMemset(**b, std::byte{0}));
    HLOCC_TRY(first->DoHostCallback(gate.pass()));
    Status found = first->Memset(**a, static_cast<std::byte>(round));
    if (found.ok()) found = first->RecordEvent(*event);
    if (found.ok()) found = second->WaitFor(*event);
    if (found.ok()) found = second->MemcpyDeviceToDevice(**b, **a);
    if (found.ok()) found = holds(executor, **b, Bytes(64, std::byte{0}), "a stream doesn't wait");
    gate.open();
    HLOCC_TRY(second->BlockHostUntilDone());
    HLOCC_TRY(std::move(found));
    HLOCC_TRY(holds(executor, **b, Bytes(64, static_cast<std::byte>(round)),
                    "a stream that waited does not see what it waited for"));
  }
  return first->BlockHostUntilDone();
}

Status recorded_anew(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto event, executor.CreateEvent());
  HLOCC_TRY(stream->RecordEvent(*event));
  HLOCC_TRY(stream->BlockHostUntilDone());
  Gate gate;
  HLOCC_TRY(stream->DoHostCallback(gate.pass()));
  Status found = stream->RecordEvent(*event);
  if (found.ok())
    found = expect(event->PollForStatus() == Event::State::kPending,
                   "an event that was recorded anew stands for the earlier point");
  gate.open();
  HLOCC_TRY(stream->BlockHostUntilDone());
  return found;
}

Status misuse(StreamExecutor& executor) {
  constexpr DiagnosticKind kArgument = DiagnosticKind::kArgument;
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto event, executor.CreateEvent());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 64));
  Bytes bytes(64);
  HLOCC_TRY(refused(stream->WaitFor(*event), kArgument, "waiting for an event never recorded"));
  HLOCC_TRY(refused(stream->MemcpyHostToDevice((**a).Slice(0, 63), bytes), kArgument,
                    "a copy between different sizes"));
  HLOCC_TRY(refused(stream->MemcpyDeviceToHost(bytes, (**a).Slice(1, 64)), kArgument,
                    "a copy from behind the end"));
  HLOCC_TRY(refused(stream->MemcpyHostToDevice((**a).Slice(-1, 64), bytes), kArgument,
                    "a copy to before the beginning"));
  HLOCC_TRY(refused(stream->Memset((**a).Slice(60, 5), std::byte{1}), kArgument,
                    "a fill behind the end"));
  HLOCC_TRY(refused(stream->MemcpyDeviceToDevice((**a).Slice(0, 32), (**a).Slice(31, 32)),
                    kArgument, "a copy over itself"));
  HLOCC_TRY(refused(stream->MemcpyDeviceToDevice((**a).Slice(0, 8), (**a).Slice(32, 9)), kArgument,
                    "a copy between different sizes of the device"));
  HLOCC_TRY(refused(executor.SynchronousMemset(DeviceMemory{}, std::byte{1}),
                    DiagnosticKind::kArgument, "a fill of no memory"));
  HLOCC_TRY(refused(executor.SynchronousMemcpyDeviceToHost(bytes, (**a).Slice(1, 64)), kArgument,
                    "a synchronous copy from behind the end"));
  HLOCC_TRY(refused(executor.Deallocate((**a).Slice(0, 32)), kArgument, "giving back a part"));
  HLOCC_TRY(refused(status_of(executor.Allocate(-1)), kArgument, "a negative allocation"));
  HLOCC_TRY(refused(status_of(executor.Allocate(8, 99)), kArgument, "a memory space that is none"));
  // What is just inside is taken, and the stream works on.
  HLOCC_TRY(stream->Memset((**a).Slice(60, 4), std::byte{1}));
  HLOCC_TRY(stream->MemcpyDeviceToDevice((**a).Slice(0, 32), (**a).Slice(32, 32)));
  return stream->BlockHostUntilDone();
}

Status lifetimes(StreamExecutor& executor) {
  constexpr DiagnosticKind kArgument = DiagnosticKind::kArgument;
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  const int64_t before = executor.AllocatedBytes();
  HLOCC_TRY_ASSIGN(const DeviceMemory memory, executor.Allocate(128));
  HLOCC_TRY(expect(executor.AllocatedBytes() == before + 128, "allocated bytes are not counted"));
  Gate gate;
  HLOCC_TRY(stream->DoHostCallback(gate.pass()));
  Status found = stream->Memset(memory, std::byte{1});
  if (found.ok())
    found = refused(executor.Deallocate(memory), kArgument, "giving back what a stream needs");
  gate.open();
  HLOCC_TRY(stream->BlockHostUntilDone());
  HLOCC_TRY(std::move(found));
  HLOCC_TRY(executor.Deallocate(memory));
  HLOCC_TRY(refused(executor.Deallocate(memory), kArgument, "giving back twice"));
  HLOCC_TRY(
      refused(stream->Memset(memory, std::byte{1}), kArgument, "a fill of what was given back"));
  return expect(executor.AllocatedBytes() == before, "memory that was given back is still counted");
}

Status out_of_memory(StreamExecutor& executor) {
  const int64_t all = executor.GetDeviceDescription().memory_spaces[0].bytes;
  const int64_t before = executor.AllocatedBytes();
  HLOCC_TRY(refused(status_of(executor.Allocate(all - before + 1)), DiagnosticKind::kLimit,
                    "more memory than there is"));
  HLOCC_TRY(refused(status_of(executor.Allocate(INT64_MAX)), DiagnosticKind::kLimit,
                    "an allocation of 2^63 - 1 bytes"));
  HLOCC_TRY(expect(executor.AllocatedBytes() == before, "what was refused is counted"));
  constexpr int64_t kMostTried = int64_t{1} << 26;
  if (all - before > kMostTried) return {};
  // All of it, and then nothing more; afterwards again.
  HLOCC_TRY_ASSIGN(const DeviceMemory rest, executor.Allocate(all - before));
  Status found =
      refused(status_of(executor.Allocate(1)), DiagnosticKind::kLimit, "a byte more than there is");
  HLOCC_TRY(executor.Deallocate(rest));
  HLOCC_TRY(std::move(found));
  HLOCC_TRY_ASSIGN(const DeviceMemory again, executor.Allocate(all - before));
  return executor.Deallocate(again);
}

Status failures(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto other, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto event, executor.CreateEvent());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 64));
  HLOCC_TRY(stream->Memset(**a, std::byte{1}));
  HLOCC_TRY(
      stream->DoHostCallback([] { return Status(error(DiagnosticKind::kRun, "on purpose")); }));
  HLOCC_TRY(stream->Memset(**a, std::byte{2}));
  HLOCC_TRY(stream->RecordEvent(*event));
  HLOCC_TRY(other->WaitFor(*event));
  HLOCC_TRY(other->BlockHostUntilDone());
  const Status status = stream->BlockHostUntilDone();
  HLOCC_TRY(expect(!status.ok() && status.error().message == "on purpose",
                   "a failure is not what the stream reports"));
  HLOCC_TRY(expect(!stream->BlockHostUntilDone().ok(), "a failed stream recovers by itself"));
  return holds(executor, **a, Bytes(64, std::byte{1}), "a stream works on behind a failure");
}

Status synchronized(StreamExecutor& executor) {
  HLOCC_TRY_ASSIGN(const auto one, executor.CreateStream());
  HLOCC_TRY_ASSIGN(auto two, executor.CreateStream());
  HLOCC_TRY_ASSIGN(const auto a, Piece::make(executor, 1 << 16));
  HLOCC_TRY_ASSIGN(const auto b, Piece::make(executor, 1 << 16));
  for (int round = 0; round < 20; ++round) {
    HLOCC_TRY(one->Memset(**a, static_cast<std::byte>(round)));
    HLOCC_TRY(two->Memset(**b, static_cast<std::byte>(round)));
  }
  HLOCC_TRY(executor.SynchronizeAllActivity());
  HLOCC_TRY(holds(executor, **a, Bytes(1 << 16, std::byte{19}), "activity is not waited for"));
  HLOCC_TRY(two->Memset(**b, std::byte{77}));
  two = nullptr;
  return holds(executor, **b, Bytes(1 << 16, std::byte{77}), "a stream goes with work undone");
}

}  // namespace

const std::vector<StreamCheck>& stream_checks() {
  static const std::vector<StreamCheck>& rows = *new std::vector<StreamCheck>{
      {"copies", copies},
      {"slices", slices},
      {"order in a stream", order_in_a_stream},
      {"work goes on", work_goes_on},
      {"events order streams", events_order_streams},
      {"events recorded anew", recorded_anew},
      {"misuse", misuse},
      {"lifetimes", lifetimes},
      {"out of memory", out_of_memory},
      {"failures", failures},
      {"synchronize", synchronized},
  };
  return rows;
}

std::vector<std::string> run_stream_suite(StreamExecutor& executor, int schedules) {
  std::vector<std::string> failed;
  for (const StreamCheck& check : stream_checks())
    if (const Status status = check.run(executor); !status.ok())
      failed.push_back(cat(check.name, ": ", status.error().message));
  for (int seed = 1; seed <= schedules; ++seed)
    if (const Status status = check_schedule(executor, static_cast<uint64_t>(seed)); !status.ok())
      failed.push_back(cat("schedule ", seed, ": ", status.error().message));
  return failed;
}

}  // namespace hlocc::device
