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

/// Takes so many instructions, an even number of them.
static inline void pass_instructions(unsigned count) {
  __asm volatile("1: subs %0, #2\n\tbne 1b" : "+l"(count)::"cc", "memory");
}

/// Ends QEMU where it was started with semihosting; a fault anywhere else.
static inline void end_simulation(void) {
  // SYS_EXIT, ADP_Stopped_ApplicationExit (Arm, Semihosting for AArch32 and AArch64, 7.1).
  __asm volatile("movs r0, #0x18\n\tldr r1, =0x20026\n\tbkpt 0xAB" ::: "r0", "r1", "memory");
}

/// Zeros, room for the state of the keychain (Devices/KeychainMemory.swift).
enum { KEYCHAIN_MEMORY_SIZE = 3656 };
void *_Nonnull keychain_memory(void);

/// Room for the mirror of a store on flash, not less than Keychain.storeSize.
enum { STORE_MIRROR_SIZE = 4608 };
void *_Nonnull store_mirror(void);

/// Zeros of what interrupts share with the main loop. A variable of Swift that is not of literals
/// alone is made at its first touch, and an interrupt in the midst of that would wait for ever.
enum { BUTTON_MEMORY_SIZE = 144, BYTE_QUEUE_COUNTS = 8 };
void *_Nonnull button_memory(void);
void *_Nonnull link_in_memory(void);
void *_Nonnull link_out_memory(void);
void *_Nonnull gps_memory(void);
void *_Nonnull grant_memory(void);

/// Where every board's vector table begins, after the end of the stack.
void reset(void);
