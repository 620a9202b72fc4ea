// What a Cortex-M0 has no instruction for, and the compiler calls by name (Run-time ABI for the Arm
// architecture, 4.2 and 4.3.1). Tests/EmulatorTests/QEMU/QEMUHelperTests.swift compares them with a
// host's.
#include <stdint.h>

/// The remainder stands in the upper half, as register r1 is to have it. By 0: 0 and the dividend.
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor) {
  uint32_t quotient = 0, bit = 1;
  for (; bit != 0 && divisor < dividend && divisor >> 31 == 0; bit <<= 1) divisor <<= 1;
  for (; bit != 0; bit >>= 1, divisor >>= 1) {
    if (dividend < divisor) continue;
    dividend -= divisor;
    quotient |= bit;
  }
  return (uint64_t)dividend << 32 | quotient;
}

uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor) {
  return (uint32_t)__aeabi_uidivmod(dividend, divisor);
}

/// The lower 64 bits of the product, from halves of 16 bits.
uint64_t __aeabi_lmul(uint64_t a, uint64_t b) {
  uint32_t a0 = (uint16_t)a, a1 = (uint32_t)a >> 16, b0 = (uint16_t)b, b1 = (uint32_t)b >> 16;
  uint32_t low = a0 * b0;
  uint32_t middle = a1 * b0 + (low >> 16);
  uint32_t carried = a0 * b1 + (uint16_t)middle;
  uint32_t high = a1 * b1 + (middle >> 16) + (carried >> 16);
  high += (uint32_t)a * (uint32_t)(b >> 32) + (uint32_t)(a >> 32) * (uint32_t)b;
  return (uint64_t)high << 32 | (carried << 16 | (uint16_t)low);
}
