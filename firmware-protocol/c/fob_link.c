#include "fob_link.h"

void fob_link_drain(fob_link *link) {
  while (link->count > 0) {
    size_t offered = link->count;
    size_t to_end = (size_t)FOB_TRANSMIT_RING - link->first;
    if (offered > to_end) offered = to_end;
    size_t taken = link->write(link->context, link->ring + link->first, offered);
    link->first = (uint16_t)((link->first + taken) % FOB_TRANSMIT_RING);
    link->count = (uint16_t)(link->count - taken);
    if (taken < offered) return;
  }
}

static void put_ring(fob_link *link, const uint8_t *bytes, size_t count) {
  size_t at = ((size_t)link->first + link->count) % FOB_TRANSMIT_RING;
  for (size_t i = 0; i < count; i++) {
    link->ring[at] = bytes[i];
    at = at + 1 < FOB_TRANSMIT_RING ? at + 1 : 0;
  }
  link->count = (uint16_t)(link->count + count);
}

bool fob_link_put(fob_link *link, uint8_t type, bool resent, uint8_t *body, size_t count,
                  uint64_t now) {
  uint8_t wire[1 + FOB_LONGEST_WIRE];
  body[0] = resent ? FOB_HEAD | FOB_HEAD_RESENT : FOB_HEAD;
  body[1] = type;
  fob_put(body + 2, link->next_seq++, 2);
  /* A lone 00 closes what noise the line has gathered in a quiet second. */
  size_t start = link->has_sent && now - link->last_sent < 1000000 ? 1 : 0;
  link->has_sent = true;
  link->last_sent = now;
  wire[0] = 0;
  count = fob_seal_frame(&link->seal, body, FOB_HEADER + count, now);
  size_t length = 1 - start + fob_frame_encode(body, count, wire + 1);
  if (link->count + length > FOB_TRANSMIT_RING) return false;
  put_ring(link, wire + start, length);
  return true;
}

size_t fob_link_longest(const fob_link *link) {
  return FOB_LONGEST_PAYLOAD - (link->seal.has_session ? FOB_TRAILER_SIZE : 0);
}

void fob_link_send(fob_link *link, uint8_t type, uint8_t *body, size_t count, uint64_t now) {
  if (!fob_link_put(link, type, false, body, count, now)) link->dropped++;
}
