#include "fob_bytes.h"
#include "fob_device_parts.h"

/* Events: numbered, stored, sent, kept until acked. Durable first, then told; a store that fails
 * never stops the telling. */

static bool any_slot(uint8_t slot) {
  (void)slot;
  return true;
}

/* The oldest entry that fits of presses, of releases or of everything else. */
enum { OTHERS = 0 };

static int oldest(const fob_unacked *events, uint8_t kind, fob_slot_filter fits) {
  int found = FOB_NO_ENTRY;
  for (int i = 0; i < events->count; i++) {
    const fob_entry *entry = &events->entries[i];
    bool is_edge = entry->kind == FOB_PRESSED || entry->kind == FOB_RELEASED;
    if ((is_edge ? entry->kind : OTHERS) != kind || !fits(entry->slot)) continue;
    if (found == FOB_NO_ENTRY || entry->number < events->entries[found].number) found = i;
  }
  return found;
}

static int newest_press(const fob_unacked *events, fob_slot_filter fits) {
  int found = FOB_NO_ENTRY;
  for (int i = 0; i < events->count; i++) {
    const fob_entry *entry = &events->entries[i];
    if (entry->kind != FOB_PRESSED || !fits(entry->slot)) continue;
    if (found == FOB_NO_ENTRY || entry->number > events->entries[found].number) found = i;
  }
  return found;
}

bool fob_device_evict(fob_device *device, fob_slot_filter fits) {
  if (fits == NULL) fits = any_slot;
  int victim = oldest(&device->unacked, OTHERS, fits);
  if (victim == FOB_NO_ENTRY) victim = oldest(&device->unacked, FOB_RELEASED, fits);
  if (victim == FOB_NO_ENTRY) return false;
  fob_device_release(device, fob_unacked_remove(&device->unacked, victim).slot);
  device->evicted++;
  return true;
}

static uint8_t store(fob_device *device, const fob_event *event) {
  if (device->owes_load) return FOB_NO_SLOT;
  uint8_t slot = fob_device_free_slot(device);
  if (slot == FOB_NO_SLOT) return FOB_NO_SLOT;
  return fob_store_write(&device->board->storage, slot, event) ? slot : FOB_NO_SLOT;
}

/* Makes `event` stand for the press in `old`, too. Where that cannot be read, what it stands for is
 * remembered: it is the last merged press, or stands for itself. */
static void take_over(fob_device *device, const fob_entry *old, fob_event *event) {
  fob_event before;
  uint64_t first = old->number;
  uint16_t covered = 1;
  if (device->last_merge.number == old->number) {
    first = device->last_merge.first;
    covered = device->last_merge.covered;
  }
  if (fob_device_record(device, old->slot, &before) && (before.flags & FOB_EVENT_MERGED)) {
    first = before.first_covered;
    covered = before.covered;
  }
  event->flags |= FOB_EVENT_MERGED;
  event->first_covered = first;
  event->covered = covered == UINT16_MAX ? UINT16_MAX : (uint16_t)(covered + 1);
  device->last_merge.number = event->event_no;
  device->last_merge.first = first;
  device->last_merge.covered = event->covered;
}

/* Presses fill every place: the newest takes the last one over and stands for both. */
static uint8_t merge(fob_device *device, fob_event *event, fob_slot_filter fits) {
  int last = newest_press(&device->unacked, fits);
  if (last == FOB_NO_ENTRY) return FOB_NO_SLOT;
  fob_entry old = device->unacked.entries[last];
  bool was_volatile = fob_is_volatile(old.slot);
  take_over(device, &old, event);
  uint8_t written = was_volatile ? FOB_NO_SLOT : store(device, event);
  if (written == FOB_NO_SLOT) {
    fob_device_note_store_failure(device);
    if (!was_volatile && fob_device_memory_is_full(device)) {
      return merge(device, event, fob_is_volatile);
    }
  }
  fob_unacked_remove(&device->unacked, last);
  /* What the store has is cleared once the store has the new record: at the next boot at the
   * latest, which finds both. */
  if (written != FOB_NO_SLOT || was_volatile) fob_device_release(device, old.slot);
  device->merged++;
  fob_device_owe(device, FOB_FAULT_MERGED);
  if (written != FOB_NO_SLOT) return written;
  event->flags |= FOB_EVENT_VOLATILE;
  return fob_device_keep_in_memory(device, event);
}

/* Finds a place for the event and writes it there; FOB_NO_SLOT when presses fill every place and
 * this is none: then it is sent once and not kept. */
static uint8_t keep(fob_device *device, fob_event *event) {
  if (fob_unacked_is_full(&device->unacked) && !fob_device_evict(device, NULL)) {
    if (event->kind == FOB_PRESSED) return merge(device, event, any_slot);
    event->flags |= FOB_EVENT_VOLATILE;
    return FOB_NO_SLOT;
  }
  uint8_t slot = store(device, event);
  if (slot != FOB_NO_SLOT) return slot;
  fob_device_note_store_failure(device);
  event->flags |= FOB_EVENT_VOLATILE;
  slot = fob_device_keep_in_memory(device, event);
  if (slot != FOB_NO_SLOT) return slot;
  if (fob_device_evict(device, fob_is_volatile)) return fob_device_keep_in_memory(device, event);
  return event->kind == FOB_PRESSED ? merge(device, event, fob_is_volatile) : FOB_NO_SLOT;
}

