// Joins finished groups. Each has one result, which only its one reader uses: so no cycle can
// arise, and what is handed on needs no place as a whole. It pays where that is larger than the
// caches near the processor: the pass over memory that writes it and the one that reads it are
// saved. Without a cache, chains of convolutions take more instructions by rows than one after the
// other; a pool takes none, and saves what its feature map takes in the arena.
#include "transforms/fusion/fuse_row_tiles.h"

#include <algorithm>

#include "costs/fusion.h"
#include "ops/window_math.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;

namespace {

class RowTilePlanner {
 public:
  RowTilePlanner(const Computation& c, const Target& target, FusionPlan& plan)
      : c_(c), target_(target), plan_(plan), users_(c.users()) {}

  void run() {
    join_pools();
    if (costs::chains_by_rows(target_)) join_chains();
    plan_.number_groups();
  }

 private:
  void join_chains() {
    for (size_t g = 0; g < plan_.groups.size(); ++g) {
      FusionGroup& project = plan_.groups[g];
      if (!is_plain(project) || !is_pointwise(project.hero)) continue;
      const int depthwise = maker_of(project.hero);
      if (depthwise == kNone || !is_depthwise(plan_.groups[depthwise].hero)) continue;
      int expand = maker_of(plan_.groups[depthwise].hero);
      if (expand != kNone &&
          !(may_precede(plan_.groups[expand].hero) && may_expand(plan_.groups[depthwise].hero)))
        expand = kNone;
      if (!pays(expand, depthwise, static_cast<int>(g))) continue;
      take(project, depthwise);
      if (expand != kNone) take(project, expand);
      project.schedule = hlo::Schedule::kRowTiles;
    }
  }
  void join_pools() {
    for (FusionGroup& pool : plan_.groups) {
      if (!is_plain(pool) || !is_pool(pool.hero)) continue;
      const int maker = maker_of(pool.hero);
      if (maker == kNone || !may_be_pooled(plan_.groups[maker].hero, pool.hero) ||
          !pays(maker, pool.hero))
        continue;
      take(pool, maker);
      pool.schedule = hlo::Schedule::kRowTiles;
    }
  }

  bool is_plain(const FusionGroup& group) const {
    return group.hero != kNone && !group.members.empty();
  }

  // The group whose result the hero has as its input, if that is the only use of it.
  int maker_of(InstructionId hero) const {
    const InstructionId input = c_[hero].operands[0];
    const int group = plan_.group_of[input];
    if (group == kNone || input == c_.root || users_[input].size() != 1) return kNone;
    return is_plain(plan_.groups[group]) ? group : kNone;
  }

  // Images, or signals, with features last, in the order in which memory has them.
  bool is_image(InstructionId id) const {
    const Instruction& i = c_[id];
    const int rank = i.shape.rank();
    if (i.opcode != hlo::Opcode::kConvolution) return false;
    for (const hlo::Shape* shape : {&i.shape, &c_.operand(i, 0).shape, &c_.operand(i, 1).shape})
      if (shape->element_count() == 0) return false;
    const auto& a = i.get<hlo::ConvolutionAttributes>();
    for (const hlo::WindowDimension& w : a.window.dimensions)
      if (w.base_dilation != 1) return false;
    // Filters that a kernel makes anew are made once for all rows.
    const InstructionId filter = i.operands[1];
    if (plan_.duplicated[filter]) return false;
    const hlo::Dimensions spatial = rank == 4 ? hlo::Dimensions{1, 2} : hlo::Dimensions{1};
    return a.input_feature == rank - 1 && a.output_feature == rank - 1 &&
           a.input_spatial == spatial && a.output_spatial == spatial &&
           a.kernel_output_feature == rank - 1 && a.batch_group_count == 1;
  }
  // Images in f32, with windows without dilation.
  bool is_plain_image(InstructionId id) const {
    if (!is_image(id) || c_[id].shape.rank() != 4) return false;
    const Instruction& i = c_[id];
    for (const hlo::Shape* shape : {&i.shape, &c_.operand(i, 0).shape, &c_.operand(i, 1).shape})
      if (shape->element_type != hlo::PrimitiveType::kF32) return false;
    const auto& windows = i.get<hlo::ConvolutionAttributes>().window.dimensions;
    return std::ranges::all_of(
        windows, [](const hlo::WindowDimension& w) { return w.window_dilation == 1; });
  }
  bool is_pointwise(InstructionId id) const {
    if (!is_plain_image(id)) return false;
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    return a.feature_group_count == 1 && std::ranges::all_of(a.window.dimensions, ops::is_trivial);
  }
  // A 1x1, or the first layer of a network; other windows have better schedules of their own.
  bool may_precede(InstructionId id) const {
    return is_pointwise(id) ||
           (is_plain_image(id) &&
            c_[id].get<hlo::ConvolutionAttributes>().feature_group_count == 1 &&
            c_.operand(c_[id], 0).shape.dimensions[3] <= costs::kFirstLayerInputs);
  }
  bool is_depthwise(InstructionId id) const {
    if (!is_plain_image(id)) return false;
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    return a.feature_group_count > 1 &&
           a.feature_group_count == c_.operand(c_[id], 0).shape.dimensions[3] &&
           a.feature_group_count == c_[id].shape.dimensions[3];
  }
  // Rows that come before a window's are the ring's, not padding.
  static bool may_lie_in_ring(const hlo::WindowDimension& w) {
    return w.padding_low >= 0 && w.size - w.stride - w.padding_low >= 0;
  }
  bool may_expand(InstructionId depthwise) const {
    return may_lie_in_ring(c_[depthwise].get<hlo::ConvolutionAttributes>().window.dimensions[0]);
  }

