/* See fake_vulkan.h: what is recorded is run when it is submitted. */
#include "fake_objects.h"

typedef struct fake_command {
  hlocc_vk_handle from, to; /* buffers of a copy; `to` is the arena of a launch */
  hlocc_vk_buffer_copy copy;
  uint64_t adds; /* what a launch adds; 0: a copy */
  uint32_t at;
} fake_command;

/* A command buffer: its commands, and what is bound while it records. */
typedef struct fake_buffer {
  int records, ended;
  uint64_t word;
  uint32_t pushed, count;
  hlocc_vk_handle arena;
  fake_command commands[16];
} fake_buffer;

static fake_buffer buffers[16];
static uint32_t buffer_count;
static hlocc_vk_handle arenas[16]; /* by set */
static uint32_t set_count;

void fake_forget_commands(void) {
  memset(buffers, 0, sizeof buffers);
  buffer_count = set_count = 0;
}

/* ---- sets and pools ---- */

int32_t fake_AllocateDescriptorSets(hlocc_vk_object device, const hlocc_vk_set_allocate_info* info,
                                    hlocc_vk_handle* made) {
  is_device(device);
  fake_get("pool", info->pool);
  fake_get("set layout", info->layouts[0]);
  expect(info->count == 1 && set_count < 16, "one set");
  *made = ++set_count;
  return fake_called("AllocateDescriptorSets");
}

void fake_UpdateDescriptorSets(hlocc_vk_object device, uint32_t count,
                               const hlocc_vk_write_set* write, uint32_t copies, const void* none) {
  uint32_t i;
  is_device(device);
  expect(count == 1 && copies == 0 && none == NULL && write->count == HLOCC_TABLE_MEMORIES, "set");
  for (i = 0; i < write->count; ++i) {
    expect(fake_get("buffer", write->buffers[i].buffer)->bound != 0, "a buffer with memory");
    expect(write->buffers[i].range == ~(uint64_t)0, "all of it");
  }
  arenas[write->set % 16] = write->buffers[0].buffer;
}

int32_t fake_CreateCommandPool(hlocc_vk_object device,
                               const hlocc_vk_command_pool_create_info* info, const void* none,
                               hlocc_vk_handle* made) {
  is_device(device);
  expect(none == NULL && info->family == fake.family, "the queue's family");
  return fake_make("CreateCommandPool", "command pool", made);
}

int32_t fake_AllocateCommandBuffers(hlocc_vk_object device,
                                    const hlocc_vk_command_allocate_info* info,
                                    hlocc_vk_object* made) {
  uint32_t i;
  is_device(device);
  fake_get("command pool", info->pool);
  expect(info->count > 0 && buffer_count + info->count <= 16, "command buffers");
  for (i = 0; i < info->count; ++i) made[i] = object_of(kFakeCommands + buffer_count++);
  return fake_called("AllocateCommandBuffers");
}

/* ---- recording ---- */

static fake_buffer* buffer_of(hlocc_vk_object commands) {
  const uint64_t number = number_of(commands) - kFakeCommands;
  expect(number < buffer_count, "a command buffer");
  return &buffers[number < buffer_count ? number : 0];
}

static fake_buffer* recording(hlocc_vk_object commands) {
  fake_buffer* to = buffer_of(commands);
  expect(to->records && to->count < 16, "recording");
  return to;
}

int32_t fake_BeginCommandBuffer(hlocc_vk_object commands, const hlocc_vk_begin_info* info) {
  fake_buffer* to = buffer_of(commands);
  expect(info->type == HLOCC_VK_COMMAND_BUFFER_BEGIN_INFO && !to->ended, "begin");
  memset(to, 0, sizeof *to);
  to->records = 1;
  fake_log("begin\n");
  return fake_called("BeginCommandBuffer");
}

int32_t fake_EndCommandBuffer(hlocc_vk_object commands) {
  fake_buffer* to = recording(commands);
  to->records = 0;
  to->ended = 1;
  fake_log("end\n");
  return fake_called("EndCommandBuffer");
}

void fake_CmdBindPipeline(hlocc_vk_object commands, uint32_t point, hlocc_vk_handle pipeline) {
  expect(point == HLOCC_VK_BIND_COMPUTE, "compute");
  recording(commands)->word = fake_get("pipeline", pipeline)->number;
}

