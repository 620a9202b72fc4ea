/* The events that a device keeps until they are acked, and when each is sent again: PROTOCOL.md,
 * section 4.4.
 *
 * Each has its own timer: 100 ms after a sending, doubling to 2 s, for ever. At most four resent
 * events wait for an answer at one time; new events never wait. The records lie in the store; this
 * is their index, 16 bytes each. Times are microseconds. */
#ifndef FOB_UNACKED_H
#define FOB_UNACKED_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_EVENTS = 64, FOB_WINDOW = 4, FOB_NO_ENTRY = -1 };

typedef struct {
  uint64_t number;
  uint32_t due; /* in ticks of 1.024 ms: microseconds >> 10, so nothing divides 64 bits */
  uint8_t back_off;
  uint8_t kind;
  uint8_t slot; /* where the record lies */
  bool was_sent; /* in this boot */
} fob_entry;

typedef struct {
  fob_entry entries[FOB_EVENTS];
  uint8_t count;
  struct {
    uint64_t number; /* 0: a free place */
    uint32_t since;
  } window[FOB_WINDOW];
} fob_unacked;

void fob_unacked_init(fob_unacked *events);

/* Keeps an event that is sent right now or, as a replay, at the next chance. Not when full. */
void fob_unacked_add(fob_unacked *events, uint64_t number, uint8_t kind, uint8_t slot,
                     uint64_t now, bool sent);

/* The last entry takes the place of the one removed, which is returned. */
fob_entry fob_unacked_remove(fob_unacked *events, int index);

/* A host has said HELLO, or the clock has jumped: all are due now, with the first interval. */
void fob_unacked_all_due(fob_unacked *events, uint64_t now);

/* The index of the event to send again now, marked as sent, and whether it was sent before in this
 * boot; FOB_NO_ENTRY when none is due or four wait. A press goes first, then what is due
 * longest. */
int fob_unacked_next(fob_unacked *events, uint64_t now, bool *was_sent);

/* When fob_unacked_next is next worth a call; UINT64_MAX: never. */
uint64_t fob_unacked_wake(const fob_unacked *events, uint64_t now);

bool fob_unacked_is_full(const fob_unacked *events);
bool fob_unacked_has_press(const fob_unacked *events);
bool fob_unacked_uses(const fob_unacked *events, uint8_t slot);

/* The lowest number kept, 0 when none is. */
uint64_t fob_unacked_oldest(const fob_unacked *events);

#ifdef __cplusplus
}
#endif

#endif
