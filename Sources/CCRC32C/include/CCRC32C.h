#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has an instruction for CRC-32C: SSE4.2 on x86-64, CRC32 on ARMv8.
bool ccrc32c_is_available(void);

/// Carries a CRC-32C on over `count` bytes, without the initial value and the final XOR. Only where
/// `ccrc32c_is_available()`.
uint32_t ccrc32c_update(uint32_t crc, const void *bytes, size_t count);
