// See launch_table.h. Sizes and offsets are words of 32 bits: programs with larger memories are
// refused.
#include "backends/spirv/launch_table.h"

#include <cstring>
#include <map>

#include "backends/common/pool.h"
#include "backends/common/run_plan.h"
#include "backends/spirv/grid.h"
#include "backends/spirv/known_loops.h"
#include "backends/spirv/shader.h"
#include "backends/spirv/table_steps.h"
#include "hlocc_launch_table.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr int kConstants = 2;
// Commands of a loop: what is more is submitted in blocks of so many.
constexpr int64_t kMostRecorded = 4096;
// Iterations that are counted by playing them.
constexpr int64_t kMostCounted = 1 << 16;

class TableMaker {
 public:
  TableMaker(const kernel::Program& program, const planning::Plan& plan, const Target& target,
             const GpuDevice& device)
      : program_(program), plan_(plan), target_(target), device_(device), known_(program, plan) {}

  Result<LaunchTable> make() {
    HLOCC_TRY_ASSIGN(const RunSteps steps, run_plan(program_, plan_, target_, false));
    HLOCC_TRY(write(steps));
    const int64_t constants = round_up(plan_.constant_bytes, 4);
    out_.bytes[0] = plan_.arena_bytes;
    out_.bytes[1] = plan_.state_bytes;
    out_.bytes[2] = constants + 4 * static_cast<int64_t>(parameters_.size());
    static constexpr const char* kNames[] = {"arena", "state", "constants"};
    for (int i = 0; i < 3; ++i)
      if (out_.bytes[i] > device_.storage_bytes)
        return error(DiagnosticKind::kLimit,
                     cat("the model's ", kNames[i], " has ", out_.bytes[i], " bytes, and ",
                         device_.name, " lets a shader see ", device_.storage_bytes))
            .note(
                "another --device may let it see more; the target's processor has no such limit: "
                "leave --backend vulkan out");
    assemble();
    return std::move(out_);
  }

 private:
  // --- steps ---
  Status write(const RunSteps& steps) {
    for (const RunStep& one : steps) {
      HLOCC_TRY(std::visit([&](const auto& what) { return step(what); }, one.what));
      known_.play(one);
    }
    return {};
  }
  TableSteps::Spot spot(const RunAddress& address) const {
    const auto [memory, offset] = place_in_memories(plan_, address);
    return {memory, offset};
  }
  Status step(const RunMark&) { return {}; }
  Status step(const RunInner& inner) { return write(inner.steps); }
  Status step(const RunCopy& copy) {
    const TableSteps::Spot to = spot(copy.to), from = spot(copy.from);
    const bool same = to.memory == from.memory && to.offset == from.offset;
    if (copy.bytes > 0 && !same) steps_.copy(to, from, copy.bytes);
    return {};
  }
  // Commands of steps without control; none where there is some.
  static std::optional<int64_t> commands_of(const RunSteps& steps) {
    int64_t count = 0;
    for (const RunStep& one : steps) {
      const bool is_command =
          std::holds_alternative<RunLaunch>(one.what) || std::holds_alternative<RunCopy>(one.what);
      if (!is_command && !std::holds_alternative<RunMark>(one.what)) return std::nullopt;
      count += is_command;
    }
    return count;
  }
  Status write_times(const RunSteps& steps, int64_t times) {
    for (int64_t i = 0; i < times; ++i) HLOCC_TRY(write(steps));
    return {};
  }
  // Where the number of iterations is known they are recorded one behind the other; of too many a
  // block is, which is submitted again and again, and then what is left.
  Status step(const RunLoop& loop) {
    const std::optional<int64_t> commands = commands_of(loop.body);
    const int64_t block = kMostRecorded / std::max<int64_t>(1, commands.value_or(1));
    const std::optional<int64_t> known =
        commands && block > 0 ? known_.iterations(loop, kMostCounted) : std::nullopt;
    if (!known) return open_loop(loop);
    if (*known <= block) return write_times(loop.body, *known);
    steps_.repeat(*known / block);
    HLOCC_TRY(write_times(loop.body, block));
    steps_.here();
    return write_times(loop.body, *known % block);
  }
  Status open_loop(const RunLoop& loop) {
    known_.forget(loop.condition);
    known_.forget(loop.body);
    // The condition stands behind the body, too, so that an iteration is one submission.
    HLOCC_TRY(write(loop.condition));
    const TableSteps::Placeholder never = steps_.unless(spot(loop.holds));
    const size_t begin = steps_.here();
    HLOCC_TRY(write(loop.body));
    HLOCC_TRY(write(loop.condition));
    const TableSteps::Placeholder over = steps_.unless(spot(loop.holds));
    steps_.fill(steps_.jump(), begin);
    const size_t end = steps_.here();
    steps_.fill(never, end);
    steps_.fill(over, end);
    return {};
  }
  Status step(const RunChoice& choice) {
    const std::vector<TableSteps::Placeholder> ways =
        steps_.choose(spot(choice.selector), choice.is_pred ? 1 : 4, choice.branches.size());
    std::vector<TableSteps::Placeholder> ends;
    for (size_t i = 0; i < ways.size(); ++i) {
      steps_.fill(ways[i], steps_.here());
      for (const RunSteps& branch : choice.branches) known_.forget(branch);
      HLOCC_TRY(write(choice.branches[i]));
      ends.push_back(steps_.jump());
    }
    for (const TableSteps::Placeholder end : ends) steps_.fill(end, steps_.here());
    return {};
  }
  Status step(const RunLaunch& run) {
    const kernel::Launch& launch = *run.launch;
    const kernel::Kernel& kernel = program_.kernels[static_cast<size_t>(launch.kernel)];
    // A launch in a loop is recorded many times.
    const auto [found, is_new] = grids_.try_emplace(&launch);
    if (is_new) {
      HLOCC_TRY_ASSIGN(found->second, grid_for(kernel, launch, plan_, device_.iterations));
    }
    const GridKernel& grid = found->second;
    ShaderForm form{grid.invocations, {}};
    std::vector<uint32_t> words;
    std::vector<DeviceAccess> accesses;
    size_t next = 0;
    for (const kernel::Buffer& buffer : kernel.buffers) {
      if (!is_bound(buffer)) continue;
      const TableSteps::Spot at = spot(run.operands[next]);
      const int64_t bytes = plan_.places[static_cast<size_t>(launch.operands[next])].bytes;
      ++next;
      form.memories.push_back(at.memory);
      words.push_back(static_cast<uint32_t>(at.offset / kernel::scalar_bytes(buffer.element)));
      accesses.push_back(
          {at.memory, at.offset, at.offset + bytes, buffer.direction != kernel::Direction::kIn});
    }
    HLOCC_TRY_ASSIGN(const size_t number, shader_for(grid.kernel, form));
    for (int64_t pass = 0; pass < grid.passes; ++pass) {
      std::vector<uint32_t> all = words;
      if (grid.passes > 1) all.push_back(static_cast<uint32_t>(pass));
      for (const int64_t integer : launch.integers) all.push_back(static_cast<uint32_t>(integer));
      push(number, all, accesses);
    }
    return {};
  }
  Status step(const RunUserCall& call) {
    return error(DiagnosticKind::kUnsupported,
                 cat("the function ", call.symbol, " of the user's cannot run on a GPU"));
  }
  template <typename Other>
  Status step(const Other&) {
    return error(DiagnosticKind::kUnsupported, "a step of another device");
  }

