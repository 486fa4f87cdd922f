// The one translation unit that carries Catch2's main: compiled once, linked into every test
// program.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
