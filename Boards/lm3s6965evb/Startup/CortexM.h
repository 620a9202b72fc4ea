// What Swift has no word for: single instructions. Each is a barrier to the compiler.
#pragma once

static inline void disable_interrupts(void) { __asm volatile("cpsid i" ::: "memory"); }
static inline void enable_interrupts(void) { __asm volatile("cpsie i" ::: "memory"); }

/// Sleeps until an interrupt is pending, masked or not.
static inline void wait_for_interrupt(void) { __asm volatile("dsb\n\twfi" ::: "memory"); }

/// 1 where interrupts are disabled.
static inline unsigned interrupt_mask(void) {
  unsigned mask;
  __asm volatile("mrs %0, primask" : "=r"(mask)::"memory");
  return mask;
}

/// Zeros, room for the state of the keychain (Devices/KeychainMemory.swift).
enum { KEYCHAIN_MEMORY_SIZE = 3480 };
void *_Nonnull keychain_memory(void);