  void push(size_t number, std::vector<uint32_t> words, const std::vector<DeviceAccess>& accesses) {
    const Shader& shader = shaders_[number];
    if (shader.in_memory) {
      const int64_t at = round_up(plan_.constant_bytes, 4) / 4;
      const auto begin = static_cast<uint32_t>(at + static_cast<int64_t>(parameters_.size()));
      parameters_.insert(parameters_.end(), words.begin(), words.end());
      words = {begin};
    }
    steps_.launch(static_cast<uint32_t>(number), shader.groups, words, accesses);
  }

  Result<size_t> shader_for(const kernel::Kernel& kernel, const ShaderForm& form) {
    std::string key = kernel::code_key(kernel);
    key += cat("|", form.invocations);
    for (const int memory : form.memories) key += cat(",", memory);
    const auto [known, is_new] = shader_of_.try_emplace(std::move(key), shaders_.size());
    if (is_new) {
      HLOCC_TRY_ASSIGN(Shader shader, write_shader(kernel, form, device_));
      needs_ |= shader.needs;
      shaders_.push_back(std::move(shader));
    }
    return known->second;
  }

  // --- the table ---
  size_t reserve(size_t words) {
    const size_t at = out_.words.size();
    out_.words.resize(at + words);
    return at;
  }
  size_t put(std::span<const uint32_t> words) {
    const size_t at = out_.words.size();
    out_.words.insert(out_.words.end(), words.begin(), words.end());
    return at;
  }
  uint32_t& head(int word) { return out_.words[static_cast<size_t>(word)]; }
  void leaves(int count, const std::vector<planning::Place>& places) {
    head(count) = static_cast<uint32_t>(places.size());
    head(count + 1) = static_cast<uint32_t>(out_.words.size());
    for (const planning::Place& place : places)
      put(std::vector<uint32_t>{static_cast<uint32_t>(place.region),
                                static_cast<uint32_t>(place.offset),
                                static_cast<uint32_t>(place.bytes)});
  }

