// Where operations come from: loc("jit(f)/add"(callsite(...))) as HLO's metadata and stack frames.
#pragma once
#include <map>
#include <tuple>
#include <unordered_map>

#include "hlo/module.h"
#include "import/stablehlo/source.h"

namespace hlocc::import::stablehlo {

class Locations {
 public:
  Locations(Source& source, hlo::Module& module) : source_(source), module_(module) {}

  // Of what stands in loc(...) at a place of the text; 0: nothing is known.
  Result<hlo::Metadata> of(size_t position);

 private:
  struct Line {
    int file = 0, function = 0, line = 0;
    auto operator<=>(const Line&) const = default;
  };
  // The name of the outermost location, and lines from the innermost call outwards.
  struct Place {
    std::string name;
    std::vector<Line> lines;
  };

  // Resolves all aliases in their order, so that long chains of calls need no deep recursion.
  Status resolve_aliases();
  Result<Place> parse(int depth);
  Result<Place> named(int depth);
  Result<Place> called(int depth);
  Result<Place> fused(int depth);
  Result<Place> aliased(int depth);
  int number_of(std::vector<std::string>& names, std::map<std::string, int>& numbers,
                const std::string& name);
  int frame_of(const std::vector<Line>& lines);

  Source& source_;
  hlo::Module& module_;
  std::unordered_map<std::string_view, Place> aliases_;
  bool are_resolved_ = false;
  std::unordered_map<std::string_view, hlo::Metadata> known_;
  std::map<std::string, int> files_, functions_;
  std::map<std::pair<Line, int>, int> frames_;
};

}  // namespace hlocc::import::stablehlo
