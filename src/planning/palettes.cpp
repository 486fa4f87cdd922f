// See palettes.h. Constants of equal bytes are one choice: they lie in flash once either way.
#include "planning/palettes.h"

#include <algorithm>
#include <map>
#include <set>

#include "costs/kernel_work.h"
#include "costs/palettes.h"
#include "kernel/palettes/palette.h"
#include "kernel/palettes/unpack.h"
#include "kernel/program_values.h"
#include "planning/run_counts.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

// Constants of equal elements, and what their palette comes to.
struct Choice {
  Palette palette;
  std::vector<ProgramValueId> values;
  int64_t bytes_saved = 0;
  double cycles_added = 0;
  bool is_taken = false;
};

// A launch, how often it runs, and which of its operands are choices.
struct Reader {
  Launch* launch = nullptr;
  double times = 1;
};

class PaletteStore {
 public:
  PaletteStore(Program& program, const Target& target) : program_(program), target_(target) {}

  void run() {
    find_readers();
    find_choices();
    if (choices_.empty()) return;
    measure();
    take();
    store();
  }

 private:
  using Use = std::pair<int, int>;  // operand and bits

  void find_readers() {
    const auto counts = run_counts(program_, program_.steps);
    std::vector<double> times;
    for_each_step(program_.steps, [&](const Step& step) {
      if (!std::holds_alternative<Launch>(step.what)) return;
      const auto found = counts.find(&step);
      const int64_t runs = found == counts.end() ? 0 : found->second.value_or(1);
      times.push_back(static_cast<double>(runs));
    });
    for_each_launch(program_.steps, [&](Launch& launch) {
      readers_.push_back({&launch, times[readers_.size()]});
    });
  }

  // Constants that launches alone read.
  std::set<ProgramValueId> only_launched() {
    std::map<ProgramValueId, int> others;
    replace_values(program_.steps, [&](ProgramValueId id) {
      ++others[id];
      return id;
    });
    for (const ProgramValueId id : program_.results) ++others[id];
    for (const Reader& reader : readers_) {
      const Kernel& kernel = kernel_of(*reader.launch);
      for (size_t i = 0; i < reader.launch->operands.size(); ++i)
        if (kernel.buffers[i].direction == Direction::kIn) --others[reader.launch->operands[i]];
    }
    std::set<ProgramValueId> out;
    for (const auto& [id, count] : others)
      if (count == 0 && value(id).role == ValueRole::kConstant) out.insert(id);
    return out;
  }

  void find_choices() {
    std::map<std::pair<std::string_view, int>, size_t> known;
    for (const ProgramValueId id : only_launched()) {
      const ProgramValue& one = value(id);
      const std::string_view bytes(reinterpret_cast<const char*>(one.data->data()),
                                   one.data->size());
      const auto [at, is_new] =
          known.emplace(std::pair(bytes, static_cast<int>(one.element)), choices_.size());
      if (is_new) {
        std::optional<Palette> palette = palette_of(one);
        const int64_t saved = palette ? one.bytes() - palette->bytes() : 0;
        choices_.push_back({palette.value_or(Palette{}), {}, saved});
      }
      choices_[at->second].values.push_back(id);
      choice_of_[id] = at->second;
    }
  }

  // What the choices' launches come to with each of them alone.
  void measure() {
    std::vector<int64_t> ops(choices_.size()), scratch(choices_.size());
    std::vector<bool> has_form(choices_.size(), true);
    std::set<std::pair<KernelId, Use>> seen;
    for (const Reader& reader : readers_)
      for (const PaletteUse& use : uses_of(*reader.launch, false)) {
        const size_t at = choice_of_.at(reader.launch->operands[static_cast<size_t>(use.operand)]);
        const UnpackedKernel* made = unpacked(reader.launch->kernel, {use}, {length(at)});
        if (made == nullptr) {
          has_form[at] = false;
          continue;
        }
        choices_[at].cycles_added += reader.times * added(*reader.launch, *made);
        scratch[at] = std::max(scratch[at], made->scratch_bytes);
        if (seen.insert({reader.launch->kernel, {use.operand, use.bits}}).second)
          ops[at] += made->ops;
      }
    for (size_t at = 0; at < choices_.size(); ++at)
      if (!has_form[at] || !costs::palette_pays(choices_[at].bytes_saved, ops[at]) ||
          scratch[at] > costs::most_looked_up_bytes(target_))
        choices_[at].bytes_saved = 0;
  }

  double added(const Launch& launch, const UnpackedKernel& made) const {
    return costs::kernel_work(made.kernel, launch.integers, target_).cycles -
           costs::kernel_work(kernel_of(launch), launch.integers, target_).cycles;
  }

