#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

/// Whether this processor has an instruction for CRC-32C: SSE4.2 on x86-64, CRC32 on ARMv8.
static inline bool ccrc32c_is_available(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__) && defined(__linux__)
  // HWCAP_CRC32 of <asm/hwcap.h>.
  return getauxval(AT_HWCAP) & (1u << 7);
#else
  return false;
#endif
}

/// Carries a CRC-32C on over `count` bytes, without the initial value and the final XOR. Only where
/// `ccrc32c_is_available()`.
uint32_t ccrc32c_update(uint32_t crc, const void *bytes, size_t count);
