// Convolutions in groups of threads that share blocks: a product whose rows are the pixels of all
// batches and whose steps are taps and input features, brought to shared memory as they are needed.
// Beside the input stand zeros.
#include "lowering/contraction/shared_contraction.h"
#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

namespace {

class SharedConvolution {
 public:
  SharedConvolution(const Convolution& c, const costs::SharedTilesPlan& plan) : c_(c), e_(c.e) {
    pixels_ = {c.form.output.dimensions[c.form.attributes.output_batch]};
    for (int d = 0; d < c.spatial(); ++d) {
      pixels_.push_back(c.output_extent(d));
      steps_.push_back(c.window(d).size);
    }
    steps_.push_back(c.group_inputs());
    k_.size = plan.size;
    k_.tile = plan.tile;
    k_.left_by_rows = c.form.attributes.input_feature != c.form.input.rank() - 1;
    k_.left = [this](const Affine&, const Affine& row, const Affine& step) {
      return input(unflattened(e_, pixels_, row), unflattened(e_, steps_, step));
    };
    k_.right = [this](const Affine&, const Affine& column, const Affine& step) {
      std::vector<Affine> taps = unflattened(e_, steps_, step);
      const Affine feature = taps.back();
      taps.pop_back();
      return c_.load_filter(taps, feature, column, 1).re;
    };
    k_.store = [this](const Affine&, const Affine& row, const Affine& column,
                      kernel::ValueId value) {
      const std::vector<Affine> at = unflattened(e_, pixels_, row);
      c_.finish(at[0], {at.begin() + 1, at.end()}, column, 1, {value});
    };
  }

  void run() { contract_shared(e_, k_); }

 private:
  kernel::ValueId input(const std::vector<Affine>& pixel, const std::vector<Affine>& step) {
    std::vector<Affine> position;
    kernel::ValueId valid = kernel::kNone;
    for (int d = 0; d < c_.spatial(); ++d) {
      const Tap tap = tap_of(e_, c_.window(d), c_.input_extent(d), c_.output_extent(d),
                             pixel[static_cast<size_t>(d) + 1], step[static_cast<size_t>(d)]);
      position.push_back(tap.position);
      if (tap.valid != kernel::kNone)
        valid = valid == kernel::kNone ? tap.valid : e_.b.logical_and(valid, tap.valid);
    }
    const auto load = [&] { return c_.load_input(pixel[0], position, step.back(), 1).re; };
    if (valid == kernel::kNone) return load();
    return e_.if_else(
        valid, [&] { return kernel::Values{load()}; },
        [&] {
          return kernel::Values{e_.b.zero({c_.sum, 1})};
        })[0];
  }

  const Convolution& c_;
  Emitter& e_;
  hlo::Dimensions pixels_, steps_;  // batches and places of the result; taps and features
  SharedContraction k_;
};

}  // namespace

void emit(Convolution& c, const costs::SharedTilesPlan& plan) { SharedConvolution(c, plan).run(); }

}  // namespace hlocc::lowering
