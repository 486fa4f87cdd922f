/* hlocc_launch_table.h: a model as a GPU runs it: shaders, what they are launched on and in which
 * order, what the host decides between, and the bytes that lie in the device's memories before the
 * first run. `hlocc compile --backend vulkan` writes it as words of 32 bits in the target's byte
 * order; hlocc_vulkan.h runs it. All places are words counted from the table's begin, or bytes
 * counted from the begin of a memory.
 *
 * Three memories: 0 is the arena, 1 the state, which keeps its bytes from run to run, 2 the
 * constants. Shaders see them at the bindings 0, 1 and 2 of descriptor set 0.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_LAUNCH_TABLE_H_
#define HLOCC_LAUNCH_TABLE_H_

#define HLOCC_TABLE_MAGIC 0x4c4b5648u /* "HVKL" */
#define HLOCC_TABLE_VERSION 1u
#define HLOCC_TABLE_MEMORIES 3u

/* The words that a table begins with. */
enum hlocc_table_head {
  HLOCC_TABLE_HEAD_MAGIC,
  HLOCC_TABLE_HEAD_VERSION,
  HLOCC_TABLE_HEAD_WORDS, /* of the whole table */
  HLOCC_TABLE_HEAD_NEEDS, /* bits of hlocc_table_needs */
  HLOCC_TABLE_HEAD_BYTES, /* three words: of the arena, the state and the constants */
  HLOCC_TABLE_HEAD_SHADERS = HLOCC_TABLE_HEAD_BYTES + 3, /* how many, and their place */
  HLOCC_TABLE_HEAD_SHADERS_AT,
  HLOCC_TABLE_HEAD_STEPS, /* words, and their place */
  HLOCC_TABLE_HEAD_STEPS_AT,
  HLOCC_TABLE_HEAD_SEGMENTS, /* how many runs of commands the steps have */
  HLOCC_TABLE_HEAD_PIECES,   /* initial bytes: how many pieces, and their place */
  HLOCC_TABLE_HEAD_PIECES_AT,
  HLOCC_TABLE_HEAD_ARGUMENTS, /* how many leaves, and their place */
  HLOCC_TABLE_HEAD_ARGUMENTS_AT,
  HLOCC_TABLE_HEAD_RESULTS,
  HLOCC_TABLE_HEAD_RESULTS_AT,
  HLOCC_TABLE_HEAD_SIZE
};

/* What a device must offer. */
enum hlocc_table_needs {
  HLOCC_TABLE_NEEDS_F64 = 1,
  HLOCC_TABLE_NEEDS_I64 = 2,
  HLOCC_TABLE_NEEDS_STORAGE8 = 4,
  HLOCC_TABLE_NEEDS_STORAGE16 = 8,
  HLOCC_TABLE_NEEDS_CONTROLS = 16 /* VK_KHR_shader_float_controls */
};

/* A shader: its place and its words, and how many words a launch pushes. */
enum hlocc_table_shader {
  HLOCC_TABLE_SHADER_AT,
  HLOCC_TABLE_SHADER_WORDS,
  HLOCC_TABLE_SHADER_PUSHED,
  HLOCC_TABLE_SHADER_SIZE
};

/* Bytes of a memory that are there before the first run: the memory, its offset, how many, and
 * their place in the table. */
enum hlocc_table_piece {
  HLOCC_TABLE_PIECE_MEMORY,
  HLOCC_TABLE_PIECE_OFFSET,
  HLOCC_TABLE_PIECE_BYTES,
  HLOCC_TABLE_PIECE_AT,
  HLOCC_TABLE_PIECE_SIZE
};

/* An argument or a result: where it lies. */
enum hlocc_table_leaf {
  HLOCC_TABLE_LEAF_MEMORY,
  HLOCC_TABLE_LEAF_OFFSET,
  HLOCC_TABLE_LEAF_BYTES,
  HLOCC_TABLE_LEAF_SIZE
};

/* Steps. Each begins with one of these words. Places are places in the table. */
enum hlocc_table_step {
  HLOCC_STEP_END,     /* of the run */
  HLOCC_STEP_SEGMENT, /* number, times, words of its commands, commands: submitted so many times */
  HLOCC_STEP_JUMP,    /* place */
  HLOCC_STEP_UNLESS,  /* memory, offset, place: jumps if the byte is 0 */
  /* memory, offset, bytes (1: a pred, of which 1 is branch 0; 4: an s32), branches, a place each:
   * what is out of range is the last */
  HLOCC_STEP_CHOOSE
};

/* Commands of a segment. `waits`: for all commands before, if 1. */
enum hlocc_table_command {
  HLOCC_COMMAND_LAUNCH, /* waits, shader, groups, words that are pushed, these words */
  HLOCC_COMMAND_COPY    /* waits, to memory, to offset, from memory, from offset, bytes */
};

#endif /* HLOCC_LAUNCH_TABLE_H_ */
