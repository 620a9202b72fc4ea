/* Frames on their way to the host: PROTOCOL.md, section 2.
 *
 * A frame is put into a ring, whole or not at all, and the line takes from it what it can. Times
 * are microseconds. */
#ifndef FOB_LINK_H
#define FOB_LINK_H

#include "fob_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_TRANSMIT_RING = 512 };

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
  uint32_t dropped;
} fob_link;

/* Frames a body whose payload, of `count` bytes, is written behind FOB_HEADER free bytes. False
 * where there is no room for it. */
bool fob_link_put(fob_link *link, uint8_t type, bool resent, uint8_t *body, size_t count,
                  uint64_t now);

/* The same for what is said again by rule: it is counted where there is no room. */
void fob_link_send(fob_link *link, uint8_t type, uint8_t *body, size_t count, uint64_t now);

/* Hands to the line what it takes. */
void fob_link_drain(fob_link *link);

#ifdef __cplusplus
}
#endif

#endif
