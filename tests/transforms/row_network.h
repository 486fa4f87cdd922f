// Networks of bytes for tests of what is computed row by row: text of HLO, written layer by layer.
#pragma once
#include <random>
#include <string>

#include "support/text.h"

namespace hlocc::tests {

// Writes a network of bytes layer by layer: images [1, h, w, c], 32-bit sums, a shift back to
// bytes.
class Network {
 public:
  Network(int64_t height, int64_t width, int64_t channels, uint32_t seed = 1)
      : random_(seed), h_(height), w_(width), c_(channels) {
    text_ = cat("  x = ", type(), " parameter(0)\n");
  }

  struct Window {
    int64_t size = 3, stride = 1, low = 1, high = 1;
  };

  // Along the rows; along the columns always 3 with a border of 1.
  Network& convolution(Window rows, int64_t features) {
    const int64_t height = (h_ + rows.low + rows.high - rows.size) / rows.stride + 1;
    const std::string weights = constant(rows.size * 3 * c_ * features);
    line(cat("s8[", rows.size, ",3,", c_, ",", features, "] reshape(", weights, ")"));
    const std::string from = value_, filter = last();
    const std::string before = previous_;
    h_ = height;
    c_ = features;
    line(cat(type("s32"), " convolution(", before, ", ", filter, "), window={size=", rows.size,
             "x3 stride=", rows.stride, "x1 pad=", rows.low, "_", rows.high,
             "x1_1}, dim_labels=b01f_01io->b01f"));
    return bytes();
  }

  Network& depthwise(Window rows) {
    const int64_t height = (h_ + rows.low + rows.high - rows.size) / rows.stride + 1;
    const std::string weights = constant(rows.size * 3 * c_);
    line(cat("s8[", rows.size, ",3,1,", c_, "] reshape(", weights, ")"));
    const std::string filter = last(), before = previous_;
    h_ = height;
    line(cat(type("s32"), " convolution(", before, ", ", filter, "), window={size=", rows.size,
             "x3 stride=", rows.stride, "x1 pad=", rows.low, "_", rows.high,
             "x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=", c_));
    return bytes();
  }

  // A border of -3 around the image, and a convolution without one.
  Network& padded_convolution(int64_t features) {
    const std::string before = previous_;
    line("s8[] constant(-3)");
    const std::string border = last();
    line(cat("s8[1,", h_ + 2, ",", w_ + 2, ",", c_, "] pad(", before, ", ", border,
             "), padding=0_0x1_1x1_1x0_0"));
    const std::string image = last(), weights = constant(9 * c_ * features);
    line(cat("s8[3,3,", c_, ",", features, "] reshape(", weights, ")"));
    const std::string filter = last();
    c_ = features;
    line(cat(type("s32"), " convolution(", image, ", ", filter,
             "), window={size=3x3}, dim_labels=b01f_01io->b01f"));
    return bytes();
  }

  Network& maximum_pool(Window rows) {
    const std::string before = previous_;
    line("s8[] constant(-128)");
    const std::string least = last();
    h_ = (h_ + rows.low + rows.high - rows.size) / rows.stride + 1;
    line(cat(type(), " reduce-window(", before, ", ", least, "), window={size=1x", rows.size,
             "x1x1 stride=1x", rows.stride, "x1x1 pad=0_0x", rows.low, "_", rows.high,
             "x0_0x0_0}, to_apply=most"));
    previous_ = last();
    return *this;
  }

  // What follows reads what stood some layers before, of so many rows and channels.
  Network& back_to(const std::string& value, int64_t height, int64_t channels) {
    previous_ = value;
    h_ = height;
    c_ = channels;
    return *this;
  }

  // The sum with what stood some layers before.
  Network& shortcut(const std::string& from) {
    line(cat(type(), " add(", previous_, ", ", from, ")"));
    previous_ = last();
    return *this;
  }

  Network& beside_itself() {
    const std::string before = previous_;
    c_ *= 2;
    line(cat(type(), " concatenate(", before, ", ", before, "), dimensions={3}"));
    previous_ = last();
    return *this;
  }

  // The sum of all rows and columns.
  Network& sums() {
    line(cat(type("s32"), " convert(", previous_, ")"));
    const std::string wide = last();
    line("s32[] constant(0)");
    const std::string zero = last();
    line(cat("s32[1,", c_, "] reduce(", wide, ", ", zero, "), dimensions={1,2}, to_apply=sum"));
    previous_ = last();
    return *this;
  }

  std::string value() const { return previous_; }
  int64_t height() const { return h_; }
  std::string text() const {
    return cat(
        "HloModule m\nmost { a = s8[] parameter(0)\n b = s8[] parameter(1)\n"
        " ROOT r = s8[] maximum(a, b) }\nsum { a = s32[] parameter(0)\n"
        " b = s32[] parameter(1)\n ROOT r = s32[] add(a, b) }\nENTRY e {\n",
        text_, "  ROOT r = (", result_, ") tuple(", previous_, ")\n}\n");
  }

  int64_t draw(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(random_() % static_cast<uint32_t>(most - least + 1));
  }

 private:
  std::string type(const std::string& element = "s8") const {
    return cat(element, "[1,", h_, ",", w_, ",", c_, "]");
  }
  std::string last() const { return cat("v", count_); }
  void line(const std::string& what) {
    text_ += cat("  v", ++count_, " = ", what, "\n");
    result_ = what.substr(0, what.find(' '));
  }
  std::string constant(int64_t count) {
    std::string numbers;
    for (int64_t i = 0; i < count; ++i)
      numbers += cat(i == 0 ? "" : ", ", static_cast<int64_t>(random_() % 15) - 7);
    line(cat("s8[", count, "] constant({", numbers, "})"));
    return last();
  }
  Network& bytes() {
    const std::string sums = last();
    line("s32[] constant(3)");
    const std::string three = last();
    line(cat(type("s32"), " broadcast(", three, "), dimensions={}"));
    const std::string shift = last();
    line(cat(type("s32"), " shift-right-arithmetic(", sums, ", ", shift, ")"));
    const std::string small = last();
    line(cat(type(), " convert(", small, ")"));
    previous_ = last();
    return *this;
  }

  std::mt19937 random_;
  int64_t h_, w_, c_;
  std::string text_, value_, previous_ = "x", result_ = "";
  int count_ = 0;
};

// Some drawn layers, shortcuts over them, and often a sum of all rows; `stride_of` draws a layer's.
template <typename Stride>
void draw_layers(Network& net, const Stride& stride_of) {
  const int64_t layers = net.draw(2, 6);
  for (int64_t l = 0; l < layers && net.height() > 4; ++l) {
    const int64_t size = net.draw(1, 4), stride = stride_of();
    const int64_t low = net.draw(0, size - 1), high = net.draw(0, size - 1);
    const Network::Window rows{size, stride, low, high};
    switch (net.draw(0, 4)) {
      case 0: net.convolution(rows, net.draw(1, 3)); break;
      case 1: net.maximum_pool(rows); break;
      case 2: net.padded_convolution(net.draw(1, 3)); break;
      default: net.depthwise(rows); break;
    }
    if (net.draw(0, 3) == 0) {
      const std::string early = net.value();
      net.depthwise({}).depthwise({}).shortcut(early);
    }
  }
  if (net.draw(0, 2) == 0) net.sums();
}

}  // namespace hlocc::tests
