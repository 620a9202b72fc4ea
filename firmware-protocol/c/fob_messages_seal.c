#include "fob_messages.h"

/* The messages of pairing and proof: PROTOCOL.md, section 15. */

fob_reading fob_read_challenge(const uint8_t *payload, size_t count, fob_challenge *message) {
  const uint8_t *at = payload;
  if (count < FOB_CHALLENGE_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  message->host_nonce = fob_take64(&at);
  return FOB_READ;
}

size_t fob_write_challenge(const fob_challenge *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->host_nonce, 8);
  return (size_t)(at - payload);
}

fob_reading fob_read_proof(const uint8_t *payload, size_t count, fob_proof *message) {
  const uint8_t *at = payload;
  if (count < FOB_PROOF_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  message->boot_counter = fob_take32(&at);
  message->boot_nonce = fob_take32(&at);
  message->number = fob_take32(&at);
  message->clock = fob_take32(&at);
  message->tag = fob_take64(&at);
  return FOB_READ;
}

size_t fob_write_proof(const fob_proof *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->boot_counter, 4);
  at = fob_put(at, message->boot_nonce, 4);
  at = fob_put(at, message->number, 4);
  at = fob_put(at, message->clock, 4);
  at = fob_put(at, message->tag, 8);
  return (size_t)(at - payload);
}

fob_reading fob_read_pair(const uint8_t *payload, size_t count, fob_pair *message) {
  const uint8_t *at = payload;
  if (count < FOB_PAIR_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  message->key_low = fob_take64(&at);
  message->key_high = fob_take64(&at);
  return FOB_READ;
}

size_t fob_write_pair(const fob_pair *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->key_low, 8);
  at = fob_put(at, message->key_high, 8);
  return (size_t)(at - payload);
}

fob_reading fob_read_pair_result(const uint8_t *payload, size_t count, fob_pair_result *message) {
  const uint8_t *at = payload;
  if (count < FOB_PAIR_RESULT_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  message->result = fob_take8(&at);
  message->tag = fob_take64(&at);
  return message->result > FOB_UNPAIRED ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_pair_result(const fob_pair_result *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->result, 1);
  at = fob_put(at, message->tag, 8);
  return (size_t)(at - payload);
}

fob_reading fob_read_unpair(const uint8_t *payload, size_t count, fob_unpair *message) {
  const uint8_t *at = payload;
  if (count < FOB_UNPAIR_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_unpair(const fob_unpair *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  return (size_t)(at - payload);
}
