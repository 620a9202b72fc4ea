#include "fob_events.h"

void fob_events_boot(fob_events *events, const fob_board *board, uint64_t now) {
  events->board = board;
  events->link.context = board->context;
  events->link.write = board->write_link;
  events->owes_boot = true;
  events->millivolts = board->has_no_battery ? 0 : board->millivolts;
  events->battery_percent = board->has_no_battery ? UINT8_MAX : board->battery_percent;
  fob_records_boot(&events->records, &board->storage, now);
}

uint64_t fob_events_time(const fob_events *events, uint64_t now) {
  return events->board->clock ? events->board->clock(events->board->context) : now;
}

/* Milliseconds without a 64-bit division: ticks of 1.024 ms, then the 24 thousandths. */
static uint32_t milliseconds(uint64_t microseconds) {
  uint64_t ticks = microseconds >> 10;
  if (ticks >= 4000000000u) return UINT32_MAX - 1;
  uint32_t t = (uint32_t)ticks;
  return t + t / 1000 * 24 + t % 1000 * 24 / 1000;
}

static void add_position(const fob_events *events, fob_event *event, uint64_t now) {
  const fob_gps_fix *fix = &events->fix;
  event->fix_age = UINT32_MAX;
  event->fix_accuracy = UINT16_MAX;
  if (!events->has_fix) return;
  event->fix_quality = fix->quality;
  event->latitude = fix->latitude;
  event->longitude = fix->longitude;
  event->fix_age = milliseconds(now > fix->clock ? now - fix->clock : 0);
  event->fix_accuracy = fix->accuracy;
  event->satellites = fix->satellites;
}

static void stamp(const fob_events *events, fob_event *event, uint64_t now) {
  uint64_t time = fob_events_time(events, now);
  uint64_t since = time > event->clock ? time - event->clock : 0;
  event->commit_delta = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

static bool send(fob_events *events, const fob_event *event, bool resent, uint64_t now) {
  uint8_t body[FOB_AROUND + FOB_EVENT_LONGEST];
  size_t count = fob_write_event(event, body + FOB_HEADER);
  return fob_link_put(&events->link, FOB_EVENT, resent, body, count, now);
}

void fob_events_commit(fob_events *events, uint8_t kind, uint64_t clock, uint8_t detail,
                       uint8_t flags, uint64_t now) {
  fob_event event = {0};
  event.device_id = events->board->device_id;
  event.event_no = (uint64_t)events->records.boot_counter << 32 | ++events->last_number;
  event.kind = kind;
  event.clock = clock;
  event.boot_nonce = events->board->boot_nonce;
  event.flags = flags;
  event.detail = detail;
  event.millivolts = events->millivolts;
  event.battery_percent = events->battery_percent;
  add_position(events, &event, now);
  stamp(events, &event, now);
  uint8_t slot = fob_records_keep(&events->records, &event);
  stamp(events, &event, now);
  bool was_sent = send(events, &event, false, now);
  if (slot == FOB_NO_SLOT) {
    events->records.evicted++;
  } else {
    fob_unacked_add(&events->records.unacked, event.event_no, kind, slot, now, was_sent);
  }
  fob_link_drain(&events->link);
}

/* Two events may have one number, where a boot could not be counted: each is compared. */
void fob_events_forget(fob_events *events, const fob_event_ack *ack) {
  fob_records *records = &events->records;
  for (int i = 0; i < records->unacked.count; i++) {
    const fob_entry *entry = &records->unacked.entries[i];
    fob_event event;
    if (entry->number != ack->event_no) continue;
    if (!fob_records_read(records, entry->slot, &event)) continue;
    if (fob_event_identity_crc(&event) != ack->identity_crc) continue;
    fob_records_remove(records, i);
    return;
  }
}

static void send_again(fob_events *events, uint64_t now) {
  fob_records *records = &events->records;
  fob_link_drain(&events->link);
  while (events->link.count == 0) {
    bool was_sent;
    fob_event event;
    int index = fob_unacked_next(&records->unacked, now, &was_sent);
    if (index == FOB_NO_ENTRY) return;
    if (!fob_records_read(records, records->unacked.entries[index].slot, &event)) {
      fob_records_note_store_failure(records);
      return;
    }
    if ((uint32_t)(event.event_no >> 32) != records->boot_counter) {
      event.flags |= FOB_EVENT_REPLAYED;
    }
    if (!send(events, &event, was_sent, now)) return;
    fob_link_drain(&events->link);
  }
}

static void settle_debts(fob_events *events, uint64_t now) {
  fob_records *records = &events->records;
  if (events->owes_boot) {
    events->owes_boot = false;
    fob_events_commit(events, FOB_BOOTED, now, events->board->reset_cause, 0, now);
  }
  for (uint8_t fault = FOB_FAULT_STORE; fault <= FOB_FAULT_BOOT_COUNTER; fault++) {
    uint8_t bit = (uint8_t)(1u << fault);
    if (fob_unacked_is_full(&records->unacked)) return;
    if (!(records->owed_faults & bit)) continue;
    records->owed_faults = (uint8_t)(records->owed_faults & ~bit);
    fob_events_commit(events, FOB_FAULT, now, fault, 0, now);
  }
}

void fob_events_poll(fob_events *events, uint64_t now) {
  send_again(events, now);
  settle_debts(events, now);
}

void fob_events_clock_lost(fob_events *events, uint64_t lost, uint64_t now) {
  events->fix.clock = events->fix.clock > lost ? events->fix.clock - lost : 0;
  fob_unacked_all_due(&events->records.unacked, now);
}