void fake_CmdBindDescriptorSets(hlocc_vk_object commands, uint32_t point, hlocc_vk_handle layout,
                                uint32_t first, uint32_t count, const hlocc_vk_handle* sets,
                                uint32_t offsets, const uint32_t* none) {
  fake_get("layout", layout);
  expect(point == HLOCC_VK_BIND_COMPUTE && first == 0 && count == 1 && offsets == 0, "the set");
  expect(none == NULL, "no offsets");
  recording(commands)->arena = arenas[sets[0] % 16];
}

void fake_CmdPushConstants(hlocc_vk_object commands, hlocc_vk_handle layout, uint32_t stages,
                           uint32_t offset, uint32_t bytes, const void* from) {
  fake_get("layout", layout);
  expect(stages == HLOCC_VK_STAGE_COMPUTE && offset == 0, "pushed words");
  expect(bytes > 0 && bytes <= fake.push_bytes, "as many as there may be");
  memcpy(&recording(commands)->pushed, from, 4);
  fake_log("push %u\n", bytes);
}

void fake_CmdDispatch(hlocc_vk_object commands, uint32_t x, uint32_t y, uint32_t z) {
  fake_buffer* to = recording(commands);
  fake_command* one = &to->commands[to->count++];
  expect(to->word != 0 && to->arena != 0 && y == 1 && z == 1, "dispatch");
  one->adds = to->word * x;
  one->to = to->arena;
  one->at = to->pushed;
  fake_log("launch %u of shader %u\n", x, (unsigned)to->word);
}

void fake_CmdCopyBuffer(hlocc_vk_object commands, hlocc_vk_handle from, hlocc_vk_handle to,
                        uint32_t count, const hlocc_vk_buffer_copy* copy) {
  fake_buffer* into = recording(commands);
  fake_command* one = &into->commands[into->count++];
  expect(count == 1, "one copy");
  one->from = from;
  one->to = to;
  one->copy = *copy;
  fake_log("copy %u\n", (unsigned)copy->size);
}

void fake_CmdPipelineBarrier(hlocc_vk_object commands, uint32_t from, uint32_t to, uint32_t flags,
                             uint32_t count, const hlocc_vk_barrier* barrier, uint32_t buffers_of,
                             const void* none, uint32_t images, const void* no) {
  (void)recording(commands);
  expect(flags == 0 && count == 1 && buffers_of + images == 0 && none == no, "barrier");
  fake_log("wait %x %x to %x %x\n", from, barrier->from, to, barrier->to);
}

/* ---- running ---- */

static unsigned char* bytes_of(hlocc_vk_handle buffer, uint64_t at, uint64_t bytes) {
  const fake_object* one = fake_get("buffer", buffer);
  expect(at + bytes <= one->number, "within the buffer");
  return fake_get("memory", one->bound)->bytes + at;
}

int32_t fake_QueueSubmit(hlocc_vk_object queue, uint32_t count, const hlocc_vk_submit_info* info,
                         hlocc_vk_handle fence) {
  const fake_buffer* one = buffer_of(info->commands[0]);
  uint32_t i;
  expect(number_of(queue) == kFakeQueue && count == 1 && info->command_count == 1, "one buffer");
  expect(one->ended && fake_get("fence", fence)->number == 0, "what was recorded");
  ++fake.submissions;
  for (i = 0; i < one->count; ++i) {
    const fake_command* c = &one->commands[i];
    if (c->adds != 0)
      *bytes_of(c->to, c->at, 1) = (unsigned char)(*bytes_of(c->to, c->at, 1) + c->adds);
    else
      memcpy(bytes_of(c->to, c->copy.to, c->copy.size),
             bytes_of(c->from, c->copy.from, c->copy.size), (size_t)c->copy.size);
  }
  fake_get("fence", fence)->number = 1;
  return fake_called("QueueSubmit");
}

int32_t fake_ResetFences(hlocc_vk_object device, uint32_t count, const hlocc_vk_handle* fences) {
  is_device(device);
  expect(count == 1, "one fence");
  fake_get("fence", fences[0])->number = 0;
  return fake_called("ResetFences");
}

int32_t fake_WaitForFences(hlocc_vk_object device, uint32_t count, const hlocc_vk_handle* fences,
                           uint32_t all, uint64_t limit) {
  is_device(device);
  expect(count == 1 && all == 1 && limit == ~(uint64_t)0, "as long as it takes");
  expect(fake_get("fence", fences[0])->number == 1, "what was submitted");
  return fake_called("WaitForFences");
}
