/* The weights of this model, for GNU's assembler or Clang's: in their folder, or with
 * -Wa,-I and that folder. Instead an array of yours may be called net_weights,
 * or the linker bind it: -Wl,--defsym=net_weights=ADDRESS. */
#define HL_JOIN_(a, b) a##b
#define HL_JOIN(a, b) HL_JOIN_(a, b)
#define HL_WEIGHTS HL_JOIN(__USER_LABEL_PREFIX__, net_weights)
#if defined(__APPLE__)
  .section __TEXT,__const
#elif defined(_WIN32)
  .section .rdata$net_weights,"dr"
#elif defined(__wasm__)
  .section .rodata.net_weights,"",@
  .type HL_WEIGHTS,@object
  .size HL_WEIGHTS, 8
#else
  .section .rodata.net_weights,"a"
#endif
  .balign 64
  .globl HL_WEIGHTS
HL_WEIGHTS:
  .incbin "net_weights.bin"
#if defined(__ELF__) && defined(__linux__)
  .section .note.GNU-stack,"",%progbits
#endif
