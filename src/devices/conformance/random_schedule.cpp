// Random schedules. Work is drawn piece by piece and given to a stream at once; the oracle does it
// on bytes of its own at the same time, in that order. Where a piece touches what another stream's
// piece has touched, an event and a wait go between, unless the streams' clocks say that enough has
// been waited for: so a schedule holds as few waits as the results allow, and a wait that is
// ignored, late or for an earlier point shows.
#include <array>
#include <map>
#include <random>
#include <thread>

#include "devices/conformance/stream_suite.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using Bytes = std::vector<std::byte>;
constexpr int kStreams = 3, kBuffers = 5, kPieces = 40;
constexpr int64_t kBytes = 96;
using Progress =
    std::array<int, kStreams>;  // by stream: so many of its pieces are known to be done

struct Touch {
  int stream = -1, piece = 0;
};
struct Buffer {
  DeviceMemory memory;
  Bytes wanted = Bytes(kBytes, std::byte{0});
  Touch written;
  std::vector<Touch> read;
};

class Schedule {
 public:
  Schedule(StreamExecutor& executor, uint64_t seed) : executor_(executor), random_(seed) {}

  Status run() {
    Status status = work();
    // What was begun writes into memory of this object: it is waited for whatever happened.
    for (const auto& stream : streams_)
      if (Status done = stream->BlockHostUntilDone(); status.ok()) status = std::move(done);
    if (status.ok()) status = compare();
    for (const Buffer& buffer : buffers_)
      if (Status freed = executor_.Deallocate(buffer.memory); status.ok())
        status = std::move(freed);
    return status;
  }

 private:
  struct Reading {
    Bytes got = Bytes(kBytes), wanted;
  };

  int draw(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  Status work() {
    for (int s = 0; s < kStreams; ++s) {
      HLOCC_TRY_ASSIGN(streams_.emplace_back(), executor_.CreateStream());
      HLOCC_TRY_ASSIGN(events_.emplace_back(), executor_.CreateEvent());
    }
    for (int b = 0; b < kBuffers; ++b) {
      HLOCC_TRY_ASSIGN(const DeviceMemory memory, executor_.Allocate(kBytes));
      buffers_.push_back({.memory = memory});
      HLOCC_TRY(executor_.SynchronousMemset(memory, std::byte{0}));
    }
    for (int piece = 0; piece < kPieces; ++piece) HLOCC_TRY(one_piece());
    return {};
  }

  Status one_piece() {
    const int s = draw(kStreams);
    Stream& stream = *streams_[static_cast<size_t>(s)];
    switch (draw(6)) {
      case 0: {  // to the device
        Buffer& to = buffers_[static_cast<size_t>(draw(kBuffers))];
        HLOCC_TRY(before_writing(s, to));
        const Bytes& sent = *sent_.emplace_back(std::make_unique<Bytes>(random_bytes()));
        HLOCC_TRY(stream.MemcpyHostToDevice(to.memory, sent));
        to.wanted = sent;
        return written(s, to);
      }
      case 1: {  // from the device
        Buffer& from = buffers_[static_cast<size_t>(draw(kBuffers))];
        HLOCC_TRY(before_reading(s, from));
        Reading& reading = *readings_.emplace_back(std::make_unique<Reading>());
        reading.wanted = from.wanted;
        HLOCC_TRY(stream.MemcpyDeviceToHost(reading.got, from.memory));
        return read(s, from);
      }
      case 2:
      case 3: {  // within the device, of a slice
        const int b = draw(kBuffers);
        Buffer& to = buffers_[static_cast<size_t>(b)];
        Buffer& from = buffers_[static_cast<size_t>((b + 1 + draw(kBuffers - 1)) % kBuffers)];
        const int64_t size = 1 + draw(kBytes), there = draw(static_cast<int>(kBytes - size + 1)),
                      here = draw(static_cast<int>(kBytes - size + 1));
        HLOCC_TRY(before_reading(s, from));
        HLOCC_TRY(before_writing(s, to));
        HLOCC_TRY(stream.MemcpyDeviceToDevice(to.memory.Slice(there, size),
                                              from.memory.Slice(here, size)));
        std::copy_n(from.wanted.begin() + here, size, to.wanted.begin() + there);
        HLOCC_TRY(read(s, from));
        to.written = {s, pieces_[static_cast<size_t>(s)]};
        to.read.clear();
        return {};
      }
      case 4: {
        Buffer& to = buffers_[static_cast<size_t>(draw(kBuffers))];
        const std::byte value = static_cast<std::byte>(draw(256));
        HLOCC_TRY(before_writing(s, to));
        HLOCC_TRY(stream.Memset(to.memory, value));
        to.wanted.assign(kBytes, value);
        return written(s, to);
      }
      default:  // a pause, so that streams come to run one behind the other
        ++pieces_[static_cast<size_t>(s)];
        return stream.DoHostCallback([turns = draw(20)]() -> Status {
          for (int i = 0; i < turns; ++i) std::this_thread::yield();
          return {};
        });
    }
  }

  Bytes random_bytes() {
    Bytes bytes(kBytes);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }

  // The next piece of stream `s` is to come after that one.
  Status after(int s, const Touch& touch) {
    if (touch.stream < 0 || touch.stream == s) return {};
    Progress& known = clocks_[static_cast<size_t>(s)];
    const size_t t = static_cast<size_t>(touch.stream);
    if (known[t] >= touch.piece) return {};
    HLOCC_TRY(streams_[t]->RecordEvent(*events_[t]));
    HLOCC_TRY(streams_[static_cast<size_t>(s)]->WaitFor(*events_[t]));
    for (size_t i = 0; i < kStreams; ++i) known[i] = std::max(known[i], clocks_[t][i]);
    known[t] = pieces_[t];
    return {};
  }
  Status before_reading(int s, const Buffer& buffer) { return after(s, buffer.written); }
  Status before_writing(int s, const Buffer& buffer) {
    HLOCC_TRY(after(s, buffer.written));
    for (const Touch& touch : buffer.read) HLOCC_TRY(after(s, touch));
    return {};
  }
  Status read(int s, Buffer& buffer) {
    buffer.read.push_back({s, ++pieces_[static_cast<size_t>(s)]});
    return {};
  }
  Status written(int s, Buffer& buffer) {
    buffer.written = {s, ++pieces_[static_cast<size_t>(s)]};
    buffer.read.clear();
    return {};
  }

  Status compare() {
    for (size_t b = 0; b < buffers_.size(); ++b) {
      Bytes got(kBytes);
      HLOCC_TRY(executor_.SynchronousMemcpyDeviceToHost(got, buffers_[b].memory));
      if (got != buffers_[b].wanted)
        return error(DiagnosticKind::kMismatch, cat("buffer ", b, " ends with other bytes"));
    }
    for (size_t i = 0; i < readings_.size(); ++i)
      if (readings_[i]->got != readings_[i]->wanted)
        return error(DiagnosticKind::kMismatch, cat("reading ", i, " finds other bytes"));
    return {};
  }

  StreamExecutor& executor_;
  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;
  std::vector<std::unique_ptr<Bytes>> sent_;
  std::vector<std::unique_ptr<Reading>> readings_;
  std::array<Progress, kStreams> clocks_ = {};
  Progress pieces_ = {};
  std::vector<std::unique_ptr<Event>> events_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace

Status check_schedule(StreamExecutor& executor, uint64_t seed) {
  return Schedule(executor, seed).run();
}

}  // namespace hlocc::device
