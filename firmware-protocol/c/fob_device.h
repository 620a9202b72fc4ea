/* The device's end of the keychain link, whole: PROTOCOL.md, sections 4 to 10.
 *
 * A machine that is told what happened and when; it reads no clock, allocates nothing, blocks
 * never. What a press means and what the light shows, a host says: this numbers, stores, sends,
 * sends again until acked, and answers. Times are microseconds since boot.
 *
 * The order of calls: fob_device_boot once; then, whenever something happened and when
 * fob_device_poll asked for it: _receive, _contact, _battery and _fix as there is news, and
 * fob_device_poll at the end. Calls of one device must not interrupt each other. */
#ifndef FOB_DEVICE_H
#define FOB_DEVICE_H

#include "fob_button.h"
#include "fob_display.h"
#include "fob_store.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_TRANSMIT_RING = 512, FOB_VOLATILE = 8, FOB_REJECTS_PER_SECOND = 16 };

/* What differs from board to board. It must outlive the device. */
typedef struct {
  uint64_t device_id;
  uint32_t boot_nonce; /* random, made anew at each boot, not 0 */
  uint8_t reset_cause; /* FOB_RESET_... */
  uint8_t firmware_version[3];
  const char *name, *build; /* for FW_INFO */
  bool button_closed;       /* as found at boot */
  uint16_t millivolts;
  uint8_t battery_percent;
  fob_storage storage;
  void *context;
  /* Takes bytes for the host and returns how many it took; the rest is offered again. */
  size_t (*write_link)(void *context, const uint8_t *bytes, size_t count);
  /* Microseconds since boot, for commit_delta and TIME_RESP where a write to the store takes long.
   * May be NULL: then the time of the call counts. */
  uint64_t (*clock)(void *context);
} fob_board;

/* Where the device is. 1.7 KB of index and transmit ring, 0.6 KB of records that the store refused,
 * 0.3 KB of decoder. Its fields are for the sources here and for tests. */
typedef struct {
  const fob_board *board;
  fob_decoder decoder;
  uint8_t ring[FOB_TRANSMIT_RING];
  uint16_t ring_first, ring_count;
  uint16_t next_seq;
  bool has_sent;
  uint64_t last_sent;
  uint32_t session; /* of the host's HELLO answered last, 0 when there was none */
  uint64_t rejects_since;
  uint8_t rejects;

  fob_unacked unacked;
  fob_event memory[FOB_VOLATILE]; /* in slots numbered on from the store's; kind 0: free */
  uint32_t boot_counter, last_number;
  bool owes_boot;
  uint8_t owed_faults; /* a bit each: made as soon as there is room */
  bool is_store_failing;
  bool owes_load;    /* the store could not be read at boot: nothing is written over it */
  bool has_unloaded; /* presses wait in the store for a place */
  struct {
    uint64_t number, first;
    uint16_t covered;
  } last_merge;

  fob_button button;
  fob_display display;
  uint16_t millivolts;
  uint8_t battery_percent, battery_level;
  bool has_fix;
  uint8_t reported_quality;
  fob_gps_fix fix;
  uint64_t next_fix_report;

  uint64_t last_time, next_second, next_battery_report;
  uint32_t rx_damaged, tx_dropped, evicted, merged;
} fob_device;

/* Reads the store, counts the boot, says HELLO. */
void fob_device_boot(fob_device *device, const fob_board *board, uint64_t now);

/* Bytes of the host, as they came. */
void fob_device_receive(fob_device *device, const uint8_t *bytes, size_t count, uint64_t now);

/* The contact: at each edge with the moment that it happened, `at`, and before each poll with the
 * level as it is and `at` equal to `now`. */
void fob_device_contact(fob_device *device, bool closed, uint64_t at, uint64_t now);

/* The battery's last reading; it is judged each second. */
void fob_device_battery(fob_device *device, uint16_t millivolts, uint8_t percent);

/* A fix just read from the receiver; `fix->clock` is when. Say quality 0 when it is lost. */
void fob_device_fix(fob_device *device, const fob_gps_fix *fix, uint64_t now);

/* Does everything that is due.
 * Returns when it wants to be polled again though nothing has happened. */
uint64_t fob_device_poll(fob_device *device, uint64_t now);

/* What the light and the sounder are to show since the last poll. */
const fob_shown *fob_device_shown(const fob_device *device);

#ifdef __cplusplus
}
#endif

#endif
