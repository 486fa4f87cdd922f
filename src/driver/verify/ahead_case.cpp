// See ahead_case.h.
#include "driver/verify/ahead_case.h"

#include <algorithm>
#include <optional>

#include "devices/memory_image.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/guard.h"
#include "driver/verify/stream_case.h"
#include "import/file.h"
#include "kernel/window_spacing.h"
#include "package/names.h"
#include "package/stream_option.h"
#include "package/writer.h"
#include "support/number.h"
#include "support/sha256.h"
#include "support/text.h"
#include "transforms/stream/stream_loop.h"

namespace hlocc::driver {
namespace {

std::vector<int64_t> sizes_of(const std::vector<kernel::Leaf>& leaves) {
  std::vector<int64_t> out;
  for (const kernel::Leaf& leaf : leaves) out.push_back(leaf.bytes());
  return out;
}

// 1 where the leaf lies in the instance.
std::vector<int> donated_of(const std::vector<kernel::Leaf>& leaves) {
  std::vector<int> out;
  for (const kernel::Leaf& leaf : leaves) out.push_back(leaf.donated ? 1 : 0);
  return out;
}

std::vector<std::byte> input_image(const import::Snapshot& snapshot,
                                   const kernel::Signature& signature, ByteOrder order) {
  std::vector<std::byte> out;
  size_t leaf = 0;
  for (const hlo::Literal& argument : snapshot.arguments) {
    for (const hlo::Literal& value : leaves(argument)) {
      const std::vector<std::byte> bytes =
          device::to_memory(value, signature.arguments[leaf++].shape, order);
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
  }
  return out;
}

// The facts as numbers, one a word; the parent reads them back in this order. `streamed`: what
// pushed rows run in beside `made`.
std::string facts_text(const Compilation& made, const Compilation* streamed) {
  const auto arguments = sizes_of(made.signature.arguments),
             results = sizes_of(made.signature.results);
  int64_t arena = std::max<int64_t>(1, made.plan.arena_bytes), align = made.plan.arena_align;
  int64_t flash = made.artifacts.code_bytes + made.artifacts.weights_bytes;
  int64_t state = made.plan.state_bytes;
  std::string stream = "-1";
  if (streamed != nullptr) {
    arena = std::max(arena, streamed->plan.arena_bytes);
    align = std::max(align, streamed->plan.arena_align);
    flash += streamed->artifacts.code_bytes + streamed->artifacts.weights_bytes;
    state = std::max(state, streamed->plan.state_bytes);
    const kernel::Stream& rows = *streamed->signature.stream;
    stream = cat(rows.leaf, " ", rows.rows, " ", arguments[rows.leaf] / rows.rows, " ",
                 kernel::window_spacing(streamed->program));
  }
  return cat(arena, " ", align, " ", made.plan.pieces.empty() ? 0 : 1, " ", flash, " ", state, " ",
             stream, " ", arguments.size(), " ", join(arguments, " "), " ",
             join(donated_of(made.signature.arguments), " "), " ", results.size(), " ",
             join(results, " "), " ", join(donated_of(made.signature.results), " "));
}

}  // namespace

Result<std::string> compile_case(const Case& one, BatchCase facts, Target target,
                                 const AheadOptions& options, const std::string& folder) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  hlo::Module module = imported->module;
  if (options.every > 0) transforms::space_windows(module, options.every);
  std::vector<package::Placed> files;
  const auto compile = [&](const std::string& name) -> Result<Compilation> {
    target.options.name = name;
    HLOCC_TRY_ASSIGN(Compilation made, compile_module(module, target, default_files(target), {}));
    for (const package::File& file : made.files) files.push_back({folder, file});
    return made;
  };
  HLOCC_TRY_ASSIGN(const Compilation made,
                   compile(options.stream.empty() ? facts.name() : plain_name(facts)));
  std::optional<Compilation> streamed;
  if (!options.stream.empty()) {
    HLOCC_TRY_ASSIGN(target.options.stream,
                     package::find_stream(imported->module, target.options, options.stream));
    HLOCC_TRY_ASSIGN(streamed, compile(facts.name()));
  }
  files.push_back({folder,
                   {cat(facts.number, ".in"),
                    input_image(*imported->snapshot, made.signature, target.byte_order)}});
  HLOCC_TRY(package::write_files(files));
  return facts_text(made, streamed ? &*streamed : nullptr);
}

CompiledCase read_facts(int number, const std::string& text) {
  CompiledCase out;
  out.facts.number = number;
  size_t at = 0;
  const std::vector<std::string> all = split(text, ' ');
  std::vector<int64_t> words;
  for (const std::string& word : all)
    if (const std::optional<int64_t> number = to_integer(word)) words.push_back(*number);
  out.facts.arena_bytes = words[at++];
  out.facts.arena_align = words[at++];
  out.facts.several_arenas = words[at++] != 0;
  out.flash_bytes = words[at++];
  out.ram_bytes = words[at++] + out.facts.arena_bytes;
  if (const int64_t leaf = words[at++]; leaf >= 0) {
    out.facts.stream = {static_cast<size_t>(leaf), words[at], words[at + 1], words[at + 2]};
    at += 3;
    out.ram_bytes += stream_room(out.facts);
  }
  const auto take = [&](std::vector<int64_t>& bytes, std::vector<bool>& donated) {
    const int64_t count = words[at++];
    for (int64_t n = 0; n < count; ++n) bytes.push_back(words[at++]);
    for (int64_t n = 0; n < count; ++n) donated.push_back(words[at++] != 0);
  };
  take(out.facts.argument_bytes, out.facts.argument_donated);
  take(out.facts.result_bytes, out.facts.result_donated);
  return out;
}

Result<CaseOutcome> compare_case(const Case& one, const BatchCase& facts, const Target& target,
                                 const std::string& folder, bool guard) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  Options options = target.options;
  options.name = facts.name();
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(imported->module, options));
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes,
                   import::read_file(output_file(folder, facts)));
  std::span<const std::byte> rest = bytes;
  if (facts.stream) {
    const hlo::Literal& expected = imported->snapshot->result;
    const std::string wrong =
        judge_stream(rest, facts, signature, target.byte_order,
                     stream_rules(all_rules(one.rules, imported->module, expected), signature),
                     package::result_labels(imported->module));
    if (!wrong.empty()) return CaseOutcome::failed(wrong);
    rest = rest.first(static_cast<size_t>(stream_file_bytes(facts) / stream_records(facts)));
  }
  if (guard) {
    const std::string wrong = device::judge_guard(read_guard_file(rest, facts),
                                                  static_cast<int>(facts.argument_bytes.size()));
    if (!wrong.empty()) return CaseOutcome::failed(wrong);
  }
  if (rest[0] != std::byte{0})
    return CaseOutcome::failed(cat("run returned ", static_cast<int>(rest[0])));
  rest = rest.subspan(guard ? kGuardHead : 1);
  CaseOutcome out;
  out.results_sha256 = sha256(rest);
  std::vector<hlo::Literal> results;
  for (const kernel::Leaf& leaf : signature.results) {
    results.push_back(device::from_memory(rest.first(leaf.bytes()), leaf.shape, target.byte_order));
    rest = rest.subspan(leaf.bytes());
  }
  const hlo::Literal& expected = imported->snapshot->result;
  out.why = compare_results(unflatten(imported->module.entry_result, results), expected,
                            all_rules(one.rules, imported->module, expected),
                            package::result_labels(imported->module));
  if (!out.why.empty()) out.verdict = Verdict::kFailed;
  return out;
}

}  // namespace hlocc::driver
