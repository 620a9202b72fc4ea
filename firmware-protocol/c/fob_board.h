/* What differs from board to board. */
#ifndef FOB_BOARD_H
#define FOB_BOARD_H

#include "fob_store.h"

/* It must outlive the device. */
typedef struct {
  uint64_t device_id;
  uint32_t boot_nonce; /* random, made anew at each boot, not 0 */
  uint8_t reset_cause; /* FOB_RESET_... */
  uint8_t firmware_version[3];
  const char *name, *build; /* for FW_INFO */
  bool button_closed;       /* as found at boot */
  uint16_t millivolts;
  uint8_t battery_percent;
  bool has_no_battery, has_no_gps; /* said in HELLO; the readings above do not count then */
  fob_storage storage;
  void *context;
  /* Takes bytes for the host and returns how many it took; the rest is offered again. */
  size_t (*write_link)(void *context, const uint8_t *bytes, size_t count);
  /* Microseconds since boot, for commit_delta and TIME_RESP where a write to the store takes long.
   * May be NULL: then the time of the call counts. */
  uint64_t (*clock)(void *context);
} fob_board;

#endif