/* Milliseconds without a 64-bit division: ticks of 1.024 ms, then the 24 thousandths. */
static uint32_t milliseconds(uint64_t microseconds) {
  uint64_t ticks = microseconds >> 10;
  if (ticks >= 4000000000u) return UINT32_MAX - 1;
  uint32_t t = (uint32_t)ticks;
  return t + t / 1000 * 24 + t % 1000 * 24 / 1000;
}

static void add_position(const fob_device *device, fob_event *event, uint64_t now) {
  const fob_gps_fix *fix = &device->fix;
  event->fix_age = UINT32_MAX;
  event->fix_accuracy = UINT16_MAX;
  if (!device->has_fix) return;
  event->fix_quality = fix->quality;
  event->latitude = fix->latitude;
  event->longitude = fix->longitude;
  event->fix_age = milliseconds(now > fix->clock ? now - fix->clock : 0);
  event->fix_accuracy = fix->accuracy;
  event->satellites = fix->satellites;
}

static void stamp(const fob_device *device, fob_event *event, uint64_t now) {
  uint64_t time = fob_device_time(device, now);
  uint64_t since = time > event->clock ? time - event->clock : 0;
  event->commit_delta = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

static bool send(fob_device *device, const fob_event *event, bool resent, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_EVENT_LONGEST];
  size_t count = fob_write_event(event, body + FOB_HEADER);
  return fob_device_put(device, FOB_EVENT, resent, body, count, now);
}

void fob_device_commit(fob_device *device, uint8_t kind, uint64_t clock, uint8_t detail,
                       uint8_t flags, uint64_t now) {
  fob_event event = {0};
  event.device_id = device->board->device_id;
  event.event_no = (uint64_t)device->boot_counter << 32 | ++device->last_number;
  event.kind = kind;
  event.clock = clock;
  event.boot_nonce = device->board->boot_nonce;
  event.flags = flags;
  event.detail = detail;
  event.millivolts = device->millivolts;
  event.battery_percent = device->battery_percent;
  add_position(device, &event, now);
  stamp(device, &event, now);
  uint8_t slot = keep(device, &event);
  stamp(device, &event, now);
  bool was_sent = send(device, &event, false, now);
  if (slot == FOB_NO_SLOT) {
    device->evicted++;
  } else {
    fob_unacked_add(&device->unacked, event.event_no, kind, slot, now, was_sent);
  }
  fob_device_drain(device);
}

/* Two events may have one number, where a boot could not be counted: each is compared. */
void fob_device_forget(fob_device *device, const fob_event_ack *ack) {
  for (int i = 0; i < device->unacked.count; i++) {
    const fob_entry *entry = &device->unacked.entries[i];
    fob_event event;
    if (entry->number != ack->event_no) continue;
    if (!fob_device_record(device, entry->slot, &event)) continue;
    if (fob_event_identity_crc(&event) != ack->identity_crc) continue;
    fob_device_release(device, fob_unacked_remove(&device->unacked, i).slot);
    return;
  }
}

void fob_device_send_again(fob_device *device, uint64_t now) {
  fob_device_drain(device);
  while (device->ring_count == 0) {
    bool was_sent;
    fob_event event;
    int index = fob_unacked_next(&device->unacked, now, &was_sent);
    if (index == FOB_NO_ENTRY) return;
    if (!fob_device_record(device, device->unacked.entries[index].slot, &event)) {
      fob_device_note_store_failure(device);
      return;
    }
    if ((uint32_t)(event.event_no >> 32) != device->boot_counter) {
      event.flags |= FOB_EVENT_REPLAYED;
    }
    if (!send(device, &event, was_sent, now)) return;
    fob_device_drain(device);
  }
}

void fob_device_owe(fob_device *device, uint8_t fault) {
  device->owed_faults = (uint8_t)(device->owed_faults | 1u << fault);
}

void fob_device_settle_debts(fob_device *device, uint64_t now) {
  if (device->owes_boot) {
    device->owes_boot = false;
    fob_device_commit(device, FOB_BOOTED, now, device->board->reset_cause, 0, now);
  }
  for (uint8_t fault = FOB_FAULT_STORE; fault <= FOB_FAULT_BOOT_COUNTER; fault++) {
    uint8_t bit = (uint8_t)(1u << fault);
    if (fob_unacked_is_full(&device->unacked)) return;
    if (!(device->owed_faults & bit)) continue;
    device->owed_faults = (uint8_t)(device->owed_faults & ~bit);
    fob_device_commit(device, FOB_FAULT, now, fault, 0, now);
  }
}
