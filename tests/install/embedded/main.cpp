// Compiles HLO text for a Cortex-M4F and says how many files came of it.
#include <cstdio>
#include <cstring>

#include "hlocc/compile.h"

int main() {
  const char* text =
      "HloModule twice\nENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] add(x, x) }\n";
  hlocc::api::Request request;
  request.model.resize(std::strlen(text));
  std::memcpy(request.model.data(), text, request.model.size());
  request.target = "cortex-m4f";
  const auto answer = hlocc::api::compile(request);
  if (const auto* failure = std::get_if<hlocc::api::Failure>(&answer))
    return std::fprintf(stderr, "%s\n", failure->message.c_str()), 1;
  std::printf("%zu files\n", std::get<0>(answer).size());
}
