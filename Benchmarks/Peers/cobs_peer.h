// The entries of a COBS library, made of its `decode_one(bytes, count, frame) -> length` and its
// `encode_one(frame, count, bytes) -> length`, which writes the delimiter, too.
#pragma once
#include "peer.h"

size_t peer_decode_frames(const uint8_t *stream, const uint32_t *ends, size_t frames) {
  uint8_t frame[256];
  size_t whole = 0, start = 0;
  for (size_t i = 0; i < frames; i++) {
    whole += peer_is_whole(frame, decode_one(stream + start, ends[i] - 1 - start, frame));
    start = ends[i];
  }
  return whole;
}

size_t peer_decode_stream(const uint8_t *stream, size_t count) {
  uint8_t frame[256];
  size_t whole = 0;
  const uint8_t *at = stream, *end = stream + count, *zero;
  while (at < end && (zero = memchr(at, 0, (size_t)(end - at)))) {
    whole += peer_is_whole(frame, decode_one(at, (size_t)(zero - at), frame));
    at = zero + 1;
  }
  return whole;
}

size_t peer_encode_frames(
    const uint8_t *bodies, const uint32_t *ends, size_t frames, uint8_t *stream) {
  uint8_t frame[256];
  uint8_t *at = stream;
  size_t start = 0;
  for (size_t i = 0; i < frames; i++) {
    size_t count = ends[i] - start;
    uint32_t crc = peer_crc32c(bodies + start, count);
    memcpy(frame, bodies + start, count);
    memcpy(frame + count, &crc, 4);
    at += encode_one(frame, count + 4, at);
    start = ends[i];
  }
  return (size_t)(at - stream);
}
