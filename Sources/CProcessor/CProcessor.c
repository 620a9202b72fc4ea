#include "CProcessor.h"

#include <string.h>

#if defined(__x86_64__)
#define WITH_CRC
#elif defined(__aarch64__)
#define WITH_CRC

#if defined(__linux__)
#include <sys/auxv.h>

bool processor_crc32c_known;

__attribute__((constructor)) static void ask_the_processor(void) {
  // HWCAP_CRC32 of <asm/hwcap.h>.
  processor_crc32c_known = getauxval(AT_HWCAP) & (1u << 7);
}
#else
bool processor_crc32c_known = false;
#endif

#endif

#ifdef WITH_CRC

// The CRC of a few bytes in a word, 0 to 7: they move to its end, since zeros ahead of what is
// counted leave a CRC of 0 as it is. No branch depends on how many they are: it would be guessed
// wrongly as often as not.
static uint32_t finish(uint32_t crc, uint64_t word, unsigned count) {
  unsigned bits = 8 * count;
  uint32_t rest = (uint32_t)((uint64_t)crc >> bits);
  return rest ^ processor_crc32c_word(0, (word ^ crc) << (63 - bits) << 1);
}

uint32_t processor_crc32c(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *at = bytes;
  uint64_t word = 0;
  size_t left = count;
  for (; left >= 8; at += 8, left -= 8) {
    memcpy(&word, at, 8);
    crc = processor_crc32c_word(crc, word);
  }
  if (count >= 8) {
    // The last eight bytes, of which the first are counted already.
    memcpy(&word, at + left - 8, 8);
    word = word >> (63 - 8 * left) >> 1;
  } else {
    for (size_t i = 0; i < left; i++) word |= (uint64_t)at[i] << 8 * i;
  }
  return finish(crc, word, (unsigned)left);
}

#else

uint32_t processor_crc32c(uint32_t crc, const void *bytes, size_t count) {
  (void)bytes, (void)count;
  return crc;
}

#endif
