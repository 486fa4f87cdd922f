// How reports name a step of a program: in the model's words first, the rest as a number. JSON has
// all of it.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/analyze/launch_table.h"

namespace hlocc::driver {

// "conv1/add (+18)": the layer, and how many HLO instructions more the step computes; "copy:
// conv1/add" where it launches no kernel, "... (an iteration)" where it stands in a loop. The
// kernel's name where no instruction is known.
std::string layer_text(const LaunchRow& row);
// The layer's name alone.
std::string layer_name(const LaunchRow& row);
// "conv1/add (convolution_1)": the layer and its kernel.
std::string layer_and_kernel(const LaunchRow& row);
// "model.py:42", without folders; empty where the model does not say it.
std::string source_text(const kernel::Origin& origin);

// Adds "layer", "shape", "source" (file, line and function, from the inside out) and "hlo".
void add_origin(const kernel::Origin& origin, nlohmann::ordered_json& out);

}  // namespace hlocc::driver
