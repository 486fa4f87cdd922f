/* A model whose part runs on a Vulkan device: opens it, runs twice, closes and opens it anew, runs
 * again; prints the results' bytes, a line a run. Without a device it says so. */
#include <stdio.h>
#include <string.h>

#include "hlocc_device.h"
#include "hlocc_vulkan.h"
#include "input.h"
#include "net.h"

extern const uint32_t net_part_0[];
static hlocc_vulkan_part parts[] = {{.name = "net_part_0", .table = net_part_0}};
HLOCC_VULKAN_DRIVER(parts, 1, NET_DEVICE_BYTES)

static uint8_t arena[NET_ARENA_BYTES] __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t net;

static int run_once(void) {
  int code;
  size_t i;
  memcpy(net_arg0_data(&net), input, sizeof input);
  code = net_run(&net);
  if (code != 0) {
    printf("run %d %s\n", code, hlocc_vk_error_name(code));
    return code;
  }
  for (i = 0; i < NET_RESULT0_COUNT * sizeof *net_result0_data(&net); ++i)
    printf("%02x", ((const unsigned char*)net_result0_data(&net))[i]);
  printf("\n");
  return 0;
}

int main(int count, char** words) {
  const int32_t error = hlocc_vulkan_open(count > 1 ? words[1] : NULL);
  if (error != 0) {
    printf("open %d %s\n", (int)error, hlocc_vk_error_name(error));
    return error == HLOCC_VULKAN_NO_DRIVER || error == HLOCC_VULKAN_NO_DEVICE ? 4 : 1;
  }
  if (net_init(&net, arena) != 0 || run_once() != 0 || run_once() != 0) return 1;
  hlocc_vulkan_close();
  /* The first run after that opens it. */
  if (run_once() != 0) return 1;
  hlocc_vulkan_close();
  return 0;
}
