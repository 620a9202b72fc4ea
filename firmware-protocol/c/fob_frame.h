/* Frames of the keychain link: PROTOCOL.md, section 2.
 *
 *   wire = COBS(body, CRC-32C of the body) 00       body = head, type, seq (2 bytes), payload
 *
 * Everything here works on the caller's memory, allocates nothing and takes any bytes. */
#ifndef FOB_FRAME_H
#define FOB_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes. */
enum {
  FOB_SHORTEST_FRAME = 8, /* decoded: body and CRC */
  FOB_LONGEST_FRAME = 253,
  FOB_HEADER = 4, /* of a body, before its payload: head, type, seq */
  FOB_LONGEST_BODY = FOB_LONGEST_FRAME - 4,
  FOB_LONGEST_PAYLOAD = FOB_LONGEST_BODY - FOB_HEADER,
  FOB_LONGEST_WIRE = FOB_LONGEST_FRAME + 2 /* with its delimiter */
};

/* The first byte of a body: the major version in bits 7 to 4. */
enum {
  FOB_VERSION = 1,
  FOB_HEAD = FOB_VERSION << 4,
  FOB_HEAD_RESENT = 4,
  FOB_HEAD_SEALED = 8,
  FOB_HEAD_RESERVED = 3 /* these bits are 0 in version 1 */
};

/* Little-endian numbers, for the sources here. Each takes one from the front of the bytes at `*at`,
 * and moves `*at` on. */
uint8_t fob_take8(const uint8_t **at);
uint16_t fob_take16(const uint8_t **at);
uint32_t fob_take32(const uint8_t **at);
uint64_t fob_take64(const uint8_t **at);

/* Writes the low `size` bytes of `value`, at most 8; returns the place behind them. */
uint8_t *fob_put(uint8_t *at, uint64_t value, size_t size);

/* CRC-32C (RFC 3720). Of "123456789": E3069283. It works with a table of 64 bytes; build with
 * FOB_CRC32C defined to the name of a function of your own to use an instruction or a peripheral
 * instead. */
uint32_t fob_crc32c(const uint8_t *bytes, size_t count);

/* Stuffs up to 253 bytes, without a delimiter: COBS of Cheshire and Baker (1999).
 * coded: room for count + 1 bytes.
 * Returns how many bytes were written, 0 where `count` is more than 253. */
size_t fob_cobs_encode(const uint8_t *bytes, size_t count, uint8_t *coded);

/* Makes the frame of a body: CRC, stuffing, delimiter.
 * wire: room for count + 6 bytes, at most FOB_LONGEST_WIRE.
 * Returns how many bytes were written, 0 where `count` is more than FOB_LONGEST_BODY. */
size_t fob_frame_encode(const uint8_t *body, size_t count, uint8_t *wire);

/* What ended with a delimiter. */
typedef enum {
  FOB_NOTHING,   /* the bytes are used up, and no frame has ended */
  FOB_FRAME,     /* a whole frame; its body is in the decoder until the next call */
  FOB_SHORT,     /* refused: fewer than 8 bytes */
  FOB_LONG,      /* refused: more than 253 bytes, or the code FF */
  FOB_CUT,       /* refused: a code points past the end of the run */
  FOB_WRONG_CRC  /* refused */
} fob_outcome;

/* Finds frames in a stream, however it is cut into pieces. 256 bytes. */
typedef struct {
  uint8_t frame[FOB_LONGEST_FRAME];
  uint8_t count;   /* bytes in `frame` */
  uint8_t pending; /* bytes of the open block that are still to come */
  uint8_t state;
} fob_decoder;

void fob_decoder_reset(fob_decoder *decoder);

/* Takes bytes from the front of `*bytes` until a frame ends, and moves `*bytes` and `*count` on.
 * Call it until it returns FOB_NOTHING. Refused runs are for counting only: nothing is answered. */
fob_outcome fob_decoder_next(fob_decoder *decoder, const uint8_t **bytes, size_t *count);

/* After FOB_FRAME: the body, and how many bytes it has (4 to 249). */
const uint8_t *fob_decoder_body(const fob_decoder *decoder, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
