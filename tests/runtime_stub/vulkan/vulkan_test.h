/* vulkan_test.h: launch tables for the tests of runtime_stub/gpu, and what each file of them tests. */
#ifndef HLOCC_TESTS_VULKAN_TEST_H_
#define HLOCC_TESTS_VULKAN_TEST_H_

#include "fake_vulkan.h"

typedef struct test_table {
  uint32_t words[160];
  uint32_t count;
} test_table;

/* Puts words behind the table's end; gives their place. */
uint32_t table_put(test_table* t, const uint32_t* words, uint32_t count);
/* A table of an arena of 100 bytes, a state of none and constants of 64, two shaders of one word (5,
 * which is pushed one word, and 7), an argument of 4 bytes at 4, a result of 4 at 8, and a piece
 * that puts 1, 2, 3, 4 to the constants' byte 4. Its steps have to follow. */
void table_begin(test_table* t);
/* Its last words: steps with `segments` runs of commands. */
void table_steps(test_table* t, const uint32_t* steps, uint32_t count, uint32_t segments);
/* One that adds 15 to the first byte of the result, after 3 bytes of the argument were copied there. */
void table_simple(test_table* t);

void check_devices(void);
void check_programs(void);
void check_steps_of_programs(void);
void check_models(void);
void check_caches(void);

#endif /* HLOCC_TESTS_VULKAN_TEST_H_ */
