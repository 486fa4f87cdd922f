// A layer graph as SVG. It is one picture that works without its script (in a README, in an editor
// of drawings) and folds and opens clusters where scripts run: in a browser, or in the report's
// page. An HTML page of <details> would fold without a script, but is no picture, and has no lines.
#pragma once
#include <string>

#include "driver/analyze/layer_graph.h"

namespace hlocc::driver {

enum class SvgPlace : uint8_t { kFile, kPage };

// `title` is text. The bytes depend on the arguments alone. As a file it says what it is; in a page
// the page does.
std::string to_svg(const LayerGraph& graph, const std::string& title, SvgPlace place);

}  // namespace hlocc::driver
