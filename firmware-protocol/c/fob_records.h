/* The events that nobody has acked, across resets: PROTOCOL.md, sections 4.3 and 4.5.
 *
 * Each has an entry in the index and a record in a slot: of the store or, where that refuses it, of
 * memory. A store that fails stops nothing. Where presses fill every place, the newest stands for
 * more than one. Times are microseconds. */
#ifndef FOB_RECORDS_H
#define FOB_RECORDS_H

#include "fob_store.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_VOLATILE = 8, FOB_NO_SLOT = 255 };

typedef struct {
  const fob_storage *storage;
  fob_unacked unacked;
  fob_event memory[FOB_VOLATILE]; /* in slots numbered on from the store's; kind 0: free */
  uint32_t boot_counter;
  uint8_t owed_faults; /* a bit each: made as soon as there is room */
  bool is_store_failing;
  bool owes_load;    /* the store could not be read at boot: nothing is written over it */
  bool has_unloaded; /* presses wait in the store for a place */
  struct {
    uint64_t number, first;
    uint16_t covered;
  } last_merge;
  uint32_t evicted, merged;
} fob_records;

/* Counts the boot and takes up what the store has. All is zero before. */
void fob_records_boot(fob_records *records, const fob_storage *storage, uint64_t now);

/* Finds a place for the event, flags it accordingly and writes it there: its slot, for the index.
 * FOB_NO_SLOT when presses fill every place and this is none: then it is sent once and not kept. */
uint8_t fob_records_keep(fob_records *records, fob_event *event);

bool fob_records_read(const fob_records *records, uint8_t slot, fob_event *event);

/* Takes an entry from the index, and its record from the slot. */
void fob_records_remove(fob_records *records, int index);

/* A press is unacked, or may be: one can lie in a store that was not read yet. */
bool fob_records_may_have_press(const fob_records *records);

/* A fault event is owed, once. */
void fob_records_owe(fob_records *records, uint8_t fault);
void fob_records_note_store_failure(fob_records *records);

/* Each second: offers to the store what it refused, and reads what it did not give. */
void fob_records_mend(fob_records *records, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
