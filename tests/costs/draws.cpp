// See draws.h.
#include "costs/draws.h"

#include <algorithm>
#include <cstring>

namespace hlocc::tests {

using hlo::PrimitiveType;

int64_t Draws::size() {
  switch (below(5)) {
    case 0: return 1 + below(4);
    case 1: return 1 + below(20);
    case 2: return std::max<int64_t>(1, (int64_t{1} << below(9)) + below(3) - 1);
    case 3: return of<int64_t>({1, 2, 3, 4, 8, 12, 16, 24, 32, 36, 48, 64, 96});
    default: return 1 + below(500);
  }
}

int64_t Draws::near(int64_t number) { return std::max<int64_t>(0, number + below(3) - 1); }

kernel::Scalar Draws::scalar() {
  using enum kernel::Scalar;
  return of({kF32, kF32, kF32, kS32, kS32, kF64, kF16, kS64, kU32, kS8, kU8, kS16, kPred});
}

Target Draws::chip() {
  static const auto& names = *new std::vector<std::string>([] {
    std::vector<std::string> all;
    // The draws have golden answers, in which presets that came later take no part.
    const std::vector<std::string> later = {"xtensa-lx6", "xtensa-lx7", "cortex-m23",
                                            "arm1176-linux", "cortex-a72-linux"};
    for (const std::string& name : preset_names())
      if (name != "host" && std::ranges::find(later, name) == later.end() &&
          !name.starts_with("hexagon"))
        all.push_back(name);
    return all;
  }());
  const std::string name =
      one_in(4) ? of({"cortex-m55", "cortex-m4f", "x86_64-linux", "cortex-m0"})
                : names[static_cast<size_t>(below(static_cast<int64_t>(names.size())))];
  Target t = *preset(name);
  bool* const facts[] = {
      &t.float_vectors,   &t.f32_unit,          &t.f64_unit,       &t.fma,
      &t.hardware_divide, &t.multiply_by_lane,  &t.pipelined,      &t.multiply_by_scalar,
      &t.out_of_order,    &t.flash_constrained, &t.masked_vectors, &t.ram_constrained,
      &t.bare_metal,      &t.options.winograd};
  for (bool* fact : facts)
    if (one_in(8)) *fact = !*fact;
  if (one_in(4)) t.vector_bits = of({0, 64, 128, 256, 512});
  if (one_in(4)) t.vector_registers = of({4, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 32, 33});
  if (one_in(4)) t.scalar_registers = of({5, 7, 8, 11, 12, 13, 16, 19, 20, 21, 28});
  if (one_in(8)) t.pointer_bits = of({16, 32, 64});
  if (one_in(8)) t.load_reach = of<int64_t>({0, 124, 4095});
  if (one_in(6)) t.cache_bytes = {near(2048), near(32 << 10), near(1 << 20)};
  if (one_in(8)) t.cache_bytes.clear();
  if (one_in(5)) t.options.level = of({Level::kO0, Level::kO1, Level::kO3, Level::kOs, Level::kOz});
  // What a family's chips may have beside one another.
  const IsaFamily family = of({IsaFamily::kX86_64, IsaFamily::kArm, IsaFamily::kAArch64});
  if (one_in(3))
    for (const IsaInfo& row : kIsaTable)
      if (row.family == family && yes()) t.isa.add(row.isa);
  return t;
}

costs::ConvolutionSite DrawnConvolution::site() const {
  return {.form = {attributes, input, filter, output},
          .sum = sum,
          .module = module,
          .filter = known ? &weights : nullptr,
          .filter_in_memory = filter_in_memory,
          .input_in_memory = input_in_memory,
          .masks_pass = masks_pass,
          .pixels_count = pixels_count,
          .elements_count = elements_count,
          .stored = stored};
}

namespace {

hlo::WindowDimension drawn_window(Draws& draw, int64_t size) {
  hlo::WindowDimension w{.size = size};
  if (draw.one_in(3)) w.stride = 1 + draw.below(3);
  if (draw.yes()) w.padding_low = w.padding_high = size / 2;
  if (draw.one_in(5)) w.padding_low = draw.below(11) - 1;
  if (draw.one_in(5)) w.padding_high = draw.below(11) - 1;
  if (draw.one_in(12)) w.window_dilation = 1 + draw.below(3);
  if (draw.one_in(16)) w.base_dilation = 1 + draw.below(2);
  if (draw.one_in(16)) w.window_reversal = true;
  return w;
}

// How many windows fit.
int64_t windows(const hlo::WindowDimension& w, int64_t extent) {
  const int64_t padded = w.padding_low + (extent - 1) * w.base_dilation + 1 + w.padding_high,
                reach = (w.size - 1) * w.window_dilation + 1;
  return padded < reach ? 0 : (padded - reach) / w.stride + 1;
}

// Where [batch, spatial ..., feature] lie: the order that most have, or another one.
hlo::Dimensions drawn_order(Draws& draw, int rank, const hlo::Dimensions& usual) {
  if (!draw.one_in(8)) return usual;
  hlo::Dimensions order = usual;
  const auto n = static_cast<int64_t>(rank);
  const auto a = static_cast<size_t>(draw.below(n)), b = static_cast<size_t>(draw.below(n));
  std::swap(order[a], order[b]);
  return order;
}

hlo::Shape placed(PrimitiveType type, const hlo::Dimensions& places, const hlo::Dimensions& sizes) {
  hlo::Dimensions dimensions(sizes);
  for (size_t i = 0; i < places.size(); ++i) dimensions[static_cast<size_t>(places[i])] = sizes[i];
  return hlo::Shape::array(type, dimensions);
}

}  // namespace

DrawnConvolution drawn_convolution(Draws& draw) {
  DrawnConvolution c;
  hlo::ConvolutionAttributes& a = c.attributes;
  const int spatial = draw.one_in(6) ? static_cast<int>(draw.below(4)) : 2, rank = spatial + 2;
  const int64_t taps = draw.of<int64_t>({1, 1, 2, 3, 3, 3, 3, 4, 5, 7, 8, 9});
  for (int d = 0; d < spatial; ++d)
    a.window.dimensions.push_back(drawn_window(draw, draw.one_in(6) ? draw.near(taps) + 1 : taps));

  PrimitiveType type = PrimitiveType::kF32;
  if (draw.yes()) type = draw.of({PrimitiveType::kS8, PrimitiveType::kS8, PrimitiveType::kU8});
  if (draw.one_in(10))
    type = draw.of({PrimitiveType::kF64, PrimitiveType::kF16, PrimitiveType::kS32,
                    PrimitiveType::kC64, PrimitiveType::kS16, PrimitiveType::kPred});
  const bool bytes = type == PrimitiveType::kS8 || type == PrimitiveType::kU8;
  PrimitiveType filter_type = type, output_type = bytes ? PrimitiveType::kS32 : type;
  if (draw.one_in(12))
    filter_type =
        draw.of({PrimitiveType::kS8, PrimitiveType::kU8, PrimitiveType::kS4, PrimitiveType::kF16});
  if (draw.one_in(16))
    output_type = draw.of({PrimitiveType::kF32, PrimitiveType::kS32, PrimitiveType::kF64});
  c.sum = kernel::scalar_of(hlo::real_type(output_type));

  // One group, groups of one feature (depthwise), or a few.
  const int64_t inputs = std::min<int64_t>(draw.size(), 70);
  int64_t outputs = std::min<int64_t>(draw.size(), 70);
  if (draw.one_in(3)) {
    a.feature_group_count = inputs;
    outputs = inputs * draw.of<int64_t>({1, 1, 1, 2, 4, 5});
  } else if (draw.one_in(8) && inputs % 2 == 0) {
    a.feature_group_count = draw.of<int64_t>({2, inputs / 2});
    outputs = a.feature_group_count * draw.of<int64_t>({1, 1, 2, 8});
  }
  if (draw.one_in(40)) outputs = 0;
  if (draw.one_in(30)) a.batch_group_count = 2;

  const int64_t side = std::min<int64_t>(draw.size(), 70),
                batch = draw.one_in(8) ? draw.below(4) : 1;
  hlo::Dimensions in{batch}, out{batch}, kernel;
  for (int d = 0; d < spatial; ++d) {
    const hlo::WindowDimension& w = a.window.dimensions[static_cast<size_t>(d)];
    in.push_back(draw.one_in(4) ? draw.near(side) + 1 : side);
    out.push_back(windows(w, in.back()));
    kernel.push_back(w.size);
  }
  in.push_back(inputs), out.push_back(outputs);
  kernel.push_back(inputs / a.feature_group_count), kernel.push_back(outputs);

  hlo::Dimensions last(static_cast<size_t>(rank)), first(last), rows(last);
  for (int i = 0; i < rank; ++i) last[static_cast<size_t>(i)] = rows[static_cast<size_t>(i)] = i;
  for (int i = 0; i < rank; ++i)
    first[static_cast<size_t>(i)] = i == 0 ? 0 : i == rank - 1 ? 1 : i + 1;
  const hlo::Dimensions& usual = draw.one_in(4) ? first : last;
  const hlo::Dimensions at_in = drawn_order(draw, rank, usual),
                        at_out = drawn_order(draw, rank, usual),
                        at_kernel = drawn_order(draw, rank, rows);
  c.input = placed(type, at_in, in);
  c.output = placed(output_type, at_out, out);
  c.filter = placed(filter_type, at_kernel, kernel);
  a.input_batch = at_in.front(), a.input_feature = at_in.back();
  a.output_batch = at_out.front(), a.output_feature = at_out.back();
  for (int d = 1; d <= spatial; ++d) {
    a.input_spatial.push_back(at_in[static_cast<size_t>(d)]);
    a.output_spatial.push_back(at_out[static_cast<size_t>(d)]);
    a.kernel_spatial.push_back(at_kernel[static_cast<size_t>(d - 1)]);
  }
  a.kernel_input_feature = at_kernel[static_cast<size_t>(spatial)];
  a.kernel_output_feature = at_kernel[static_cast<size_t>(spatial + 1)];

  c.weights = hlo::Literal::zeros(c.filter);
  if (draw.one_in(16) && !c.weights.bytes().empty())
    std::memset(c.weights.mutable_bytes().data(), 0xff, c.weights.bytes().size());
  for (bool* fact : {&c.known, &c.filter_in_memory, &c.input_in_memory, &c.masks_pass,
                     &c.pixels_count, &c.elements_count})
    if (draw.one_in(16)) *fact = false;
  if (draw.one_in(8)) c.stored = draw.size();
  return c;
}

}  // namespace hlocc::tests
