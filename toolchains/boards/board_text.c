/* Printing without libc: the same digits on every board, whether it has an FPU, a divider or
 * neither. */
#include "board.h"

static size_t text_size(const char* text) {
  size_t size = 0;
  while (text[size] != 0) ++size;
  return size;
}

void board_print(const char* text) { board_write(text, text_size(text)); }

/* Writes at least `digits` digits, with leading zeros: fractions need them. */
static void print_padded(uint32_t value, int digits) {
  char buffer[10];
  int used = 0;
  do {
    buffer[sizeof buffer - 1 - used++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0 || used < digits);
  board_write(buffer + sizeof buffer - used, (size_t)used);
}

void board_print_u32(uint32_t value) { print_padded(value, 1); }

void board_print_i32(int32_t value) {
  if (value < 0) board_write("-", 1);
  print_padded(value < 0 ? 0u - (uint32_t)value : (uint32_t)value, 1);
}

void board_print_hex32(uint32_t value) {
  char buffer[8];
  for (int i = 0; i < 8; ++i) buffer[i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15];
  board_write(buffer, sizeof buffer);
}

void board_print_float(float value, int decimals) {
  union {
    float number;
    uint32_t bits;
  } shape;
  shape.number = value;
  if (shape.bits >> 31) board_write("-", 1);
  shape.bits &= 0x7fffffffu;
  if (shape.bits > 0x7f800000u) {
    board_print("nan");
    return;
  }
  if (shape.number >= 4e9f) {
    board_print(shape.bits == 0x7f800000u ? "inf" : "big");
    return;
  }
  uint32_t whole = (uint32_t)shape.number;
  uint32_t scale = 1;
  for (int i = 0; i < decimals && i < 9; ++i) scale *= 10;
  uint32_t fraction = (uint32_t)((shape.number - (float)whole) * (float)scale + 0.5f);
  if (fraction >= scale) {
    fraction -= scale;
    ++whole;
  }
  board_print_u32(whole);
  if (decimals <= 0) return;
  board_write(".", 1);
  print_padded(fraction, decimals > 9 ? 9 : decimals);
}