  // The most bytes for a cycle first; then the order of the program.
  void take() {
    const bool all = target_.options.weights_compression == WeightsCompression::kPalettes;
    std::vector<Choice*> order;
    for (Choice& choice : choices_)
      if (choice.bytes_saved > 0) order.push_back(&choice);
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const Choice* choice) {
      return static_cast<double>(choice->bytes_saved) / std::max(1.0, choice->cycles_added);
    });
    int64_t saved = 0;
    for (Choice* choice : order) {
      if (!all && saved >= target_.options.bytes_to_save) break;
      choice->is_taken = true;
      saved += choice->bytes_saved;
    }
  }

  void store() {
    std::map<ProgramValueId, std::pair<ProgramValueId, ProgramValueId>> stored;
    std::set<size_t> told;
    for (const Reader& reader : readers_) {
      Launch& launch = *reader.launch;
      std::vector<PaletteUse> uses = uses_of(launch, true);
      if (uses.empty()) continue;
      std::vector<int64_t> lengths;
      for (PaletteUse& use : uses) {
        const ProgramValueId id = launch.operands[static_cast<size_t>(use.operand)];
        const size_t at = choice_of_.at(id);
        lengths.push_back(length(at));
        use.bytes_saved = told.insert(at).second ? choices_[at].bytes_saved : 0;
        use.cycles_added =
            reader.times * added(launch, *unpacked(launch.kernel, {use}, {length(at)}));
        const auto [place, is_new] = stored.emplace(id, std::pair(kNone, kNone));
        if (is_new) place->second = add_values(id, choices_[at].palette);
        launch.operands[static_cast<size_t>(use.operand)] = place->second.first;
        launch.operands.push_back(place->second.second);
      }
      launch.kernel = added_kernel(launch.kernel, uses, lengths);
      std::erase_if(launch.overlaps, [&](const Overlap& overlap) {
        return std::ranges::find(uses, overlap.operand, &PaletteUse::operand) != uses.end();
      });
      launch.palettes = std::move(uses);
    }
    drop_unread_constants(program_);
  }

  std::pair<ProgramValueId, ProgramValueId> add_values(ProgramValueId id, const Palette& palette) {
    const ProgramValue old = value(id);
    const auto next = static_cast<ProgramValueId>(program_.values.size());
    program_.values.push_back({.name = cat(old.name, ".indices"),
                               .element = Scalar::kU8,
                               .elements = static_cast<int64_t>(palette.indices->size()),
                               .role = ValueRole::kConstant,
                               .data = palette.indices});
    program_.values.push_back(
        {.name = cat(old.name, ".palette"),
         .element = palette_scalar(old.element),
         .elements = static_cast<int64_t>(palette.elements->size()) / scalar_bytes(old.element),
         .role = ValueRole::kConstant,
         .data = palette.elements});
    return {next, next + 1};
  }

  KernelId added_kernel(KernelId id, const std::vector<PaletteUse>& uses,
                        const std::vector<int64_t>& lengths) {
    const auto [known, is_new] =
        added_.emplace(key_of(id, uses, lengths), static_cast<KernelId>(program_.kernels.size()));
    if (is_new) program_.kernels.push_back(unpacked(id, uses, lengths)->kernel);
    return known->second;
  }

  // Operands that are choices; those that were taken, or all that may be.
  std::vector<PaletteUse> uses_of(const Launch& launch, bool taken) const {
    std::vector<PaletteUse> out;
    for (size_t i = 0; i < launch.operands.size(); ++i) {
      const auto found = choice_of_.find(launch.operands[i]);
      if (found == choice_of_.end()) continue;
      const Choice& choice = choices_[found->second];
      if (taken ? choice.is_taken : choice.bytes_saved > 0)
        out.push_back({.operand = static_cast<int>(i), .bits = choice.palette.bits});
    }
    return out;
  }

  using Key = std::pair<KernelId, std::vector<std::pair<Use, int64_t>>>;
  static Key key_of(KernelId id, const std::vector<PaletteUse>& uses,
                    const std::vector<int64_t>& lengths) {
    Key key{id, {}};
    for (size_t n = 0; n < uses.size(); ++n)
      key.second.push_back({{uses[n].operand, uses[n].bits}, lengths[n]});
    return key;
  }
  const UnpackedKernel* unpacked(KernelId id, const std::vector<PaletteUse>& uses,
                                 const std::vector<int64_t>& lengths) {
    const auto [known, is_new] = unpacked_.try_emplace(key_of(id, uses, lengths));
    if (is_new)
      known->second = unpack_palettes(program_.kernels[static_cast<size_t>(id)], uses, lengths);
    return known->second ? &*known->second : nullptr;
  }

  int64_t length(size_t choice) const {
    const Choice& one = choices_[choice];
    return static_cast<int64_t>(one.palette.elements->size()) /
           scalar_bytes(value(one.values[0]).element);
  }
  const ProgramValue& value(ProgramValueId id) const {
    return program_.values[static_cast<size_t>(id)];
  }
  const Kernel& kernel_of(const Launch& launch) const {
    return program_.kernels[static_cast<size_t>(launch.kernel)];
  }

  Program& program_;
  const Target& target_;
  std::vector<Reader> readers_;
  std::vector<Choice> choices_;
  std::map<ProgramValueId, size_t> choice_of_;
  std::map<Key, std::optional<UnpackedKernel>> unpacked_;
  std::map<Key, KernelId> added_;
};

}  // namespace

void store_palettes(Program& program, const Target& target) {
  const Options& options = target.options;
  const bool is_asked = options.weights_compression == WeightsCompression::kPalettes ||
                        (options.weights_compression == WeightsCompression::kWhereNeeded &&
                         options.bytes_to_save > 0);
  // Threads of a grid have no scratch in the arena.
  if (is_asked && target.style != KernelStyle::kSimt) PaletteStore(program, target).run();
}

}  // namespace hlocc::planning
