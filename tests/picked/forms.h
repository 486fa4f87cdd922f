// Forms that a value of a program's text may be given: `x => negate` puts a negate between the
// value x and all who read it. What becomes of the program then is up to the passes; that it is one
// is up to the verifier. Beside those of one op:
//
//     add 2         with a number, which is spread
//     add self      with itself
//     as s8         converted there and back
//     iota, splat 2, parameter   instead of the value
//     transposed, flat, shifted, cut, doubled, selected, updated, summed, normal, windowed ...
//     result        the program has it as one more result
//     root          the program has it as its only one
#pragma once
#include <string>
#include <vector>

namespace hlocc::tests {

// Empty if there is no such value or it can't be given that form.
std::string with_form(const std::string& text, const std::string& value, const std::string& form);
std::vector<std::string> form_names();
// Names of all values of a text.
std::vector<std::string> values_of(const std::string& text);

}  // namespace hlocc::tests
