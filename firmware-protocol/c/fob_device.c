#include "fob_device.h"

static const uint64_t second = 1000000;
static const uint32_t debounce = 20000; /* until CONFIG says otherwise */

static void send_heartbeat(fob_device *device, uint64_t now) {
  fob_session *session = &device->session;
  const fob_records *records = &session->events.records;
  uint8_t body[FOB_AROUND + FOB_HEARTBEAT_SIZE];
  unsigned flags = 0;
  if (session->display.shown.sounder) flags |= FOB_HEARTBEAT_SOUNDER;
  if (session->button.is_pressed) flags |= FOB_HEARTBEAT_CLOSED;
  if (records->is_store_failing) flags |= FOB_HEARTBEAT_STORE_FAILING;
  if (fob_unacked_is_full(&records->unacked)) flags |= FOB_HEARTBEAT_FULL;
  fob_heartbeat beat = {.uptime = now,
                        .millivolts = session->events.millivolts,
                        .battery_percent = session->events.battery_percent,
                        .unacked = records->unacked.count,
                        .shown_state = session->display.shown.state,
                        .flags = (uint8_t)flags,
                        .rx_damaged = device->damaged,
                        .tx_dropped = session->events.link.dropped,
                        .evicted = records->evicted,
                        .merged = records->merged};
  size_t count = fob_write_heartbeat(&beat, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_HEARTBEAT, body, count, now);
}

static const fob_device blank;

void fob_device_boot(fob_device *device, const fob_board *board, uint64_t now) {
  fob_session *session = &device->session;
  /* After power-on a closed contact is a stuck button, or a finger on it, and no press. */
  bool is_stuck = board->button_closed && board->reset_cause == FOB_RESET_POWER_ON;
  *device = blank;
  fob_decoder_reset(&device->decoder);
  fob_button_init(&session->button, board->button_closed, is_stuck, debounce, now);
  fob_display_init(&session->display);
  device->last_time = now;
  device->next_second = now + second;
  device->next_battery_report = now;
  fob_events_boot(&session->events, board, now);
  fob_session_load_key(session);
  session->has_presence = is_stuck;
  if (is_stuck) fob_records_owe(&session->events.records, FOB_FAULT_STUCK);
  fob_session_send_hello(session, now);
}

/* A clock is not to go back. Where one does, what waits is due now or as far off as it was, and the
 * heartbeat goes out before any stamp of the new time (section 6). */
static void look_at_clock(fob_device *device, uint64_t now) {
  uint64_t last = device->last_time;
  device->last_time = now;
  if (last < now + 1000) return;
  device->session.unpair_by = 0;
  fob_button_clock_lost(&device->session.button, last - now);
  fob_display_clock_lost(&device->session.display, last - now);
  fob_events_clock_lost(&device->session.events, last - now, now);
  device->next_second = now + second;
  device->next_battery_report = now;
  device->next_fix_report = now;
  send_heartbeat(device, now);
}

void fob_device_receive(fob_device *device, const uint8_t *bytes, size_t count, uint64_t now) {
  fob_outcome outcome;
  look_at_clock(device, now);
  while ((outcome = fob_decoder_next(&device->decoder, &bytes, &count)) != FOB_NOTHING) {
    if (outcome == FOB_FRAME) {
      size_t length;
      const uint8_t *body = fob_decoder_body(&device->decoder, &length);
      fob_session_answer(&device->session, body, length, now);
    } else {
      device->damaged++;
    }
  }
}

void fob_device_contact(fob_device *device, bool closed, uint64_t at, uint64_t now) {
  fob_button_change change;
  look_at_clock(device, now);
  if (at > now) at = now; /* stamped before the clock went back */
  if (!fob_button_input(&device->session.button, closed, at, &change)) return;
  fob_events_commit(&device->session.events, change.pressed ? FOB_PRESSED : FOB_RELEASED,
                    change.first_edge, 0, change.at_boot ? FOB_EVENT_AT_BOOT : 0, now);
  fob_session_button(&device->session, &change, now);
}

void fob_device_battery(fob_device *device, uint16_t millivolts, uint8_t percent) {
  if (device->session.events.board->has_no_battery) return;
  device->session.events.millivolts = millivolts;
  device->session.events.battery_percent = percent;
}

/* Low at 20 % and below, normal again at 22; critical at 5 and below, low again at 7. */
static uint8_t level_of(uint8_t percent, uint8_t before) {
  enum { NORMAL, LOW, CRITICAL };
  if (percent <= 5 || (before == CRITICAL && percent < 7)) return CRITICAL;
  if (percent <= 20 || (before != NORMAL && percent < 22)) return LOW;
  return NORMAL;
}

static void judge_battery(fob_device *device, uint64_t now) {
  static const uint8_t worse[] = {0, FOB_BATTERY_LOW, FOB_BATTERY_CRITICAL};
  fob_events *events = &device->session.events;
  if (events->board->has_no_battery) return;
  uint8_t before = device->battery_level;
  uint8_t level = level_of(events->battery_percent, before);
  device->battery_level = level;
  if (level != before) {
    uint8_t kind = level > before ? worse[level] : FOB_BATTERY_RECOVERED;
    fob_events_commit(events, kind, now, 0, 0, now);
  } else if (now < device->next_battery_report) {
    return;
  }
  uint8_t body[FOB_AROUND + FOB_BATTERY_SIZE];
  fob_battery battery = {now, events->millivolts, events->battery_percent, level};
  device->next_battery_report = now + 60 * second;
  size_t count = fob_write_battery(&battery, body + FOB_HEADER);
  fob_link_send(&events->link, FOB_BATTERY, body, count, now);
}

void fob_device_fix(fob_device *device, const fob_gps_fix *fix, uint64_t now) {
  fob_events *events = &device->session.events;
  uint8_t body[FOB_AROUND + FOB_GPS_FIX_SIZE];
  look_at_clock(device, now);
  if (events->board->has_no_gps) return;
  if (fix->quality != 0) {
    events->fix = *fix;
    events->has_fix = true;
  }
  events->fix.quality = fix->quality;
  if (fix->quality == device->reported_quality && now < device->next_fix_report) return;
  device->reported_quality = fix->quality;
  device->next_fix_report = now + second / 20 * 19;
  size_t count = fob_write_gps_fix(fix, body + FOB_HEADER);
  fob_link_send(&events->link, FOB_GPS_FIX, body, count, now);
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

uint64_t fob_device_poll(fob_device *device, uint64_t now) {
  fob_session *session = &device->session;
  fob_events *events = &session->events;
  look_at_clock(device, now);
  if (now >= device->next_second) {
    device->next_second += second;
    if (device->next_second <= now) device->next_second = now + second;
    judge_battery(device, now);
    bool owed_load = events->records.owes_load;
    fob_records_mend(&events->records, now);
    if (owed_load) fob_session_load_key(session);
    send_heartbeat(device, now);
  }
  fob_events_poll(events, now);
  bool may_have_press = fob_records_may_have_press(&events->records);
  if (fob_display_decide(&session->display, may_have_press, device->battery_level > 0, now)) {
    fob_session_send_led_state(session, now);
  }
  fob_link_drain(&events->link);
  uint64_t wake = earlier(device->next_second, fob_button_wake(&session->button));
  wake = earlier(wake, fob_display_wake(&session->display));
  if (events->link.count == 0) {
    wake = earlier(wake, fob_unacked_wake(&events->records.unacked, now));
  }
  return wake > now ? wake : now;
}

const fob_shown *fob_device_shown(const fob_device *device) {
  return &device->session.display.shown;
}
