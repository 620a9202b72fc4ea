#include "fob_unacked.h"

#include "fob_messages.h"

enum { FIRST = 98, LONGEST = 1953 }; /* ticks: 100 ms and 2 s */

static uint32_t tick_of(uint64_t now) { return (uint32_t)(now >> 10); }

/* Ticks wrap after 50 days; only differences count. */
static int32_t ticks(uint32_t tick, uint32_t since) { return (int32_t)(tick - since); }

void fob_unacked_init(fob_unacked *events) {
  events->count = 0;
  for (int i = 0; i < FOB_WINDOW; i++) events->window[i].number = 0;
}

void fob_unacked_add(fob_unacked *events, uint64_t number, uint8_t kind, uint8_t slot,
                     uint64_t now, bool sent) {
  fob_entry *entry = &events->entries[events->count++];
  entry->number = number;
  entry->due = tick_of(now) + (sent ? FIRST : 0);
  entry->back_off = sent ? 1 : 0;
  entry->kind = kind;
  entry->slot = slot;
  entry->was_sent = sent;
}

fob_entry fob_unacked_remove(fob_unacked *events, int index) {
  fob_entry entry = events->entries[index];
  for (int i = 0; i < FOB_WINDOW; i++) {
    if (events->window[i].number == entry.number) events->window[i].number = 0;
  }
  events->entries[index] = events->entries[--events->count];
  return entry;
}

void fob_unacked_all_due(fob_unacked *events, uint64_t now) {
  for (int i = 0; i < events->count; i++) {
    events->entries[i].due = tick_of(now);
    events->entries[i].back_off = 0;
  }
  for (int i = 0; i < FOB_WINDOW; i++) events->window[i].number = 0;
}

static int free_place(const fob_unacked *events, uint32_t tick) {
  for (int i = 0; i < FOB_WINDOW; i++) {
    bool is_over = ticks(tick, events->window[i].since) >= FIRST;
    if (events->window[i].number == 0 || is_over) return i;
  }
  return FOB_NO_ENTRY;
}

static bool precedes(const fob_entry *a, const fob_entry *b) {
  bool a_press = a->kind == FOB_PRESSED, b_press = b->kind == FOB_PRESSED;
  if (a_press != b_press) return a_press;
  int32_t order = ticks(a->due, b->due);
  return order != 0 ? order < 0 : a->number < b->number;
}

int fob_unacked_next(fob_unacked *events, uint64_t now, bool *was_sent) {
  uint32_t tick = tick_of(now);
  int place = free_place(events, tick);
  int best = FOB_NO_ENTRY;
  if (place == FOB_NO_ENTRY) return FOB_NO_ENTRY;
  for (int i = 0; i < events->count; i++) {
    if (ticks(tick, events->entries[i].due) < 0) continue;
    if (best == FOB_NO_ENTRY || precedes(&events->entries[i], &events->entries[best])) best = i;
  }
  if (best == FOB_NO_ENTRY) return FOB_NO_ENTRY;
  fob_entry *entry = &events->entries[best];
  uint32_t wait = (uint32_t)FIRST << entry->back_off;
  entry->due = tick + (wait < LONGEST ? wait : LONGEST);
  if (entry->back_off < 5) entry->back_off++;
  events->window[place].number = entry->number;
  events->window[place].since = tick;
  *was_sent = entry->was_sent;
  entry->was_sent = true;
  return best;
}

uint64_t fob_unacked_wake(const fob_unacked *events, uint64_t now) {
  uint32_t tick = tick_of(now);
  int32_t soonest = INT32_MAX, place = INT32_MAX;
  if (events->count == 0) return UINT64_MAX;
  for (int i = 0; i < events->count; i++) {
    int32_t left = ticks(events->entries[i].due, tick);
    if (left < soonest) soonest = left;
  }
  if (free_place(events, tick) == FOB_NO_ENTRY) {
    for (int i = 0; i < FOB_WINDOW; i++) {
      int32_t left = ticks(events->window[i].since + FIRST, tick);
      if (left < place) place = left;
    }
    if (place > soonest) soonest = place;
  }
  return soonest > 0 ? now + ((uint64_t)soonest << 10) : now;
}

bool fob_unacked_is_full(const fob_unacked *events) { return events->count == FOB_EVENTS; }

bool fob_unacked_has_press(const fob_unacked *events) {
  for (int i = 0; i < events->count; i++) {
    if (events->entries[i].kind == FOB_PRESSED) return true;
  }
  return false;
}

bool fob_unacked_uses(const fob_unacked *events, uint8_t slot) {
  for (int i = 0; i < events->count; i++) {
    if (events->entries[i].slot == slot) return true;
  }
  return false;
}

uint64_t fob_unacked_oldest(const fob_unacked *events) {
  uint64_t oldest = 0;
  for (int i = 0; i < events->count; i++) {
    uint64_t number = events->entries[i].number;
    if (oldest == 0 || number < oldest) oldest = number;
  }
  return oldest;
}
