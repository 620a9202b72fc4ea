#include "fob_records.h"

void fob_records_owe(fob_records *records, uint8_t fault) {
  records->owed_faults = (uint8_t)(records->owed_faults | 1u << fault);
}

void fob_records_note_store_failure(fob_records *records) {
  if (records->is_store_failing) return;
  records->is_store_failing = true;
  fob_records_owe(records, FOB_FAULT_STORE);
}

bool fob_records_may_have_press(const fob_records *records) {
  return fob_unacked_has_press(&records->unacked) || records->owes_load || records->has_unloaded;
}

static bool is_volatile(uint8_t slot) { return slot >= FOB_SLOTS; }

static bool memory_is_empty(const fob_records *records) {
  for (int i = 0; i < FOB_VOLATILE; i++) {
    if (records->memory[i].kind != 0) return false;
  }
  return true;
}

/* A slot of memory; FOB_NO_SLOT where all are taken. */
static uint8_t free_in_memory(const fob_records *records) {
  for (uint8_t i = 0; i < FOB_VOLATILE; i++) {
    if (records->memory[i].kind == 0) return (uint8_t)(FOB_SLOTS + i);
  }
  return FOB_NO_SLOT;
}

static uint8_t keep_in_memory(fob_records *records, const fob_event *event) {
  uint8_t slot = free_in_memory(records);
  if (slot != FOB_NO_SLOT) records->memory[slot - FOB_SLOTS] = *event;
  return slot;
}

bool fob_records_read(const fob_records *records, uint8_t slot, fob_event *event) {
  if (!is_volatile(slot)) return fob_store_read(records->storage, slot, event);
  *event = records->memory[slot - FOB_SLOTS];
  return event->kind != 0;
}

static void release(fob_records *records, uint8_t slot) {
  if (is_volatile(slot)) {
    records->memory[slot - FOB_SLOTS].kind = 0;
  } else if (!fob_store_clear(records->storage, slot)) {
    fob_records_note_store_failure(records);
  }
}

void fob_records_remove(fob_records *records, int index) {
  release(records, fob_unacked_remove(&records->unacked, index).slot);
}

/* After trouble with the store a slot in no use may hold a press: one that waits for its place, or
 * that a merged one in memory stands for. Such a press is not written over. */
static uint8_t free_in_store(const fob_records *records) {
  bool is_sure =
      !records->is_store_failing && !records->has_unloaded && memory_is_empty(records);
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event held;
    if (fob_unacked_uses(&records->unacked, slot)) continue;
    if (is_sure || !fob_store_read(records->storage, slot, &held)) return slot;
    if (held.kind != FOB_PRESSED) return slot;
  }
  return FOB_NO_SLOT;
}

typedef bool (*slot_filter)(uint8_t slot);

static bool any_slot(uint8_t slot) {
  (void)slot;
  return true;
}

/* The oldest entry that fits of presses, of releases or of everything else. */
enum { OTHERS = 0 };

static int oldest(const fob_unacked *events, uint8_t kind, slot_filter fits) {
  int found = FOB_NO_ENTRY;
  for (int i = 0; i < events->count; i++) {
    const fob_entry *entry = &events->entries[i];
    bool is_edge = entry->kind == FOB_PRESSED || entry->kind == FOB_RELEASED;
    if ((is_edge ? entry->kind : OTHERS) != kind || !fits(entry->slot)) continue;
    if (found == FOB_NO_ENTRY || entry->number < events->entries[found].number) found = i;
  }
  return found;
}

static int newest_press(const fob_unacked *events, slot_filter fits) {
  int found = FOB_NO_ENTRY;
  for (int i = 0; i < events->count; i++) {
    const fob_entry *entry = &events->entries[i];
    if (entry->kind != FOB_PRESSED || !fits(entry->slot)) continue;
    if (found == FOB_NO_ENTRY || entry->number > events->entries[found].number) found = i;
  }
  return found;
}

/* Gives up the oldest event that is neither press nor release, else the oldest release; only where
 * its slot fits. */
