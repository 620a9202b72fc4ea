// The reference of this repository, firmware-protocol/c, with the CRC that the others have.
#include "peer.h"

#define FOB_CRC32C peer_crc32c
#include "../../firmware-protocol/c/fob_frame.c"

size_t peer_decode_stream(const uint8_t *stream, size_t count) {
  fob_decoder decoder;
  fob_outcome outcome;
  size_t whole = 0;
  fob_decoder_reset(&decoder);
  while ((outcome = fob_decoder_next(&decoder, &stream, &count)) != FOB_NOTHING) {
    whole += outcome == FOB_FRAME;
  }
  return whole;
}

size_t peer_encode_frames(
    const uint8_t *bodies, const uint32_t *ends, size_t frames, uint8_t *stream) {
  uint8_t *at = stream;
  size_t start = 0;
  for (size_t i = 0; i < frames; i++) {
    at += fob_frame_encode(bodies + start, ends[i] - start, at);
    start = ends[i];
  }
  return (size_t)(at - stream);
}
