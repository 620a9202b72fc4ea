#include <stdint.h>

#include "CortexM.h"

extern uint32_t stack_end[];
extern void linkInterrupt(void), tick(void), faulted(void);
/// Of the lockstep variant alone.
__attribute__((weak)) void grantInterrupt(void);

// The core's 16, then the interrupts by number: that of a peripheral at 400NN000 is NN. A Cortex-M0
// has HardFault alone, and does not use 4 to 6.
__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 32])(void) = {
    [0] = (void (*)(void))stack_end,
    [1] = reset,
    [2] = faulted,
    [3] = faulted,
    [4] = faulted,
    [5] = faulted,
    [6] = faulted,
    [16 + 2] = linkInterrupt,
    [16 + 9] = tick,
    [16 + 20] = grantInterrupt,
};

// Behind the vectors, at C0: of which board this image is, and which variant of firmware.sh.
// `fob flash` refuses all others.
__attribute__((section(".vectors"), used)) static const char image[] = "fob board " BOARD_NAME;
