// What somebody may have meant: the nearest of the names that there are. Every place that refuses a
// name (flags, verbs, targets, kinds of files, stages, backends, arguments) asks here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace hlocc {

// How many characters must be inserted, left out, replaced or swapped with their neighbour to make
// one word of the other; upper and lower case and '-' and '_' count as the same.
int edit_distance(std::string_view a, std::string_view b);

// The name nearest to `word`, the first of several; empty if none is near: more than one edit in
// three characters.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

// All names that are as near as that one, in their order.
std::vector<std::string> all_nearest(std::string_view word, const std::vector<std::string>& names);

// Adds the note "did you mean `NAME`?" where a name is near; `around` is written in front of it.
Diagnostic suggest(Diagnostic diagnostic, std::string_view word,
                   const std::vector<std::string>& names, std::string_view around = "");

}  // namespace hlocc