static bool evict(fob_records *records, slot_filter fits) {
  int victim = oldest(&records->unacked, OTHERS, fits);
  if (victim == FOB_NO_ENTRY) victim = oldest(&records->unacked, FOB_RELEASED, fits);
  if (victim == FOB_NO_ENTRY) return false;
  fob_records_remove(records, victim);
  records->evicted++;
  return true;
}

static uint8_t store(fob_records *records, const fob_event *event) {
  if (records->owes_load) return FOB_NO_SLOT;
  uint8_t slot = free_in_store(records);
  if (slot == FOB_NO_SLOT) return FOB_NO_SLOT;
  return fob_store_write(records->storage, slot, event) ? slot : FOB_NO_SLOT;
}

/* Makes `event` stand for the press in `old`, too. Where that cannot be read, what it stands for is
 * remembered: it is the last merged press, or stands for itself. */
static void take_over(fob_records *records, const fob_entry *old, fob_event *event) {
  fob_event before;
  uint64_t first = old->number;
  uint16_t covered = 1;
  if (records->last_merge.number == old->number) {
    first = records->last_merge.first;
    covered = records->last_merge.covered;
  }
  if (fob_records_read(records, old->slot, &before) && (before.flags & FOB_EVENT_MERGED)) {
    first = before.first_covered;
    covered = before.covered;
  }
  event->flags |= FOB_EVENT_MERGED;
  event->first_covered = first;
  event->covered = covered == UINT16_MAX ? UINT16_MAX : (uint16_t)(covered + 1);
  records->last_merge.number = event->event_no;
  records->last_merge.first = first;
  records->last_merge.covered = event->covered;
}

/* Presses fill every place: the newest takes the last one over and stands for both. */
static uint8_t merge(fob_records *records, fob_event *event, slot_filter fits) {
  int last = newest_press(&records->unacked, fits);
  if (last == FOB_NO_ENTRY) return FOB_NO_SLOT;
  fob_entry old = records->unacked.entries[last];
  bool was_volatile = is_volatile(old.slot);
  take_over(records, &old, event);
  uint8_t written = was_volatile ? FOB_NO_SLOT : store(records, event);
  if (written == FOB_NO_SLOT) {
    fob_records_note_store_failure(records);
    if (!was_volatile && free_in_memory(records) == FOB_NO_SLOT) {
      return merge(records, event, is_volatile);
    }
  }
  fob_unacked_remove(&records->unacked, last);
  /* What the store has is cleared once the store has the new record: at the next boot at the
   * latest, which finds both. */
  if (written != FOB_NO_SLOT || was_volatile) release(records, old.slot);
  records->merged++;
  fob_records_owe(records, FOB_FAULT_MERGED);
  if (written != FOB_NO_SLOT) return written;
  event->flags |= FOB_EVENT_VOLATILE;
  return keep_in_memory(records, event);
}

uint8_t fob_records_keep(fob_records *records, fob_event *event) {
  if (fob_unacked_is_full(&records->unacked) && !evict(records, any_slot)) {
    if (event->kind == FOB_PRESSED) return merge(records, event, any_slot);
    event->flags |= FOB_EVENT_VOLATILE;
    return FOB_NO_SLOT;
  }
  uint8_t slot = store(records, event);
  if (slot != FOB_NO_SLOT) return slot;
  fob_records_note_store_failure(records);
  event->flags |= FOB_EVENT_VOLATILE;
  slot = keep_in_memory(records, event);
  if (slot != FOB_NO_SLOT) return slot;
  if (evict(records, is_volatile)) return keep_in_memory(records, event);
  return event->kind == FOB_PRESSED ? merge(records, event, is_volatile) : FOB_NO_SLOT;
}

/* The highest boot that the store knows of, 0 when none. */
static uint32_t boots_before(const fob_records *records, bool *is_counted) {
  uint32_t last = 0;
  uint32_t newest = fob_store_newest_boot(records->storage);
  *is_counted = fob_store_last_boot(records->storage, &last);
  return last > newest ? last : newest;
}

