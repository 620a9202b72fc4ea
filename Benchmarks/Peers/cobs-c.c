#include "cobs-c/cobs.c"
#include "peer.h"

static inline size_t decode_one(const uint8_t *bytes, size_t count, uint8_t *frame) {
  cobs_decode_result result = cobs_decode(frame, 256, bytes, count);
  return result.status == COBS_DECODE_OK ? result.out_len : 0;
}

static inline size_t encode_one(const uint8_t *frame, size_t count, uint8_t *bytes) {
  cobs_encode_result result = cobs_encode(bytes, 300, frame, count);
  if (result.status != COBS_ENCODE_OK) return 0;
  bytes[result.out_len] = 0;
  return result.out_len + 1;
}

#include "cobs_peer.h"
