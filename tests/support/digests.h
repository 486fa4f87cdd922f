// Digests: of what a room's tests make (programs, plans, modules) a line a test case in a golden
// file: how many of what, and a hash of their texts. Which tile, order or place was chosen changes
// no result; it changes the digest. HLOCC_REGENERATE=1 and a run of all tests of the room write the
// files anew; HLOCC_TEXTS=FOLDER writes the texts themselves, to be compared with those of another
// build; HLOCC_FIRST_DIFFERENCE=1 ends with a failure where the first line differs.
#pragma once
#include <string>

namespace hlocc::tests {

// Adds what the running test case made to its line in golden/NAME.txt of the test's folder. `size`
// is summed up: ops, bytes, instructions.
void add_digest(const std::string& name, size_t size, const std::string& text);
// The same to a line called otherwise: one a program where a test case makes many.
void add_digest(const std::string& name, const std::string& line, size_t size,
                const std::string& text);

// Compares all lines with the golden files, or writes these; prints those that differ. What main
// returns: 0 if none does.
int check_digests();

}  // namespace hlocc::tests
