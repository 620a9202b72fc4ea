#include "fob_bytes.h"
#include "fob_device_parts.h"

static const uint64_t second = 1000000;
static const uint32_t debounce = 20000; /* until CONFIG says otherwise */

uint64_t fob_device_time(const fob_device *device, uint64_t now) {
  return device->board->clock ? device->board->clock(device->board->context) : now;
}

void fob_device_drain(fob_device *device) {
  while (device->ring_count > 0) {
    size_t offered = device->ring_count;
    size_t to_end = (size_t)FOB_TRANSMIT_RING - device->ring_first;
    if (offered > to_end) offered = to_end;
    size_t taken = device->board->write_link(device->board->context,
                                             device->ring + device->ring_first, offered);
    device->ring_first = (uint16_t)((device->ring_first + taken) % FOB_TRANSMIT_RING);
    device->ring_count = (uint16_t)(device->ring_count - taken);
    if (taken < offered) return;
  }
}

static void put_ring(fob_device *device, const uint8_t *bytes, size_t count) {
  size_t at = ((size_t)device->ring_first + device->ring_count) % FOB_TRANSMIT_RING;
  for (size_t i = 0; i < count; i++) {
    device->ring[at] = bytes[i];
    at = at + 1 < FOB_TRANSMIT_RING ? at + 1 : 0;
  }
  device->ring_count = (uint16_t)(device->ring_count + count);
}

bool fob_device_put(fob_device *device, uint8_t type, bool resent, uint8_t *body, size_t count,
                    uint64_t now) {
  uint8_t wire[1 + FOB_LONGEST_WIRE];
  body[0] = resent ? FOB_HEAD | FOB_HEAD_RESENT : FOB_HEAD;
  body[1] = type;
  fob_put(body + 2, device->next_seq++, 2);
  /* A lone 00 closes what noise the line has gathered in a quiet second. */
  size_t start = device->has_sent && now - device->last_sent < second ? 1 : 0;
  device->has_sent = true;
  device->last_sent = now;
  wire[0] = 0;
  size_t length = 1 - start + fob_frame_encode(body, FOB_HEADER + count, wire + 1);
  if (device->ring_count + length > FOB_TRANSMIT_RING) return false;
  put_ring(device, wire + start, length);
  return true;
}

void fob_device_send(fob_device *device, uint8_t type, uint8_t *body, size_t count, uint64_t now) {
  if (!fob_device_put(device, type, false, body, count, now)) device->tx_dropped++;
}

void fob_device_send_hello(fob_device *device, uint32_t session, uint64_t now) {
  const fob_board *board = device->board;
  uint8_t body[FOB_HEADER + FOB_HELLO_SIZE];
  fob_hello hello = {.role = FOB_ROLE_DEVICE,
                     .version_min = FOB_VERSION,
                     .version_max = FOB_VERSION,
                     .reset_cause = board->reset_cause,
                     .max_frame = FOB_LONGEST_WIRE,
                     .table_hash = FOB_TABLE_HASH,
                     .session_nonce = session,
                     .device_id = board->device_id,
                     .boot_counter = device->boot_counter,
                     .boot_nonce = board->boot_nonce,
                     .oldest_unacked = fob_unacked_oldest(&device->unacked)};
  for (int i = 0; i < 3; i++) hello.firmware_version[i] = board->firmware_version[i];
  fob_device_send(device, FOB_HELLO, body, fob_write_hello(&hello, body + FOB_HEADER), now);
}

void fob_device_send_led_state(fob_device *device, uint64_t now) {
  const fob_shown *shown = &device->display.shown;
  uint8_t body[FOB_HEADER + FOB_LED_STATE_SIZE];
  fob_led_state state = {.clock = shown->began,
                         .shown_state = shown->state,
                         .detail = shown->detail,
                         .flags = (uint8_t)((shown->sounder ? 1 : 0) | shown->source << 1),
                         .session_nonce = device->display.obeyed.session_nonce,
                         .revision = device->display.obeyed.revision};
  size_t count = fob_write_led_state(&state, body + FOB_HEADER);
  fob_device_send(device, FOB_LED_STATE, body, count, now);
}

static void send_heartbeat(fob_device *device, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_HEARTBEAT_SIZE];
  unsigned flags = 0;
  if (device->display.shown.sounder) flags |= FOB_HEARTBEAT_SOUNDER;
  if (device->button.is_pressed) flags |= FOB_HEARTBEAT_CLOSED;
  if (device->is_store_failing) flags |= FOB_HEARTBEAT_STORE_FAILING;
  if (fob_unacked_is_full(&device->unacked)) flags |= FOB_HEARTBEAT_FULL;
  fob_heartbeat beat = {.uptime = now,
                        .millivolts = device->millivolts,
                        .battery_percent = device->battery_percent,
                        .unacked = device->unacked.count,
                        .shown_state = device->display.shown.state,
                        .flags = (uint8_t)flags,
                        .rx_damaged = device->rx_damaged,
                        .tx_dropped = device->tx_dropped,
                        .evicted = device->evicted,
                        .merged = device->merged};
  size_t count = fob_write_heartbeat(&beat, body + FOB_HEADER);
  fob_device_send(device, FOB_HEARTBEAT, body, count, now);
}