  // Bytes of a memory that are there before the first run.
  struct Initial {
    int memory;
    int64_t offset;
    std::vector<std::byte> bytes;
  };
  std::vector<Initial> initial() const {
    std::vector<Initial> all;
    Pieces pool;
    append_pool(plan_, target_, pool);
    if (pool.size() > 0) all.push_back({kConstants, 0, pool.joined()});
    if (!parameters_.empty()) {
      std::vector<std::byte> bytes(parameters_.size() * 4);
      std::memcpy(bytes.data(), parameters_.data(), bytes.size());
      all.push_back({kConstants, round_up(plan_.constant_bytes, 4), std::move(bytes)});
    }
    for (size_t i = 0; i < plan_.values.size(); ++i) {
      const kernel::ProgramValue& value = plan_.values[i];
      if (value.role != kernel::ValueRole::kState || value.data == nullptr || value.data->empty())
        continue;
      all.push_back({1, plan_.places[i].offset, *bytes_for(value, target_)});
    }
    return all;
  }

  void assemble() {
    reserve(HLOCC_TABLE_HEAD_SIZE);
    head(HLOCC_TABLE_HEAD_MAGIC) = HLOCC_TABLE_MAGIC;
    head(HLOCC_TABLE_HEAD_VERSION) = HLOCC_TABLE_VERSION;
    head(HLOCC_TABLE_HEAD_NEEDS) = needs_;
    for (int i = 0; i < 3; ++i)
      head(HLOCC_TABLE_HEAD_BYTES + i) = static_cast<uint32_t>(out_.bytes[i]);
    leaves(HLOCC_TABLE_HEAD_ARGUMENTS, plan_.argument_places);
    leaves(HLOCC_TABLE_HEAD_RESULTS, plan_.result_places);
    const std::vector<uint32_t> steps = steps_.finish(out_.words.size());
    head(HLOCC_TABLE_HEAD_STEPS) = static_cast<uint32_t>(steps.size());
    head(HLOCC_TABLE_HEAD_SEGMENTS) = static_cast<uint32_t>(steps_.segments());
    head(HLOCC_TABLE_HEAD_STEPS_AT) = static_cast<uint32_t>(put(steps));
    put_shaders();
    put_pieces();
    head(HLOCC_TABLE_HEAD_WORDS) = static_cast<uint32_t>(out_.words.size());
    out_.launches = steps_.launches();
    out_.copies = steps_.copies();
    out_.segments = steps_.segments();
    out_.waits = steps_.waits();
  }

  void put_shaders() {
    const size_t rows = reserve(shaders_.size() * HLOCC_TABLE_SHADER_SIZE);
    head(HLOCC_TABLE_HEAD_SHADERS) = static_cast<uint32_t>(shaders_.size());
    head(HLOCC_TABLE_HEAD_SHADERS_AT) = static_cast<uint32_t>(rows);
    for (size_t i = 0; i < shaders_.size(); ++i) {
      const auto at = static_cast<uint32_t>(put(shaders_[i].words));
      uint32_t* row = &out_.words[rows + i * HLOCC_TABLE_SHADER_SIZE];
      row[HLOCC_TABLE_SHADER_AT] = at;
      row[HLOCC_TABLE_SHADER_WORDS] = static_cast<uint32_t>(shaders_[i].words.size());
      row[HLOCC_TABLE_SHADER_PUSHED] =
          static_cast<uint32_t>(shaders_[i].in_memory ? 1 : shaders_[i].parameters);
      out_.shaders.push_back(std::move(shaders_[i].words));
    }
  }

  void put_pieces() {
    const std::vector<Initial> all = initial();
    const size_t rows = reserve(all.size() * HLOCC_TABLE_PIECE_SIZE);
    head(HLOCC_TABLE_HEAD_PIECES) = static_cast<uint32_t>(all.size());
    head(HLOCC_TABLE_HEAD_PIECES_AT) = static_cast<uint32_t>(rows);
    for (size_t i = 0; i < all.size(); ++i) {
      const size_t at = reserve((all[i].bytes.size() + 3) / 4);
      std::memcpy(&out_.words[at], all[i].bytes.data(), all[i].bytes.size());
      uint32_t* row = &out_.words[rows + i * HLOCC_TABLE_PIECE_SIZE];
      row[HLOCC_TABLE_PIECE_MEMORY] = static_cast<uint32_t>(all[i].memory);
      row[HLOCC_TABLE_PIECE_OFFSET] = static_cast<uint32_t>(all[i].offset);
      row[HLOCC_TABLE_PIECE_BYTES] = static_cast<uint32_t>(all[i].bytes.size());
      row[HLOCC_TABLE_PIECE_AT] = static_cast<uint32_t>(at);
    }
  }

  const kernel::Program& program_;
  const planning::Plan& plan_;
  const Target& target_;
  const GpuDevice& device_;
  LaunchTable out_;
  TableSteps steps_;
  std::vector<Shader> shaders_;
  std::map<std::string, size_t> shader_of_;
  std::map<const kernel::Launch*, GridKernel> grids_;
  KnownValues known_;
  std::vector<uint32_t> parameters_;  // of launches that push too many
  uint32_t needs_ = 0;
};

}  // namespace

Result<LaunchTable> launch_table(const kernel::Program& program, const planning::Plan& plan,
                                 const Target& target, const GpuDevice& device) {
  return TableMaker(program, plan, target, device).make();
}

}  // namespace hlocc::backends
