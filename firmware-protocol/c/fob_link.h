/* Frames on their way to the host: PROTOCOL.md, sections 2 and 15.4.
 *
 * A frame is put into a ring, whole or not at all, and the line takes from it what it can. Times
 * are microseconds. */
#ifndef FOB_LINK_H
#define FOB_LINK_H

#include "fob_seal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In bytes; the second is what a body has around its payload, with room to seal it. */
enum { FOB_TRANSMIT_RING = 512, FOB_AROUND = FOB_HEADER + FOB_TRAILER_SIZE };

/* Empty where all but `context` and `write` is zero. */
typedef struct {
  void *context;
  /* Takes bytes for the host and returns how many it took; the rest is offered again. */
  size_t (*write)(void *context, const uint8_t *bytes, size_t count);
  uint8_t ring[FOB_TRANSMIT_RING];
  uint16_t first, count; /* of the bytes that wait in the ring */
  uint16_t next_seq;
  bool has_sent;
  uint64_t last_sent;
  fob_seal seal;
  uint32_t dropped;
} fob_link;

/* Frames a body, sealed where that is due. Its payload, of `count` bytes, is written behind
 * FOB_HEADER free bytes, and FOB_TRAILER_SIZE more are free behind it. False where the ring has no
 * room. */
bool fob_link_put(fob_link *link, uint8_t type, bool resent, uint8_t *body, size_t count,
                  uint64_t now);

/* The same for what is said again by rule: it is counted where there is no room. */
void fob_link_send(fob_link *link, uint8_t type, uint8_t *body, size_t count, uint64_t now);

/* The longest payload that a frame may have now. */
size_t fob_link_longest(const fob_link *link);

/* Hands to the line what it takes. */
void fob_link_drain(fob_link *link);

#ifdef __cplusplus
}
#endif

#endif
