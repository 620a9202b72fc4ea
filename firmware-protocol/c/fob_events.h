/* Events: numbered, stamped, kept, sent, sent again until acked: PROTOCOL.md, section 4.
 *
 * Durable first, then told; a store that fails never stops the telling. Times are microseconds
 * since boot. */
#ifndef FOB_EVENTS_H
#define FOB_EVENTS_H

#include "fob_board.h"
#include "fob_link.h"
#include "fob_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const fob_board *board;
  fob_link link;
  fob_records records;
  uint32_t last_number;
  bool owes_boot;
  /* The last readings: each event carries them. */
  uint16_t millivolts;
  uint8_t battery_percent;
  bool has_fix;
  fob_gps_fix fix;
} fob_events;

/* All is zero before. */
void fob_events_boot(fob_events *events, const fob_board *board, uint64_t now);

/* The board's clock where it has one, else the time of the call. */
uint64_t fob_events_time(const fob_events *events, uint64_t now);

void fob_events_commit(fob_events *events, uint8_t kind, uint64_t clock, uint8_t detail,
                       uint8_t flags, uint64_t now);
void fob_events_forget(fob_events *events, const fob_event_ack *ack);

/* Sends what is due again, then commits what is owed: the boot, and faults as there is room. */
void fob_events_poll(fob_events *events, uint64_t now);

/* The clock has gone back by `lost`: all are due now. */
void fob_events_clock_lost(fob_events *events, uint64_t lost, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
