#include "CCRC32C.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>

#define WITH_CRC __attribute__((target("sse4.2")))
#define CRC8(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define CRC4(crc, word) _mm_crc32_u32((crc), (word))
#define CRC2(crc, word) _mm_crc32_u16((crc), (word))
#define CRC1(crc, byte) _mm_crc32_u8((crc), (byte))

#elif defined(__aarch64__)
// As builtins: arm_acle.h declares these only where the whole file is compiled for CRC32.
#define WITH_CRC __attribute__((target("crc")))
#define CRC8(crc, word) __builtin_arm_crc32cd((crc), (word))
#define CRC4(crc, word) __builtin_arm_crc32cw((crc), (word))
#define CRC2(crc, word) __builtin_arm_crc32ch((crc), (word))
#define CRC1(crc, byte) __builtin_arm_crc32cb((crc), (byte))

#endif

#ifdef WITH_CRC

WITH_CRC uint32_t ccrc32c_update(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *at = bytes;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    crc = CRC8(crc, word);
  }
  if (count & 4) {
    uint32_t word;
    memcpy(&word, at, 4);
    crc = CRC4(crc, word);
    at += 4;
  }
  if (count & 2) {
    uint16_t word;
    memcpy(&word, at, 2);
    crc = CRC2(crc, word);
    at += 2;
  }
  return count & 1 ? CRC1(crc, *at) : crc;
}

#else

uint32_t ccrc32c_update(uint32_t crc, const void *bytes, size_t count) {
  (void)bytes, (void)count;
  return crc;
}

#endif
