#include <stdint.h>

#include "CortexM.h"

extern uint32_t stack_end[];
extern void tick(void), linkInterrupt(void), gpsInterrupt(void), watchdogInterrupt(void),
    buttonInterrupt(void), faulted(void);
/// Of the lockstep variant alone.
__attribute__((weak)) void grantInterrupt(void);

// LM3S6965 data sheet, table 2-9: 16 of the core, then the interrupts by number.
__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 34])(void) = {
    [0] = (void (*)(void))stack_end,
    [1] = reset,
    [2] = faulted,
    [3] = faulted,
    [4] = faulted,
    [5] = faulted,
    [6] = faulted,
    [15] = tick,
    [16 + 5] = linkInterrupt,
    [16 + 6] = gpsInterrupt,
    [16 + 18] = watchdogInterrupt,
    [16 + 30] = buttonInterrupt,
    [16 + 33] = grantInterrupt,
};
