// What a peer library is measured through. Each peer is one shared object, compiled together with
// the library's own source, so that its compiler may inline as it likes.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PEER __attribute__((visibility("default")))

/// Frames of which body and CRC are right, in a stream of `count` bytes.
PEER size_t peer_decode_stream(const uint8_t *stream, size_t count);

/// The same where the frames' ends are known beforehand: of each, the place behind its delimiter.
PEER size_t peer_decode_frames(const uint8_t *stream, const uint32_t *ends, size_t frames);

/// Bodies, of each its end in `bodies`, to frames with a CRC and a delimiter, one after another.
/// Returns the bytes written to `stream`.
PEER size_t peer_encode_frames(
    const uint8_t *bodies, const uint32_t *ends, size_t frames, uint8_t *stream);

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#define PEER_CRC8(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define PEER_CRC1(crc, byte) _mm_crc32_u8((crc), (byte))
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define PEER_CRC8(crc, word) __crc32cd((crc), (word))
#define PEER_CRC1(crc, byte) __crc32cb((crc), (byte))
#endif

#ifdef PEER_CRC8
static inline uint32_t peer_crc32c(const uint8_t *at, size_t count) {
  uint32_t crc = ~0u;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    crc = PEER_CRC8(crc, word);
  }
  for (; count > 0; at++, count--) crc = PEER_CRC1(crc, *at);
  return ~crc;
}

static inline size_t peer_is_whole(const uint8_t *frame, size_t count) {
  if (count < 8) return 0;
  uint32_t crc;
  memcpy(&crc, frame + count - 4, 4);
  return crc == peer_crc32c(frame, count - 4);
}
#endif
