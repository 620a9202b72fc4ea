#include "fob_seal.h"

static const fob_seal blank;

void fob_seal_unpair(fob_seal *seal) {
  uint32_t number = seal->number;
  *seal = blank;
  seal->number = number;
}

void fob_seal_pair(fob_seal *seal, const uint8_t *key) {
  fob_seal_unpair(seal);
  seal->is_paired = true;
  if (key == NULL) return;
  for (int i = 0; i < FOB_KEY_SIZE; i++) seal->key[i] = key[i];
  fob_blake2s_prepare(&seal->event, key, FOB_KEY_SIZE, "fob-evnt");
  seal->has_key = true;
}

bool fob_seal_take_new(fob_seal *seal) {
  bool is_new = seal->is_new;
  seal->is_new = false;
  return is_new;
}

static uint32_t clock_of(uint64_t now) { return (uint32_t)(now >> 10); }

static void begin(fob_blake2s *hash, const uint8_t *key, size_t count, const char *person) {
  fob_blake2s_key prepared;
  fob_blake2s_prepare(&prepared, key, count, person);
  fob_blake2s_begin(hash, &prepared);
}

static void add(fob_blake2s *hash, uint64_t number, size_t size) {
  uint8_t bytes[8];
  fob_put(bytes, number, size);
  fob_blake2s_add(hash, bytes, size);
}

uint64_t fob_seal_pairing_tag(const uint8_t *key, uint32_t session, uint64_t device_id) {
  fob_blake2s hash;
  begin(&hash, key, FOB_KEY_SIZE, "fob-pair");
  add(&hash, session, 4);
  add(&hash, device_id, 8);
  return fob_blake2s_tag(&hash);
}

/* --- Proof (15.3). --- */

static bool is_offered(const fob_seal *seal, const fob_challenge *challenge) {
  return seal->has_offer && seal->challenge.session_nonce == challenge->session_nonce &&
         seal->challenge.host_nonce == challenge->host_nonce;
}

/* The session goes on meanwhile, so that a stranger's CHALLENGE ends nothing. */
static void offer(fob_seal *seal, const fob_challenge *challenge, uint64_t device_id,
                  const fob_proof *proof) {
  fob_blake2s hash;
  begin(&hash, seal->key, FOB_KEY_SIZE, "fob-sess");
  add(&hash, challenge->host_nonce, 8);
  add(&hash, proof->session_nonce, 4);
  add(&hash, proof->boot_counter, 4);
  add(&hash, proof->boot_nonce, 4);
  add(&hash, proof->number, 4);
  add(&hash, device_id, 8);
  fob_blake2s_end(&hash, seal->offer);
  seal->challenge = *challenge;
  seal->has_offer = true;
}

bool fob_seal_prove(fob_seal *seal, const fob_challenge *challenge, uint64_t device_id,
                    fob_proof *proof, uint64_t now) {
  fob_blake2s hash;
  if (!seal->has_key) return false;
  proof->session_nonce = challenge->session_nonce;
  proof->number = seal->number + 1;
  proof->clock = clock_of(now);
  if (!is_offered(seal, challenge)) offer(seal, challenge, device_id, proof);
  begin(&hash, seal->offer, sizeof seal->offer, "fob-prov");
  add(&hash, proof->session_nonce, 4);
  add(&hash, proof->boot_counter, 4);
  add(&hash, proof->boot_nonce, 4);
  add(&hash, proof->number, 4);
  add(&hash, proof->clock, 4);
  proof->tag = fob_blake2s_tag(&hash);
  return true;
}

/* --- Sealed frames (15.4). --- */

/* Over head, type, payload, clock and counter: seq is left out. */
static uint64_t tag_of(const fob_blake2s_key *key, const uint8_t *body, size_t count) {
  fob_blake2s hash;
  fob_blake2s_begin(&hash, key);
  fob_blake2s_add(&hash, body, 2);
  fob_blake2s_add(&hash, body + FOB_HEADER, count - FOB_HEADER);
  return fob_blake2s_tag(&hash);
}

size_t fob_seal_frame(fob_seal *seal, uint8_t *body, size_t count, uint64_t now) {
  const fob_blake2s_key *key = &seal->mine;
  uint32_t counter = 0;
  if (body[1] == FOB_HELLO || body[1] == FOB_PROOF) return count;
  if (body[1] == FOB_EVENT) {
    if (!seal->has_key) return count;
    key = &seal->event;
  } else {
    if (!seal->has_session || seal->sent == UINT32_MAX) return count;
    counter = ++seal->sent;
  }
  body[0] |= FOB_HEAD_SEALED;
  uint8_t *at = fob_put(body + count, clock_of(now), 4);
  at = fob_put(at, counter, 4);
  fob_put(at, tag_of(key, body, count + 8), 8);
  return count + FOB_TRAILER_SIZE;
}

size_t fob_seal_trailer(const uint8_t *body, size_t count) {
  bool is_sealed = body[0] >> 4 == FOB_VERSION && (body[0] & FOB_HEAD_SEALED) != 0;
  return is_sealed && count >= FOB_HEADER + FOB_TRAILER_SIZE ? FOB_TRAILER_SIZE : 0;
}

/* Whether a sealed frame is newer than all before it, and has the tag of `key`. The comparison
 * takes the same time however much of a wrong tag is right. */
static bool takes(const fob_blake2s_key *key, uint32_t *received, const uint8_t *body,
                  size_t count) {
  const uint8_t *at = body + count - 12;
  uint32_t counter = fob_take32(&at);
  uint64_t tag = fob_take64(&at);
  if (counter <= *received || (tag_of(key, body, count - 8) ^ tag) != 0) return false;
  *received = counter;
  return true;
}

static bool is_proved(fob_seal *seal, const uint8_t *body, size_t count) {
  fob_blake2s_key theirs;
  uint32_t received = 0;
  if (seal->has_session && takes(&seal->theirs, &seal->received, body, count)) return true;
  if (!seal->has_offer) return false;
  fob_blake2s_prepare(&theirs, seal->offer, sizeof seal->offer, "fob-host");
  if (!takes(&theirs, &received, body, count)) return false;
  seal->theirs = theirs;
  seal->received = received;
  fob_blake2s_prepare(&seal->mine, seal->offer, sizeof seal->offer, "fob-devi");
  seal->sent = 0;
  seal->has_session = true;
  seal->has_offer = false;
  seal->proved = seal->challenge.session_nonce;
  seal->number++;
  seal->is_new = true;
  return true;
}

/* What is obeyed for a while after it was said, and not later. */
static bool is_dated(uint8_t type) {
  return type == FOB_INDICATE || type == FOB_LED_SET || type == FOB_CONFIG || type == FOB_UNPAIR;
}

/* By a clock of the device at most 3 s old, in units of 1024 us. */
static bool is_fresh(const uint8_t *trailer, uint64_t now) {
  return clock_of(now) - fob_take32(&trailer) <= 2930;
}

bool fob_seal_admits(fob_seal *seal, const uint8_t *body, size_t count, uint64_t now) {
  uint8_t type = body[1];
  if (!seal->is_paired) return true;
  if (!(body[0] & FOB_HEAD_SEALED)) return !is_dated(type) && type != FOB_EVENT_ACK;
  if (fob_seal_trailer(body, count) == 0 || !is_proved(seal, body, count)) return false;
  return !is_dated(type) || is_fresh(body + count - FOB_TRAILER_SIZE, now);
}
