#include "cobs-c/cobs.c"
#include "peer.h"

static inline size_t decode_one(const uint8_t *bytes, size_t count, uint8_t *frame) {
  cobs_decode_result result = cobs_decode(frame, 256, bytes, count);
  return result.status == COBS_DECODE_OK ? result.out_len : 0;
}

#include "cobs_peer.h"
