/* The device's end of the sealed link: PROTOCOL.md, section 15.
 *
 * The key, the session that was proved, and the one that is offered to a host. Times are
 * microseconds since boot. */
#ifndef FOB_SEAL_H
#define FOB_SEAL_H

#include "fob_blake2s.h"
#include "fob_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes between a sealed payload and its CRC. */
enum { FOB_TRAILER_SIZE = 16 };

/* Neither key nor session where all is zero. */
typedef struct {
  bool is_paired; /* has a key, or a damaged record of one */
  bool has_key, has_session, has_offer;
  bool is_new; /* a session was proved that nobody has asked about */
  uint8_t key[FOB_KEY_SIZE];
  fob_blake2s_key event;
  uint32_t proved; /* the host's session that was proved last, 0 when none was */
  uint32_t number; /* of sealed sessions proved in this boot */
  fob_blake2s_key mine, theirs;
  uint32_t sent, received; /* the counters of the session */
  fob_challenge challenge; /* what was offered, and to whom */
  uint8_t offer[FOB_DIGEST_SIZE];
} fob_seal;

/* Begins with a key; with none, NULL, where its record is damaged: nothing is proved then. */
void fob_seal_pair(fob_seal *seal, const uint8_t *key);

/* Forgets the key, and all that was proved by it. */
void fob_seal_unpair(fob_seal *seal);

/* The tag of PAIR_RESULT: the device has this key. */
uint64_t fob_seal_pairing_tag(const uint8_t *key, uint32_t session, uint64_t device_id);

/* Answers CHALLENGE of the host whose HELLO was answered last. `proof` has boot_counter and
 * boot_nonce; the rest is filled in. False without a key. */
bool fob_seal_prove(fob_seal *seal, const fob_challenge *challenge, uint64_t device_id,
                    fob_proof *proof, uint64_t now);

/* Seals a body of `count` bytes where it is to be: room for FOB_TRAILER_SIZE more is behind it.
 * Returns how many bytes it has then. */
size_t fob_seal_frame(fob_seal *seal, uint8_t *body, size_t count, uint64_t now);

/* Whether a host's frame counts at this device, by its body of at least FOB_HEADER bytes. The first
 * that is sealed with the offered key opens that session. */
bool fob_seal_admits(fob_seal *seal, const uint8_t *body, size_t count, uint64_t now);

/* Whether a session was proved since this was last asked: LED_STATE is owed then. */
bool fob_seal_take_new(fob_seal *seal);

/* Bytes behind the payload of this body that seal it: FOB_TRAILER_SIZE, or 0. */
size_t fob_seal_trailer(const uint8_t *body, size_t count);

#ifdef __cplusplus
}
#endif

#endif
