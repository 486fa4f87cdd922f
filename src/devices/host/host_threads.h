// hlocc_parallel_for of this process: what code that was compiled with threads calls when it runs
// here.
#pragma once

namespace hlocc::device {

// void (int32_t count, void (*body)(void *context, int32_t range), void *context).
void* parallel_for_here();

}  // namespace hlocc::device
