/* What a host's frame asks for, and the answer: PROTOCOL.md, sections 5.3, 6, 7, 10 and 15. */
#ifndef FOB_SESSION_H
#define FOB_SESSION_H

#include "fob_button.h"
#include "fob_display.h"
#include "fob_events.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FOB_REJECTS_PER_SECOND = 16 };

/* All that a host can ask about or change. */
typedef struct {
  fob_events events;
  fob_button button;
  fob_display display;
  uint32_t nonce; /* of the host's HELLO answered last, 0 when there was none */
  bool has_presence; /* the button was closed at power-on and has stayed so */
  uint64_t unpair_by; /* pressed again until then, the button takes the key; 0: it does not */
  uint64_t rejects_since;
  uint8_t rejects;
} fob_session;

/* Does what the frame of this body, of at least FOB_HEADER bytes, asks for. */
void fob_session_answer(fob_session *session, const uint8_t *body, size_t count, uint64_t now);

/* Takes up the key of the store, where that can be read. What an unproved host has said until then
 * ends. */
void fob_session_load_key(fob_session *session);

/* Held for ten seconds since power-on, let go, and pressed again while the light shows `identify`:
 * whoever has the device in hand takes its key from it (15.2). Call it for each change, behind its
 * event. */
void fob_session_button(fob_session *session, const fob_button_change *change, uint64_t now);

/* Of nonce 0: the unasked one of a boot. */
void fob_session_send_hello(fob_session *session, uint64_t now);
void fob_session_send_led_state(fob_session *session, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
