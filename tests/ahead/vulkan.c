/* A model whose part runs on a Vulkan device: init opens it; two instances run, one twice; after
 * close nothing runs, and after another init all is as before. A device that is lost is opened anew.
 * Prints the results' bytes, or the error, a line a run. Without a device it says so.
 *   vulkan [FILE for what the driver makes of the shaders] */
#include <stdio.h>
#include <string.h>

#include "hlocc_vulkan.h"
#include "input.h"
#include "net.h"

HLOCC_VULKAN_DRIVER()

static uint8_t arenas[2][(NET_ARENA_BYTES + NET_ARENA_ALIGN - 1) / NET_ARENA_ALIGN *
                         NET_ARENA_ALIGN] __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t nets[2];

static int failed(const char* what, int code) {
  printf("%s %d %s\n", what, code, net_error_msg(code));
  return code;
}

static int run_once(int which) {
  net_t* net = &nets[which];
  int code;
  size_t i;
  memcpy(net_arg0_data(net), input, sizeof input);
  code = net_run(net);
  if (code != 0) return failed("run", code);
  for (i = 0; i < NET_RESULT0_COUNT * sizeof *net_result0_data(net); ++i)
    printf("%02x", ((const unsigned char*)net_result0_data(net))[i]);
  printf("\n");
  return 0;
}

static int init(int which) {
  const int code = net_init(&nets[which], arenas[which]);
  return code == 0 ? 0 : failed("init", code);
}

int main(int count, char** words) {
  static const int order[] = {0, 1, 0};
  int code, i;
  if (count > 1) hlocc_vulkan_cache(words[1]);
  code = init(0);
  if (code != 0) return code == HLOCC_VULKAN_NO_DRIVER || code == HLOCC_VULKAN_NO_DEVICE ? 4 : 1;
  if (init(1) != 0) return 1;
  for (i = 0; i < 3; ++i) {
    code = run_once(order[i]);
    if (code == HLOCC_VULKAN_LOST && (init(order[i]) != 0 || run_once(order[i]) != 0)) return 1;
    if (code != 0 && code != HLOCC_VULKAN_LOST) return 1;
  }
  net_close(&nets[0]);
  if (run_once(0) != HLOCC_VULKAN_CLOSED || run_once(1) != 0) return 1;
  if (init(0) != 0 || run_once(0) != 0) return 1;
  net_close(&nets[0]);
  net_close(&nets[1]);
  return 0;
}
