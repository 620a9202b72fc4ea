// From reset to Swift: memory as the C language wants it, and what the compiler calls by name.
// Nothing here allocates, and no allocator is defined: a link that needs one fails.
#include <stddef.h>
#include <stdint.h>

#include "CortexM.h"

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_start[],
    stack_end[];

extern void runKeychain(void);

#define ZEROS(name, size)               \
  void *name(void) {                    \
    static uint64_t memory[(size) / 8]; \
    return memory;                      \
  }

ZEROS(keychain_memory, KEYCHAIN_MEMORY_SIZE)
ZEROS(store_mirror, STORE_MIRROR_SIZE)
ZEROS(button_memory, BUTTON_MEMORY_SIZE)
ZEROS(link_in_memory, 256 + BYTE_QUEUE_COUNTS)
ZEROS(link_out_memory, 64 + BYTE_QUEUE_COUNTS)
ZEROS(gps_memory, 64 + BYTE_QUEUE_COUNTS)
ZEROS(grant_memory, 32 + BYTE_QUEUE_COUNTS)

/// What the stack holds where it was never used.
enum { UNUSED = 0xA5A5A5A5 };

void reset(void) {
  for (volatile uint32_t *to = stack_start; to < (uint32_t *)__builtin_frame_address(0) - 16;)
    *to++ = UNUSED;
  for (volatile uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  for (volatile uint32_t *to = bss_start; to < bss_end;) *to++ = 0;
  runKeychain();
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0)
    for (; count >= 4; count -= 4, t += 4, f += 4) *(uint32_t *)t = *(const uint32_t *)f;
  while (count-- > 0) *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if (to <= from) return memcpy(to, from, count);
  uint8_t *t = (uint8_t *)to + count;
  const uint8_t *f = (const uint8_t *)from + count;
  while (count-- > 0) *--t = *--f;
  return to;
}

void *memset(void *to, int value, size_t count) {
  uint8_t *t = to;
  uint32_t word = (uint8_t)value * 0x01010101u;
  if (((uintptr_t)t & 3) == 0)
    for (; count >= 4; count -= 4, t += 4) *(uint32_t *)t = word;
  while (count-- > 0) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  const uint8_t *x = a, *y = b;
  for (; count > 0; count--, x++, y++)
    if (*x != *y) return *x - *y;
  return 0;
}

// Run-time ABI for the Arm architecture, 4.3.4: the order of the arguments of memset differs.
__attribute__((alias("memcpy"))) void __aeabi_memcpy(void *, const void *, size_t);
__attribute__((alias("memcpy"))) void __aeabi_memcpy4(void *, const void *, size_t);
__attribute__((alias("memcpy"))) void __aeabi_memcpy8(void *, const void *, size_t);
__attribute__((alias("memmove"))) void __aeabi_memmove(void *, const void *, size_t);
__attribute__((alias("memmove"))) void __aeabi_memmove4(void *, const void *, size_t);
__attribute__((alias("memmove"))) void __aeabi_memmove8(void *, const void *, size_t);
void __aeabi_memset(void *to, size_t count, int value) { memset(to, value, count); }
__attribute__((alias("__aeabi_memset"))) void __aeabi_memset4(void *, size_t, int);
__attribute__((alias("__aeabi_memset"))) void __aeabi_memset8(void *, size_t, int);
void __aeabi_memclr(void *to, size_t count) { memset(to, 0, count); }
__attribute__((alias("__aeabi_memclr"))) void __aeabi_memclr4(void *, size_t);
__attribute__((alias("__aeabi_memclr"))) void __aeabi_memclr8(void *, size_t);

/// 64 bits to the left, the same document, 4.2.
uint64_t __aeabi_llsl(uint64_t value, int by) {
  uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
  if (by >= 32) return (uint64_t)(low << (by - 32)) << 32;
  if (by > 0) high = high << by | low >> (32 - by);
  return (uint64_t)high << 32 | low << by;
}

/// And to the right.
uint64_t __aeabi_llsr(uint64_t value, int by) {
  uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
  if (by >= 32) return high >> (by - 32);
  if (by > 0) low = low >> by | high << (32 - by);
  return (uint64_t)(by > 0 ? high >> by : high) << 32 | low;
}
