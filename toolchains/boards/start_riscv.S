/* Start-up of a RISC-V core in machine mode, 32 or 64 bits, with or without F, D and V: pointers
   set, floating point and vectors on, bss cleared, main called. QEMU loads initialised data in
   place, so nothing is copied. */

/* Zicsr by option, not by -march: GCC 12's multilib matcher does not know rv32imac_zicsr and
   links the wrong libgcc. */
  .option arch, +zicsr

#if __riscv_xlen == 64
#define STORE sd
#define WORD 8
#else
#define STORE sw
#define WORD 4
#endif

  .section .vectors, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  la t0, trap
  csrw mtvec, t0
#ifdef __riscv_flen
  /* mstatus.FS and VS: dirty. */
  li t0, 0x6600
  csrs mstatus, t0
#endif
  la t0, __bss_start
  la t1, __bss_end
1:
  bgeu t0, t1, 2f
  STORE zero, 0(t0)
  addi t0, t0, WORD
  j 1b
2:
  call board_run_main

  .balign 4
trap:
  csrr a0, mcause
  call board_fault

/* intptr_t board_semihost(intptr_t operation, const void *argument): the three instructions must
   be uncompressed and lie in one page, which the alignment gives. */
  .text
  .globl board_semihost
  .type board_semihost, @function
  .balign 16
board_semihost:
  .option push
  .option norvc
  slli x0, x0, 0x1f
  ebreak
  srai x0, x0, 7
  .option pop
  ret
  .size board_semihost, .-board_semihost
