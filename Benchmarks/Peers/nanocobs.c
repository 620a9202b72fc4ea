#include "nanocobs/cobs.c"
#include "peer.h"

// Its decoder wants the delimiter, too.
static inline size_t decode_one(const uint8_t *bytes, size_t count, uint8_t *frame) {
  size_t length = 0;
  return cobs_decode(bytes, count + 1, frame, 256, &length) == COBS_RET_SUCCESS ? length : 0;
}

static inline size_t encode_one(const uint8_t *frame, size_t count, uint8_t *bytes) {
  size_t length = 0;
  return cobs_encode(frame, count, bytes, 300, &length) == COBS_RET_SUCCESS ? length : 0;
}

#include "cobs_peer.h"
