/* Tells a press from bounce: PROTOCOL.md, section 9.1.
 *
 * Time closed counts up, time open counts down; pressed when the count reaches the debounce time,
 * released when it is back at 0. Pressed already when closed for three quarters of the time without
 * a break: then the count is full. Both times are made from the edges, so it does not matter how
 * often it is asked. Times are microseconds. */
#ifndef FOB_BUTTON_H
#define FOB_BUTTON_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t time; /* 0 to 50,000; in force when the contact next leaves its rest */
  uint32_t in_force;
  uint32_t count;
  uint32_t unbroken; /* closed for so long without a break, in_force at most */
  bool is_pressed;
  bool closed;
  bool closed_since_boot;
  uint64_t since, left_rest;
} fob_button;

typedef struct {
  bool pressed;
  bool at_boot;
  uint64_t first_edge; /* where the count left its rest */
} fob_button_change;

/* pressed: the contact was found closed, and that is no press. */
void fob_button_init(fob_button *button, bool closed, bool pressed, uint32_t time, uint64_t now);

/* Takes the contact's level from `now` on. True when a press or a release has settled by then. */
bool fob_button_input(fob_button *button, bool closed, uint64_t now, fob_button_change *change);

/* When something will have settled if no edge comes; UINT64_MAX: nothing will. */
uint64_t fob_button_wake(const fob_button *button);

/* The clock has gone back: the count goes on from where it is. */
void fob_button_clock_lost(fob_button *button, uint64_t lost);

#ifdef __cplusplus
}
#endif

#endif
