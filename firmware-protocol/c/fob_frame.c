#include "fob_frame.h"

uint8_t fob_take8(const uint8_t **at) { return *(*at)++; }

uint16_t fob_take16(const uint8_t **at) {
  uint16_t low = fob_take8(at);
  return (uint16_t)(low | fob_take8(at) << 8);
}

uint32_t fob_take32(const uint8_t **at) {
  uint32_t low = fob_take16(at);
  return low | (uint32_t)fob_take16(at) << 16;
}

uint64_t fob_take64(const uint8_t **at) {
  uint64_t low = fob_take32(at);
  return low | (uint64_t)fob_take32(at) << 32;
}

uint8_t *fob_put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) {
    *at++ = (uint8_t)value;
    value >>= 8;
  }
  return at;
}

#ifdef FOB_CRC32C
uint32_t FOB_CRC32C(const uint8_t *bytes, size_t count);

uint32_t fob_crc32c(const uint8_t *bytes, size_t count) { return FOB_CRC32C(bytes, count); }
#else
/* The polynomial 82F63B78, half a byte at a time. */
static const uint32_t nibbles[16] = {
    0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u, 0x417B1DBCu, 0x5125DAD3u,
    0x61C69362u, 0x7198540Du, 0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u,
    0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u,
};

uint32_t fob_crc32c(const uint8_t *bytes, size_t count) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < count; i++) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ nibbles[crc & 15];
    crc = crc >> 4 ^ nibbles[crc & 15];
  }
  return ~crc;
}
#endif

/* Where the code of the open block stands, and how many bytes are written. */
typedef struct {
  uint8_t *coded;
  size_t code_at;
  size_t count;
} stuffing;

static void stuff(stuffing *out, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == 0) {
      out->coded[out->code_at] = (uint8_t)(out->count - out->code_at);
      out->code_at = out->count;
    } else {
      out->coded[out->count] = bytes[i];
    }
    out->count++;
  }
}

static size_t end_stuffing(stuffing *out) {
  out->coded[out->code_at] = (uint8_t)(out->count - out->code_at);
  return out->count;
}

size_t fob_cobs_encode(const uint8_t *bytes, size_t count, uint8_t *coded) {
  stuffing out = {coded, 0, 1};
  if (count > FOB_LONGEST_FRAME) return 0;
  stuff(&out, bytes, count);
  return end_stuffing(&out);
}

size_t fob_frame_encode(const uint8_t *body, size_t count, uint8_t *wire) {
  stuffing out = {wire, 0, 1};
  if (count > FOB_LONGEST_BODY) return 0;
  uint8_t crc[4];
  fob_put(crc, fob_crc32c(body, count), sizeof crc);
  stuff(&out, body, count);
  stuff(&out, crc, sizeof crc);
  size_t coded = end_stuffing(&out);
  wire[coded] = 0;
  return coded + 1;
}

/* START: no byte since the delimiter. SKIPPING: refused already, up to the next delimiter. */
enum { START, INSIDE, SKIPPING };

void fob_decoder_reset(fob_decoder *decoder) {
  decoder->count = 0;
  decoder->pending = 0;
  decoder->state = START;
}

static void begin_block(fob_decoder *decoder, uint8_t code) {
  if (decoder->state == SKIPPING) return;
  bool is_first = decoder->state == START;
  size_t start = is_first ? 0 : decoder->count + 1u;
  size_t length = code - 1u;
  if (start + length > FOB_LONGEST_FRAME) { /* always of the code FF */
    decoder->state = SKIPPING;
    return;
  }
  if (!is_first) decoder->frame[decoder->count] = 0; /* the zero that the block before stands for */
  decoder->state = INSIDE;
  decoder->count = (uint8_t)start;
  decoder->pending = (uint8_t)length;
}

static fob_outcome end_frame(fob_decoder *decoder) {
  uint8_t state = decoder->state;
  bool is_cut = decoder->pending > 0;
  decoder->state = START;
  decoder->pending = 0;
  if (state == START) return FOB_NOTHING;
  if (state == SKIPPING) return FOB_LONG;
  if (is_cut) return FOB_CUT;
  if (decoder->count < FOB_SHORTEST_FRAME) return FOB_SHORT;
  const uint8_t *crc = decoder->frame + decoder->count - 4;
  uint32_t said = fob_take32(&crc);
  return fob_crc32c(decoder->frame, decoder->count - 4u) == said ? FOB_FRAME : FOB_WRONG_CRC;
}

/* Copies what is there of the open block; a zero in it, which is left, ends the frame too soon. */
static void copy_block(fob_decoder *decoder, const uint8_t **bytes, size_t *count) {
  size_t most = decoder->pending < *count ? decoder->pending : *count;
  size_t done = 0;
  uint8_t *to = decoder->frame + decoder->count;
  while (done < most && (*bytes)[done] != 0) {
    to[done] = (*bytes)[done];
    done++;
  }
  decoder->count = (uint8_t)(decoder->count + done);
  decoder->pending = (uint8_t)(decoder->pending - done);
  *bytes += done;
  *count -= done;
}

fob_outcome fob_decoder_next(fob_decoder *decoder, const uint8_t **bytes, size_t *count) {
  while (*count > 0) {
    if (decoder->pending > 0) copy_block(decoder, bytes, count);
    if (*count == 0) break;
    uint8_t code = **bytes;
    (*bytes)++;
    (*count)--;
    if (code != 0) {
      begin_block(decoder, code);
    } else {
      fob_outcome outcome = end_frame(decoder);
      if (outcome != FOB_NOTHING) return outcome;
    }
  }
  return FOB_NOTHING;
}

const uint8_t *fob_decoder_body(const fob_decoder *decoder, size_t *count) {
  *count = decoder->count < 4u ? 0 : decoder->count - 4u;
  return decoder->frame;
}
