// What a Cortex-M0 has no instruction for, and the compiler calls by name. Its code is only counted
// (scripts/count-board.sh), so nothing here is fast.
#include <stdint.h>

/// The remainder stands in the upper half, as register r1 is to have it.
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor) {
  uint32_t quotient = 0, rest = 0;
  for (int bit = 31; bit >= 0; bit--) {
    rest = rest << 1 | (dividend >> bit & 1);
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1u << bit;
    }
  }
  return (uint64_t)rest << 32 | quotient;
}

uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor) {
  return (uint32_t)__aeabi_uidivmod(dividend, divisor);
}

uint64_t __aeabi_lmul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (; b != 0; a += a, b >>= 1)
    if (b & 1) product += a;
  return product;
}

/// Nothing interrupts what is counted. The name is a builtin's, which C cannot define.
uint32_t compare_and_swap(volatile uint32_t *place, uint32_t old, uint32_t new)
    __asm__("__sync_val_compare_and_swap_4");

uint32_t compare_and_swap(volatile uint32_t *place, uint32_t old, uint32_t new) {
  uint32_t was = *place;
  if (was == old) *place = new;
  return was;
}
