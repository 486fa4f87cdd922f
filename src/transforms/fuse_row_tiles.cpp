// Joins finished groups. Each has one result, which only its one reader uses: so no cycle can arise, and what is handed on needs
// no place as a whole. It pays where that is larger than the caches near the processor: the pass over memory that writes
// it and the one that reads it are saved.
#include "transforms/fuse_row_tiles.h"

#include <algorithm>

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;

namespace {

// Arrays of fewer bytes stay in a cache anyway.
constexpr int64_t kLeastBytes = 400 << 10;
// Weights of more bytes don't stay beside the rows while block after block reads them.
constexpr int64_t kMostWeightBytes = 192 << 10;

class Planner {
 public:
  Planner(const Computation& c, const Target& target, FusionPlan& plan) : c_(c), target_(target), plan_(plan), users_(c.users()) {}

  void run() {
    if (!target_.cache || target_.options.for_size()) return;
    for (size_t g = 0; g < plan_.groups.size(); ++g) {
      FusionGroup& project = plan_.groups[g];
      if (!is_plain(project) || !is_pointwise(project.hero)) continue;
      const int depthwise = maker_of(project.hero);
      if (depthwise == kNone || !is_depthwise(plan_.groups[depthwise].hero)) continue;
      int expand = maker_of(plan_.groups[depthwise].hero);
      if (expand != kNone && !(may_precede(plan_.groups[expand].hero) && may_expand(plan_.groups[depthwise].hero))) expand = kNone;
      if (!pays(expand, depthwise, static_cast<int>(g))) continue;
      take(project, depthwise);
      if (expand != kNone) take(project, expand);
      project.schedule = kRowTileSchedule;
    }
    plan_.number_groups();
  }

 private:
  bool is_plain(const FusionGroup& group) const { return *group.schedule == 0 && group.hero != kNone && !group.members.empty(); }

  // The group whose result the hero has as its input, if that is the only use of it.
  int maker_of(InstructionId hero) const {
    const InstructionId input = c_[hero].operands[0];
    const int group = plan_.group_of[input];
    if (group == kNone || group == plan_.group_of[hero] || input == c_.root || users_[input].size() != 1) return kNone;
    return plan_.groups[group].root == input && is_plain(plan_.groups[group]) ? group : kNone;
  }

  // Pictures of f32 with features last, in the order in which memory has them.
  bool is_plain_picture(InstructionId id) const {
    const Instruction& i = c_[id];
    if (i.opcode != hlo::Opcode::kConvolution || i.shape.rank() != 4 || i.shape.element_count() == 0) return false;
    for (const hlo::Shape* shape : {&i.shape, &c_.operand(i, 0).shape, &c_.operand(i, 1).shape})
      if (shape->element_type != hlo::PrimitiveType::kF32 || shape->element_count() == 0) return false;
    const auto& a = i.get<hlo::ConvolutionAttributes>();
    for (const hlo::WindowDimension& w : a.window.dimensions)
      if (w.base_dilation != 1 || w.window_dilation != 1) return false;
    const hlo::Dimensions spatial = {1, 2};
    return a.input_batch == 0 && a.output_batch == 0 && a.input_feature == 3 && a.output_feature == 3 && a.input_spatial == spatial &&
           a.output_spatial == spatial && a.kernel_output_feature == 3 && a.batch_group_count == 1;
  }
  bool is_pointwise(InstructionId id) const {
    if (!is_plain_picture(id)) return false;
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    return a.feature_group_count == 1 && std::all_of(a.window.dimensions.begin(), a.window.dimensions.end(), [](const hlo::WindowDimension& w) {
             return w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0;
           });
  }
  // A 1x1, or the first layer of a network; other windows have better schedules of their own.
  bool may_precede(InstructionId id) const {
    constexpr int64_t kFewInputs = 4;
    return is_pointwise(id) || (is_plain_picture(id) && c_[id].get<hlo::ConvolutionAttributes>().feature_group_count == 1 &&
                                c_.operand(c_[id], 0).shape.dimensions[3] <= kFewInputs);
  }
  bool is_depthwise(InstructionId id) const {
    if (!is_plain_picture(id)) return false;
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    return a.feature_group_count > 1 && a.feature_group_count == c_.operand(c_[id], 0).shape.dimensions[3] &&
           a.feature_group_count == c_[id].shape.dimensions[3];
  }
  // Rows that come before a window's are the ring's, not padding.
  bool may_expand(InstructionId depthwise) const {
    const auto& w = c_[depthwise].get<hlo::ConvolutionAttributes>().window.dimensions[0];
    return w.padding_low >= 0 && w.size - w.stride - w.padding_low >= 0;
  }

  int64_t bytes_handed_on(int group) const { return c_[plan_.groups[group].root].shape.byte_size(); }
  int64_t weight_bytes(int group) const { return c_.operand(c_[plan_.groups[group].hero], 1).shape.byte_size(); }
  bool pays(int& expand, int depthwise, int project) const {
    if (expand != kNone && (bytes_handed_on(expand) < kLeastBytes || weight_bytes(expand) + weight_bytes(project) > kMostWeightBytes))
      expand = kNone;
    return expand != kNone || (bytes_handed_on(depthwise) >= kLeastBytes && weight_bytes(project) <= kMostWeightBytes);
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

void plan_row_tiles(const Computation& computation, const Target& target, FusionPlan& plan) { Planner(computation, target, plan).run(); }

}  // namespace hlocc::transforms
