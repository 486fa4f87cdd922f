// Stages of a chain of convolutions: where their rows go.
#include "lowering/schedules/row_stage.h"

namespace hlocc::lowering {

void RowStage::hand_on(const char* name, int64_t rows,
                       std::function<Affine(const Affine& row)> place) {
  Emitter& e = convolution.e;
  const hlo::Shape& whole = e.shape(result);
  hlo::Dimensions dimensions = whole.dimensions;
  dimensions[0] = 1;
  dimensions[1] = rows;
  shape = hlo::Shape::array(whole.element_type, std::move(dimensions));
  buffer = e.scratch(name, e.scalar(whole), shape.element_count(), e.target().vector_bits / 8);
  convolution.store = [this, place = std::move(place)](const Index& index) {
    Emitter& emitter = convolution.e;
    const Element value = emitter.element(result, index);
    Index to = index;
    to.at[0] = Affine{};
    to.at[1] = place(index.at[1]);
    emitter.store(buffer, shape, to, value);
  };
}

}  // namespace hlocc::lowering
