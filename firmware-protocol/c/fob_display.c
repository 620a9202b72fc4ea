#include "fob_display.h"

void fob_display_init(fob_display *display) {
  static const fob_display dark = {.shown = {.state = FOB_OFF}};
  *display = dark;
}

void fob_display_obey(fob_display *display, const fob_indicate *indicate, uint32_t session,
                      uint64_t now) {
  const fob_indicate *last = &display->obeyed;
  if (session == 0 || indicate->session_nonce != session) return;
  if (last->session_nonce == session && indicate->revision < last->revision) return;
  display->obeyed = *indicate;
  display->has_lease = true;
  display->lease_ends = now + (uint64_t)indicate->lease * 1000u;
}

void fob_display_session_began(fob_display *display) { display->obeyed.revision = 0; }

void fob_display_forget(fob_display *display) {
  fob_shown shown = display->shown;
  fob_display_init(display);
  display->shown = shown;
}

void fob_display_set(fob_display *display, const fob_led_set *pattern, uint64_t now) {
  display->bench = *pattern;
  display->has_bench = true;
  display->bench_ends = now + (uint64_t)pattern->duration * 1000u;
}

bool fob_display_is_open(const fob_display *display, uint64_t now) {
  if (!display->has_lease || now >= display->lease_ends) return false;
  switch (display->obeyed.state) {
    case FOB_COUNTDOWN:
    case FOB_SENDING:
    case FOB_ACCEPTED:
    case FOB_ACKNOWLEDGED:
    case FOB_FAILED:
      return true;
    default:
      return false;
  }
}

/* A press that no core has committed is never shown as accepted, acknowledged, ended or idle. */
static fob_shown choose(const fob_display *display, bool unacked_press, bool low_battery,
                        uint64_t now) {
  const fob_indicate *obeyed = &display->obeyed;
  fob_shown choice = {.state = unacked_press ? FOB_SENDING : FOB_UNCLAIMED,
                      .sounder = (obeyed->flags & 1) != 0,
                      .source = FOB_BY_ITSELF};
  bool is_told_anyway = obeyed->state == FOB_COUNTDOWN || obeyed->state == FOB_SENDING ||
                        obeyed->state == FOB_FAILED;
  if (display->has_lease && (is_told_anyway || !unacked_press)) {
    bool is_low = obeyed->state == FOB_IDLE && low_battery;
    choice.state = is_low ? FOB_LOW_BATTERY : obeyed->state;
    choice.detail = obeyed->detail;
    choice.source = FOB_BY_LEASE;
  }
  if (display->has_bench && !unacked_press && !fob_display_is_open(display, now)) {
    choice.state = display->bench.state;
    choice.detail = display->bench.detail;
    choice.source = FOB_BY_LED_SET;
  }
  return choice;
}

/* What of the detail the pattern depends on: a countdown's falls each second, but the pattern
 * changes only where its pace does. */
static uint8_t selected(uint8_t state, uint8_t detail) {
  if (state == FOB_COUNTDOWN) return detail > 60 ? 2 : detail > 20 ? 1 : 0;
  if (state == FOB_DUE) return detail < 1 ? 1 : detail > 9 ? 9 : detail;
  return 0;
}

bool fob_display_decide(fob_display *display, bool unacked_press, bool low_battery, uint64_t now) {
  if (display->has_lease && now >= display->lease_ends) display->has_lease = false;
  if (display->has_bench && now >= display->bench_ends) display->has_bench = false;
  fob_shown old = display->shown;
  fob_shown new = choose(display, unacked_press, low_battery, now);
  bool is_other = new.state != old.state ||
                  selected(new.state, new.detail) != selected(old.state, old.detail);
  new.began = is_other ? now : old.began;
  display->shown = new;
  return is_other || new.detail != old.detail || new.sounder != old.sounder ||
         new.source != old.source;
}

uint64_t fob_display_wake(const fob_display *display) {
  uint64_t lease = display->has_lease ? display->lease_ends : UINT64_MAX;
  uint64_t bench = display->has_bench ? display->bench_ends : UINT64_MAX;
  return lease < bench ? lease : bench;
}

static uint64_t earlier(uint64_t time, uint64_t lost) { return time > lost ? time - lost : 0; }

void fob_display_clock_lost(fob_display *display, uint64_t lost) {
  display->lease_ends = earlier(display->lease_ends, lost);
  display->bench_ends = earlier(display->bench_ends, lost);
  display->shown.began = earlier(display->shown.began, lost);
}
