// What a host's processor does by an instruction that Swift has no word for.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/// Whether this processor has an instruction for CRC-32C: SSE4.2 on x86-64, CRC32 on ARMv8. It was
/// asked once, before the program began.
static inline bool processor_has_crc32c(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__)
  extern bool processor_crc32c_known;
  return processor_crc32c_known;
#else
  return false;
#endif
}

/// Carries a CRC-32C on over `count` bytes, without the initial value and the final XOR. Only where
/// `processor_has_crc32c()`.
uint32_t processor_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same over eight bytes in a register, the first lowest. As assembly, since then it becomes a
/// part of its caller, which is compiled for processors without the instruction, too. Only where
/// `processor_has_crc32c()`.
static inline uint32_t processor_crc32c_word(uint32_t crc, uint64_t word) {
#if defined(__x86_64__)
  uint64_t carried = crc;
  __asm__("crc32q %1, %0" : "+r"(carried) : "r"(word));
  return (uint32_t)carried;
#elif defined(__aarch64__)
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  return crc;
#else
  (void)word;
  return crc;
#endif
}

#if defined(__aarch64__)
/// Of 16 bytes that are 00 or FF, one bit each.
static inline uint32_t processor_bits(uint8x16_t found) {
  static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t single = vandq_u8(found, vld1q_u8(bits));
  return vaddv_u8(vget_low_u8(single)) | (uint32_t)vaddv_u8(vget_high_u8(single)) << 8;
}
#endif

/// Which of the 16 bytes at `bytes` equal `byte`: bit n of the result says it of byte n.
static inline uint32_t processor_equal16(const void *bytes, uint8_t byte) {
#if defined(__x86_64__)
  __m128i found = _mm_cmpeq_epi8(_mm_loadu_si128(bytes), _mm_set1_epi8((char)byte));
  return (uint32_t)_mm_movemask_epi8(found);
#elif defined(__aarch64__)
  return processor_bits(vceqq_u8(vld1q_u8(bytes), vdupq_n_u8(byte)));
#else
  uint32_t equal = 0;
  for (int n = 0; n < 16; n++) equal |= (uint32_t)(((const uint8_t *)bytes)[n] == byte) << n;
  return equal;
#endif
}

/// Which of the 16 bytes at `bytes` are less than `limit`, all taken as signed.
static inline uint32_t processor_less16(const void *bytes, int8_t limit) {
#if defined(__x86_64__)
  __m128i found = _mm_cmplt_epi8(_mm_loadu_si128(bytes), _mm_set1_epi8(limit));
  return (uint32_t)_mm_movemask_epi8(found);
#elif defined(__aarch64__)
  return processor_bits(vcltq_s8(vld1q_s8(bytes), vdupq_n_s8(limit)));
#else
  uint32_t less = 0;
  for (int n = 0; n < 16; n++) less |= (uint32_t)(((const int8_t *)bytes)[n] < limit) << n;
  return less;
#endif
}