static void count_boot(fob_records *records) {
  bool is_counted;
  uint32_t before = boots_before(records, &is_counted);
  if (!is_counted && !fob_store_is_blank(records->storage)) {
    fob_records_owe(records, FOB_FAULT_BOOT_COUNTER);
  }
  records->boot_counter = before + 1;
  if (!fob_store_write_boot(records->storage, records->boot_counter)) {
    fob_records_note_store_failure(records);
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
static uint64_t newest_merge(fob_records *records, uint64_t *first) {
  uint64_t newest = 0;
  *first = 0;
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event event;
    if (!fob_store_read(records->storage, slot, &event)) continue;
    if (!(event.flags & FOB_EVENT_MERGED) || event.event_no <= newest) continue;
    newest = event.event_no;
    *first = event.first_covered;
    if (newest > records->last_merge.number) {
      records->last_merge.number = newest;
      records->last_merge.first = event.first_covered;
      records->last_merge.covered = event.covered;
    }
  }
  return newest;
}

/* Events of this boot, made while the store could not be read, may have taken the places: then a
 * press waits in the store until one is acked, and anything else gives way. */
static bool has_room(fob_records *records, uint8_t kind) {
  if (!fob_unacked_is_full(&records->unacked)) return true;
  if (kind != FOB_PRESSED) return false;
  evict(records, any_slot);
  return true;
}

static void load(fob_records *records, uint64_t now) {
  records->owes_load = !fob_store_is_readable(records->storage);
  if (records->owes_load) {
    fob_records_note_store_failure(records);
    return;
  }
  uint64_t first;
  uint64_t newest = newest_merge(records, &first);
  records->has_unloaded = false;
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event event;
    if (fob_unacked_uses(&records->unacked, slot)) continue;
    if (!fob_store_read(records->storage, slot, &event)) continue;
    if (event.kind < FOB_PRESSED || event.kind > FOB_FAULT) continue;
    bool is_covered = covers(newest, first, &event);
    if (!is_covered && covers(records->last_merge.number, records->last_merge.first, &event)) {
      continue; /* the one that stands for it is in memory alone */
    }
    if (is_covered || !has_room(records, event.kind)) {
      (void)fob_store_clear(records->storage, slot);
    } else if (fob_unacked_is_full(&records->unacked)) {
      records->has_unloaded = true;
    } else {
      fob_unacked_add(&records->unacked, event.event_no, event.kind, slot, now, false);
    }
  }
}

void fob_records_boot(fob_records *records, const fob_storage *storage, uint64_t now) {
  records->storage = storage;
  fob_unacked_init(&records->unacked);
  count_boot(records);
  load(records, now);
}

/* The store may know of more boots than this one did: its next events are numbered behind them. */
static void load_late(fob_records *records, uint64_t now) {
  bool is_counted;
  load(records, now);
  if (records->owes_load) return;
  uint32_t before = boots_before(records, &is_counted);
  if (records->boot_counter <= before) records->boot_counter = before + 1;
}

/* Offers to the store what it refused; false where it refuses again. */
static bool store_memory(fob_records *records) {
  for (int i = 0; i < records->unacked.count; i++) {
    fob_entry *entry = &records->unacked.entries[i];
    fob_event event;
    if (!is_volatile(entry->slot)) continue;
    if (!fob_records_read(records, entry->slot, &event)) continue;
    event.flags &= (uint8_t)~FOB_EVENT_VOLATILE;
    uint8_t slot = free_in_store(records);
    if (slot == FOB_NO_SLOT) break;
    if (!fob_store_write(records->storage, slot, &event)) return false;
    records->memory[entry->slot - FOB_SLOTS].kind = 0;
    entry->slot = slot;
  }
  return true;
}

void fob_records_mend(fob_records *records, uint64_t now) {
  if (records->owes_load) {
    load_late(records, now);
  } else if (records->has_unloaded && !fob_unacked_is_full(&records->unacked)) {
    load(records, now);
  }
  if (records->owes_load) return;
  if (!records->is_store_failing && memory_is_empty(records)) return;
  if (!store_memory(records)) return;
  records->is_store_failing = !fob_store_is_readable(records->storage) ||
                             !fob_store_write_boot(records->storage, records->boot_counter);
}
