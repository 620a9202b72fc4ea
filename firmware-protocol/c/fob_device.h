/* The device's end of the keychain link, whole: PROTOCOL.md, sections 4 to 10 and 15.
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

#include "fob_session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the device is. 1.7 KB of index and transmit ring, 0.6 KB of records that the store refused,
 * 0.3 KB of decoder, 0.2 KB of keys. Its fields are for the sources here and for tests. */
typedef struct {
  fob_session session;
  fob_decoder decoder;
  uint32_t damaged; /* frames of the host */
  uint8_t battery_level, reported_quality;
  uint64_t last_time, next_second, next_battery_report, next_fix_report;
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

/* A fix just read from the receiver; `fix->clock` is when. Say quality 0 when it is lost, and each
 * 10 s while the receiver is heard and has none: the last place stays known. */
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
