#include "fob_device_parts.h"

/* Counting boots, taking up what nobody acked, and mending what the store refused. */

bool fob_is_volatile(uint8_t slot) { return slot >= FOB_SLOTS; }

bool fob_device_memory_is_empty(const fob_device *device) {
  for (int i = 0; i < FOB_VOLATILE; i++) {
    if (device->memory[i].kind != 0) return false;
  }
  return true;
}

bool fob_device_memory_is_full(const fob_device *device) {
  for (int i = 0; i < FOB_VOLATILE; i++) {
    if (device->memory[i].kind == 0) return false;
  }
  return true;
}

uint8_t fob_device_keep_in_memory(fob_device *device, const fob_event *event) {
  for (uint8_t i = 0; i < FOB_VOLATILE; i++) {
    if (device->memory[i].kind != 0) continue;
    device->memory[i] = *event;
    return (uint8_t)(FOB_SLOTS + i);
  }
  return FOB_NO_SLOT;
}

bool fob_device_record(const fob_device *device, uint8_t slot, fob_event *event) {
  if (!fob_is_volatile(slot)) return fob_store_read(&device->board->storage, slot, event);
  *event = device->memory[slot - FOB_SLOTS];
  return event->kind != 0;
}

void fob_device_release(fob_device *device, uint8_t slot) {
  if (fob_is_volatile(slot)) {
    device->memory[slot - FOB_SLOTS].kind = 0;
  } else if (!fob_store_clear(&device->board->storage, slot)) {
    fob_device_note_store_failure(device);
  }
}

void fob_device_note_store_failure(fob_device *device) {
  if (device->is_store_failing) return;
  device->is_store_failing = true;
  fob_device_owe(device, FOB_FAULT_STORE);
}

/* After trouble with the store a slot in no use may hold a press: one that waits for its place, or
 * that a merged one in memory stands for. Such a press is not written over. */
uint8_t fob_device_free_slot(const fob_device *device) {
  bool is_sure = !device->is_store_failing && !device->has_unloaded &&
                 fob_device_memory_is_empty(device);
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event held;
    if (fob_unacked_uses(&device->unacked, slot)) continue;
    if (is_sure || !fob_store_read(&device->board->storage, slot, &held)) return slot;
    if (held.kind != FOB_PRESSED) return slot;
  }
  return FOB_NO_SLOT;
}

/* The highest boot that the store knows of, 0 when none. */
static uint32_t boots_before(const fob_device *device, bool *is_counted) {
  uint32_t last = 0;
  uint32_t newest = fob_store_newest_boot(&device->board->storage);
  *is_counted = fob_store_last_boot(&device->board->storage, &last);
  return last > newest ? last : newest;
}

void fob_device_count_boot(fob_device *device) {
  bool is_counted;
  uint32_t before = boots_before(device, &is_counted);
  if (!is_counted && !fob_store_is_blank(&device->board->storage)) {
    fob_device_owe(device, FOB_FAULT_BOOT_COUNTER);
  }
  device->boot_counter = before + 1;
  if (!fob_store_write_boot(&device->board->storage, device->boot_counter)) {
    fob_device_note_store_failure(device);
  }
}

/* A press in the store, for which a merged one stands, or may stand. */
static bool covers(uint64_t number, uint64_t first, const fob_event *event) {
  uint64_t before = event->event_no;
  uint64_t begins = event->flags & FOB_EVENT_MERGED ? event->first_covered : before;
  return event->kind == FOB_PRESSED && begins == first && before < number;
}

/* Power may have gone between writing a merged press and clearing the one that it stands for.
 * The number of the newest in the store, 0 when there is none. */
static uint64_t newest_merge(fob_device *device, uint64_t *first) {
  uint64_t newest = 0;
  *first = 0;
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event event;
    if (!fob_store_read(&device->board->storage, slot, &event)) continue;
    if (!(event.flags & FOB_EVENT_MERGED) || event.event_no <= newest) continue;
    newest = event.event_no;
    *first = event.first_covered;
    if (newest > device->last_merge.number) {
      device->last_merge.number = newest;
      device->last_merge.first = event.first_covered;
      device->last_merge.covered = event.covered;
    }
  }
  return newest;
}

/* Events of this boot, made while the store could not be read, may have taken the places: then a
 * press waits in the store until one is acked, and anything else gives way. */
static bool has_room(fob_device *device, uint8_t kind) {
  if (!fob_unacked_is_full(&device->unacked)) return true;
  if (kind != FOB_PRESSED) return false;
  fob_device_evict(device, NULL);
  return true;
}

void fob_device_load(fob_device *device, uint64_t now) {
  const fob_storage *storage = &device->board->storage;
  device->owes_load = !fob_store_is_readable(storage);
  if (device->owes_load) {
    fob_device_note_store_failure(device);
    return;
  }
  uint64_t first;
  uint64_t merge = newest_merge(device, &first);
  device->has_unloaded = false;
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event event;
    if (fob_unacked_uses(&device->unacked, slot)) continue;
    if (!fob_store_read(storage, slot, &event)) continue;
    if (event.kind < FOB_PRESSED || event.kind > FOB_FAULT) continue;
    bool is_covered = covers(merge, first, &event);
    if (!is_covered && covers(device->last_merge.number, device->last_merge.first, &event)) {
      continue; /* the one that stands for it is in memory alone */
    }
    if (is_covered || !has_room(device, event.kind)) {
      (void)fob_store_clear(storage, slot);
    } else if (fob_unacked_is_full(&device->unacked)) {
      device->has_unloaded = true;
    } else {
      fob_unacked_add(&device->unacked, event.event_no, event.kind, slot, now, false);
    }
  }
}

/* The store may know of more boots than this one did: its next events are numbered behind them. */
static void load_late(fob_device *device, uint64_t now) {
  bool is_counted;
  fob_device_load(device, now);
  if (device->owes_load) return;
  uint32_t before = boots_before(device, &is_counted);
  if (device->boot_counter <= before) device->boot_counter = before + 1;
}

/* Offers to the store what it refused; false where it refuses again. */
static bool store_memory(fob_device *device) {
  for (int i = 0; i < device->unacked.count; i++) {
    fob_entry *entry = &device->unacked.entries[i];
    fob_event event;
    if (!fob_is_volatile(entry->slot)) continue;
    if (!fob_device_record(device, entry->slot, &event)) continue;
    event.flags &= (uint8_t)~FOB_EVENT_VOLATILE;
    uint8_t slot = fob_device_free_slot(device);
    if (slot == FOB_NO_SLOT) break;
    if (!fob_store_write(&device->board->storage, slot, &event)) return false;
    device->memory[entry->slot - FOB_SLOTS].kind = 0;
    entry->slot = slot;
  }
  return true;
}

void fob_device_store_again(fob_device *device, uint64_t now) {
  const fob_storage *storage = &device->board->storage;
  if (device->owes_load) {
    load_late(device, now);
  } else if (device->has_unloaded && !fob_unacked_is_full(&device->unacked)) {
    fob_device_load(device, now);
  }
  if (device->owes_load) return;
  if (!device->is_store_failing && fob_device_memory_is_empty(device)) return;
  if (!store_memory(device)) return;
  device->is_store_failing = !fob_store_is_readable(storage) ||
                             !fob_store_write_boot(storage, device->boot_counter);
}