static const fob_device blank;

void fob_device_boot(fob_device *device, const fob_board *board, uint64_t now) {
  /* After power-on a closed contact is a stuck button, or a finger on it, and no press. */
  bool is_stuck = board->button_closed && board->reset_cause == FOB_RESET_POWER_ON;
  *device = blank;
  device->board = board;
  fob_decoder_reset(&device->decoder);
  fob_unacked_init(&device->unacked);
  fob_button_init(&device->button, board->button_closed, is_stuck, debounce, now);
  fob_display_init(&device->display);
  device->owes_boot = true;
  device->millivolts = board->millivolts;
  device->battery_percent = board->battery_percent;
  device->last_time = now;
  device->next_second = now + second;
  device->next_battery_report = now;
  if (is_stuck) fob_device_owe(device, FOB_FAULT_STUCK);
  fob_device_count_boot(device);
  fob_device_load(device, now);
  fob_device_send_hello(device, 0, now);
}

/* A clock is not to go back. Where one does, what waits is due now or as far off as it was, and the
 * heartbeat goes out before any stamp of the new time (section 6). */
static void look_at_clock(fob_device *device, uint64_t now) {
  uint64_t last = device->last_time;
  device->last_time = now;
  if (last < now + 1000) return;
  fob_button_clock_lost(&device->button, last - now);
  fob_display_clock_lost(&device->display, last - now);
  device->fix.clock = device->fix.clock > last - now ? device->fix.clock - (last - now) : 0;
  fob_unacked_all_due(&device->unacked, now);
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
      fob_device_answer(device, body, length, now);
    } else {
      device->rx_damaged++;
    }
  }
}

void fob_device_contact(fob_device *device, bool closed, uint64_t at, uint64_t now) {
  fob_button_change change;
  look_at_clock(device, now);
  if (at > now) at = now; /* stamped before the clock went back */
  if (!fob_button_input(&device->button, closed, at, &change)) return;
  fob_device_commit(device, change.pressed ? FOB_PRESSED : FOB_RELEASED, change.first_edge, 0,
                    change.at_boot ? FOB_EVENT_AT_BOOT : 0, now);
}

void fob_device_battery(fob_device *device, uint16_t millivolts, uint8_t percent) {
  device->millivolts = millivolts;
  device->battery_percent = percent;
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
  uint8_t before = device->battery_level;
  uint8_t level = level_of(device->battery_percent, before);
  device->battery_level = level;
  if (level != before) {
    fob_device_commit(device, level > before ? worse[level] : FOB_BATTERY_RECOVERED, now, 0, 0,
                      now);
  } else if (now < device->next_battery_report) {
    return;
  }
  uint8_t body[FOB_HEADER + FOB_BATTERY_SIZE];
  fob_battery battery = {now, device->millivolts, device->battery_percent, level};
  device->next_battery_report = now + 60 * second;
  fob_device_send(device, FOB_BATTERY, body, fob_write_battery(&battery, body + FOB_HEADER), now);
}

void fob_device_fix(fob_device *device, const fob_gps_fix *fix, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_GPS_FIX_SIZE];
  look_at_clock(device, now);
  device->fix = *fix;
  device->has_fix = true;
  if (fix->quality == device->reported_quality && now < device->next_fix_report) return;
  device->reported_quality = fix->quality;
  device->next_fix_report = now + second / 20 * 19;
  fob_device_send(device, FOB_GPS_FIX, body, fob_write_gps_fix(fix, body + FOB_HEADER), now);
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool fob_device_may_have_press(const fob_device *device) {
  return fob_unacked_has_press(&device->unacked) || device->owes_load || device->has_unloaded;
}

uint64_t fob_device_poll(fob_device *device, uint64_t now) {
  look_at_clock(device, now);
  if (now >= device->next_second) {
    device->next_second += second;
    if (device->next_second <= now) device->next_second = now + second;
    judge_battery(device, now);
    fob_device_store_again(device, now);
    send_heartbeat(device, now);
  }
  fob_device_send_again(device, now);
  fob_device_settle_debts(device, now);
  bool may_have_press = fob_device_may_have_press(device);
  if (fob_display_decide(&device->display, may_have_press, device->battery_level > 0, now)) {
    fob_device_send_led_state(device, now);
  }
  fob_device_drain(device);
  uint64_t wake = earlier(device->next_second, fob_button_wake(&device->button));
  wake = earlier(wake, fob_display_wake(&device->display));
  if (device->ring_count == 0) wake = earlier(wake, fob_unacked_wake(&device->unacked, now));
  return wake > now ? wake : now;
}

const fob_shown *fob_device_shown(const fob_device *device) { return &device->display.shown; }
