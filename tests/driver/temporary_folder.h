// Where tests of this room find the folder of their own.
#pragma once
#include "support/temporary_folder.h"
