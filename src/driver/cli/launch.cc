// The program hlocc: the command line and nothing else.
#include "hlocc/c_api.h"

int main(int argc, char** argv) { return hlocc_main(argc, argv); }
