/* What the device shows, and why: PROTOCOL.md, section 7.
 *
 * The host's word while its lease lasts, else what the device knows by itself. How the light
 * flashes for it (7.3) is the firmware's. Times are microseconds. */
#ifndef FOB_DISPLAY_H
#define FOB_DISPLAY_H

#include "fob_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_BY_ITSELF, FOB_BY_LEASE, FOB_BY_LED_SET };

typedef struct {
  uint8_t state, detail;
  bool sounder;
  uint8_t source;
  uint64_t began; /* when its pattern began */
} fob_shown;

typedef struct {
  fob_shown shown;
  fob_indicate obeyed; /* of session 0 when none was */
  bool has_lease, has_bench;
  uint64_t lease_ends, bench_ends;
  fob_led_set bench;
} fob_display;

void fob_display_init(fob_display *display);

/* Ignores what is of another session than the host's last, or older than what was obeyed in it. */
void fob_display_obey(fob_display *display, const fob_indicate *indicate, uint32_t session,
                      uint64_t now);

/* A sealed session was proved, which counts its revisions from anew. */
void fob_display_session_began(fob_display *display);

/* Forgets what a host has said, the sounder too: it may have been anybody. */
void fob_display_forget(fob_display *display);

void fob_display_set(fob_display *display, const fob_led_set *pattern, uint64_t now);

/* Whether an incident is open, as far as this device was told: then LED_SET is ignored. */
bool fob_display_is_open(const fob_display *display, uint64_t now);

/* Decides anew; true when something changed. */
bool fob_display_decide(fob_display *display, bool unacked_press, bool low_battery, uint64_t now);

/* When a lease or a pattern of LED_SET ends; UINT64_MAX: none does. */
uint64_t fob_display_wake(const fob_display *display);

/* The clock has gone back: leases last as long as they would have. */
void fob_display_clock_lost(fob_display *display, uint64_t lost);

#ifdef __cplusplus
}
#endif

#endif
