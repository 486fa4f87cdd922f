// See drawn.h.
#include "picked/drawn.h"

#include "picked/drawn_writer.h"

namespace hlocc::tests {
namespace {

struct Kind {
  const char* name;
  std::string (*make)(uint64_t);
};
constexpr Kind kKinds[] = {{"integers", integers},
                           {"layers", convolutions},
                           {"products", products},
                           {"movements", movements},
                           {"loops", loops},
                           {"sizes", sizes},
                           {"roundings", roundings},
                           {"weights", weights},
                           {"ranges", ranges},
                           {"cells", cells},
                           {"blocks", blocks},
                           {"reductions", reductions},
                           {"contractions", contractions},
                           {"windows", windows}};
constexpr const char* kNames[] = {"integers", "layers",     "products",     "movements", "loops",
                                  "sizes",    "roundings",  "weights",      "ranges",    "cells",
                                  "blocks",   "reductions", "contractions", "windows"};

}  // namespace

std::span<const char* const> drawn_kinds() { return kNames; }

std::string drawn_text(const std::string& kind, uint64_t seed) {
  for (const Kind& row : kKinds)
    if (kind == row.name) return row.make(seed);
  return "";
}

}  // namespace hlocc::tests
