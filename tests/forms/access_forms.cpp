// Loads and stores: by stride, mask, lane indices, width and alignment.
#include "forms/forms.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

struct Lanes {
  int lanes = 4;
  int64_t stride = 1;
  Scalar scalar = kF32;
  int alignment = 0;
  int64_t at = 0;
  enum Mask { kAll, kOfLanes, kOfAll } mask = kAll;
  bool otherwise = false, indices = false;
};

// y = x, both accesses so; what holds the mask and the indices is read first.
void copy_form(Builder& b, const Lanes& how) {
  const BufferId x = x_of(b, how.scalar, how.alignment);
  const BufferId masks = b.buffer({.name = "masks", .element = kPred, .elements = 64});
  const BufferId places = b.buffer({.name = "places", .element = kS32, .elements = 64});
  const BufferId y = y_of(b, how.scalar, how.alignment);
  Access access{.buffer = x, .at = Affine::constant(how.at), .lane_stride = how.stride};
  if (how.indices) access.lane_indices = b.load(places, Affine::constant(0), how.lanes);
  if (how.mask != Lanes::kAll)
    access.mask = b.load(masks, Affine::constant(0), how.mask == Lanes::kOfAll ? 1 : how.lanes);
  if (how.otherwise)
    access.otherwise = b.constant_int({how.scalar, static_cast<uint16_t>(how.lanes)}, 5);
  const ValueId read = b.load(access, how.lanes);
  access.buffer = y;
  access.otherwise = kNone;
  access.stored = read;
  b.store(access);
}

// The same at a counter, of which `scale` elements are one step.
void copy_in_loop(Builder& b, const Lanes& how, int64_t scale) {
  const BufferId x = x_of(b, how.scalar, how.alignment), y = y_of(b, how.scalar, how.alignment);
  b.loop(3, [&](ValueId i) {
    const Affine at = Affine::of(i, scale, how.at);
    b.store(y, at, b.load(x, at, how.lanes, how.stride), how.stride);
  });
}

}  // namespace

std::vector<KernelForm> access_forms() {
  std::vector<KernelForm> out;
  const auto add = [&](std::string name, std::vector<const char*> chips, Lanes how) {
    out.push_back({std::move(name), std::move(chips), [how](Builder& b) { copy_form(b, how); }});
  };
  const std::pair<const char*, Lanes::Mask> masks[] = {
      {"", Lanes::kAll}, {" of a mask", Lanes::kOfLanes}, {" of one bit", Lanes::kOfAll}};
  for (const auto& [word, mask] : masks) {
    for (const int64_t stride : {1, -1, 0, 3, -2})
      add(cat("stride ", stride, word), {kA53, kM55}, {.stride = stride, .at = 16, .mask = mask});
    add(cat("gather", word), {kA53, kM55, kX86}, {.mask = mask, .indices = true});
    add(cat("gather of bytes", word), {kA53, kM55}, {.scalar = kS8, .mask = mask, .indices = true});
    add(cat("one element", word), {kA53}, {.lanes = 1, .mask = mask});
  }
  for (const auto mask : {Lanes::kOfLanes, Lanes::kOfAll})
    for (const int64_t stride : {1, -1, 0, 3})
      add(cat("else 5, stride ", stride, mask == Lanes::kOfAll ? " of one bit" : ""), {kA53, kHvx},
          {.lanes = 32, .stride = stride, .at = 96, .mask = mask, .otherwise = true});
  add("gather, else 5", {kA53, kM55},
      {.mask = Lanes::kOfLanes, .otherwise = true, .indices = true});
  add("truth", {kA53, kM55}, {.scalar = kPred});
  add("one truth", {kA53}, {.lanes = 1, .scalar = kPred});
  for (const int alignment : {1, 2, 4, 8})
    for (const int64_t at : {0, 4, 2}) {
      add(cat("16 bytes of ", alignment, " at ", at), {kM55, kM4},
          {.lanes = 16, .scalar = kS8, .alignment = alignment, .at = at});
      add(cat("8 bytes of ", alignment, " at ", at), {kM55, kM4},
          {.lanes = 8, .scalar = kU8, .alignment = alignment, .at = at});
    }
  for (const int lanes : {2, 4, 6, 8, 12})
    for (const int64_t stride : {1, -1})
      add(cat(lanes, " halves by ", stride), {kM4, kM3, kM55},
          {.lanes = lanes, .stride = stride, .scalar = kS16, .alignment = 4, .at = 16});
  for (const auto& [lanes, scalar] :
       {std::pair{32, kS8}, {16, kS16}, {16, kS32}, {8, kS8}, {16, kPred}})
    add(cat(lanes, " of ", scalar_name(scalar), " at words"), {kM55},
        {.lanes = lanes, .scalar = scalar, .alignment = 4});
  for (const Scalar scalar : {kF64, kS64, kS8, kS16})
    for (const int lanes : {2, 4, 16})
      add(cat(lanes, " of ", scalar_name(scalar), " of 128 bytes"), {kHvx, "hexagon-v67"},
          {.lanes = lanes, .scalar = scalar, .alignment = 128, .at = 16});
  add("4 bytes down", {kM4}, {.stride = -1, .scalar = kS8, .alignment = 4, .at = 16});
  add("4 bytes of a mask", {kM4}, {.scalar = kS8, .alignment = 4, .mask = Lanes::kOfLanes});
  for (const int lanes : {2, 4, 8, 16})
    for (const int64_t stride : {1, 2, 9362, 9363, 21845, 21846, -2})
      for (const Scalar byte : {kS8, kU8, kS16})
        if (byte == kS8 || stride == 2)
          add(cat(lanes, " of ", scalar_name(byte), " by ", stride), {kM55},
              {.lanes = lanes, .stride = stride, .scalar = byte, .at = 64});
  add("bytes of a mask by 2", {kM55}, {.stride = 2, .scalar = kS8, .mask = Lanes::kOfLanes});
  for (const int lanes : {2, 4, 16, 31, 32})
    for (const int64_t at : {0, 4, 32}) {
      add(cat(lanes, " at ", at, " of 128 bytes"), {kHvx},
          {.lanes = lanes, .alignment = 128, .at = at});
      add(cat(lanes, " at ", at, " of 64 bytes down"), {kHvx},
          {.lanes = lanes, .stride = -1, .alignment = 64, .at = at + 32});
    }
  for (const int64_t scale : {1, 2, 4, 6})
    for (const int alignment : {2, 4})
      out.push_back({cat("4 bytes of ", alignment, " every ", scale), {kM4, kM55}, [=](Builder& b) {
                       copy_in_loop(b, {.scalar = kS8, .alignment = alignment}, scale);
                     }});
  return out;
}

}  // namespace hlocc::backends