  // Windows over rows and columns of one feature map, or along one signal.
  bool is_pool(InstructionId id) const {
    const Instruction& i = c_[id];
    if (i.opcode != hlo::Opcode::kReduceWindow) return false;
    if ((i.shape.rank() != 3 && i.shape.rank() != 4) || i.shape.element_count() == 0) return false;
    const auto& windows = i.get<hlo::WindowAttributes>().window.dimensions;
    for (const hlo::WindowDimension& w : windows)
      if (w.base_dilation != 1 || w.window_dilation != 1 || w.window_reversal) return false;
    return ops::is_trivial(windows.front()) && ops::is_trivial(windows.back()) &&
           may_lie_in_ring(windows[1]);
  }
  // Windows of 2x2 that lie side by side: tiles of Winograd's form hold whole ones.
  bool divides_tiles(InstructionId pool) const {
    const auto& windows = c_[pool].get<hlo::WindowAttributes>().window.dimensions;
    return std::all_of(windows.begin() + 1, windows.end() - 1, [](const hlo::WindowDimension& w) {
      return w.size == 2 && w.stride == 2 && w.padding_low == 0 && w.padding_high == 0;
    });
  }
  // Dense convolutions; 3x3 ones of stride 1 may have a faster form than row by row.
  bool may_be_pooled(InstructionId id, InstructionId pool) const {
    // A pad that goes with a convolution is for windows in scratch.
    if (!is_image(id) || hlo::is_complex(c_[id].shape.element_type) ||
        plan_.duplicated[c_[id].operands[0]])
      return false;
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    const bool slides = std::ranges::all_of(a.window.dimensions, [](const hlo::WindowDimension& w) {
      return w.size == 3 && w.stride == 1;
    });
    return a.feature_group_count == 1 &&
           (divides_tiles(pool) || !(slides && target_.uses_winograd() && is_plain_image(id)));
  }
  bool pays(int convolution, InstructionId pool) const {
    const auto& w = c_[pool].get<hlo::WindowAttributes>().window.dimensions[1];
    return costs::pooled_rows_pay(target_, w.size, c_[c_[pool].operands[0]].shape.dimensions[1],
                                  bytes_handed_on(convolution), weight_bytes(convolution));
  }

  int64_t bytes_handed_on(int group) const {
    return c_[plan_.groups[group].root].shape.byte_size();
  }
  int64_t weight_bytes(int group) const {
    return c_.operand(c_[plan_.groups[group].hero], 1).shape.byte_size();
  }
  bool pays(int& expand, int depthwise, int project) const {
    if (expand != kNone && !costs::row_tiles_pay(target_, bytes_handed_on(expand),
                                                 weight_bytes(expand) + weight_bytes(project)))
      expand = kNone;
    return expand != kNone ||
           costs::row_tiles_pay(target_, bytes_handed_on(depthwise), weight_bytes(project));
  }

  void take(FusionGroup& into, int from) {
    FusionGroup& group = plan_.groups[from];
    into.members.insert(into.members.end(), group.members.begin(), group.members.end());
    std::sort(into.members.begin(), into.members.end());
    group.members.clear();
  }

  const Computation& c_;
  const Target& target_;
  FusionPlan& plan_;
  const std::vector<std::vector<InstructionId>> users_;
};

}  // namespace

void plan_row_tiles(const Computation& computation, const Target& target, FusionPlan& plan) {
  RowTilePlanner(computation, target, plan).run();
}

}  // namespace hlocc::transforms
