#include "fob_session.h"

void fob_session_send_hello(fob_session *session, uint64_t now) {
  const fob_board *board = session->events.board;
  uint8_t body[FOB_AROUND + FOB_HELLO_SIZE];
  uint32_t capabilities = FOB_CAN_SEAL;
  if (session->events.link.seal.is_paired) capabilities |= FOB_IS_PAIRED;
  if (board->has_no_battery) capabilities |= FOB_NO_BATTERY;
  if (board->has_no_gps) capabilities |= FOB_NO_GPS;
  fob_hello hello = {.role = FOB_ROLE_DEVICE,
                     .version_min = FOB_VERSION,
                     .version_max = FOB_VERSION,
                     .reset_cause = board->reset_cause,
                     .capabilities = capabilities,
                     .max_frame = FOB_LONGEST_WIRE,
                     .table_hash = FOB_TABLE_HASH,
                     .session_nonce = session->nonce,
                     .device_id = board->device_id,
                     .boot_counter = session->events.records.boot_counter,
                     .boot_nonce = board->boot_nonce,
                     .oldest_unacked = fob_unacked_oldest(&session->events.records.unacked)};
  for (int i = 0; i < 3; i++) hello.firmware_version[i] = board->firmware_version[i];
  size_t count = fob_write_hello(&hello, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_HELLO, body, count, now);
}

void fob_session_send_led_state(fob_session *session, uint64_t now) {
  const fob_shown *shown = &session->display.shown;
  uint8_t body[FOB_AROUND + FOB_LED_STATE_SIZE];
  fob_led_state state = {.clock = shown->began,
                         .shown_state = shown->state,
                         .detail = shown->detail,
                         .flags = (uint8_t)((shown->sounder ? 1 : 0) | shown->source << 1),
                         .session_nonce = session->display.obeyed.session_nonce,
                         .revision = session->display.obeyed.revision};
  size_t count = fob_write_led_state(&state, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_LED_STATE, body, count, now);
}

typedef struct {
  uint8_t type;
  uint16_t seq;
  const uint8_t *payload;
  size_t count;
} request;

static void reject(fob_session *session, const request *asked, uint8_t reason, uint64_t now) {
  uint8_t body[FOB_AROUND + FOB_REJECT_SIZE];
  /* A clock that went back begins anew, too. */
  if (session->rejects == 0 || now < session->rejects_since ||
      now - session->rejects_since >= 1000000) {
    session->rejects_since = now;
    session->rejects = 0;
  }
  if (session->rejects == FOB_REJECTS_PER_SECOND) return;
  session->rejects++;
  fob_reject answer = {asked->type, reason, asked->seq};
  size_t count = fob_write_reject(&answer, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_REJECT, body, count, now);
}

static void answer_time(fob_session *session, const fob_time_req *asked, uint64_t now) {
  fob_link *link = &session->events.link;
  uint8_t body[FOB_AROUND + FOB_TIME_RESP_SIZE];
  fob_link_drain(link);
  fob_time_resp answer = {.host_send = asked->host_send,
                          .device_receive = now,
                          .device_send = fob_events_time(&session->events, now),
                          .boot_nonce = session->events.board->boot_nonce,
                          .session_nonce = asked->session_nonce};
  size_t count = fob_write_time_resp(&answer, body + FOB_HEADER);
  fob_link_send(link, FOB_TIME_RESP, body, count, now);
  fob_link_drain(link);
}

static void configure(fob_session *session, const fob_config *asked, uint64_t now) {
  uint8_t body[FOB_AROUND + FOB_CONFIG_RESULT_SIZE];
  fob_config_result answer = {asked->key, 0, FOB_CONFIG_UNKNOWN_KEY};
  if (asked->key == FOB_CONFIG_DEBOUNCE) {
    bool fits = asked->value <= 50;
    if (fits) session->button.time = asked->value * 1000;
    answer.value = session->button.time / 1000;
    answer.result = fits ? FOB_CONFIG_DONE : FOB_CONFIG_OUT_OF_RANGE;
  }
  size_t count = fob_write_config_result(&answer, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_CONFIG_RESULT, body, count, now);
}

static fob_text text_of(const char *text) {
  fob_text found = {(const uint8_t *)text, 0};
  while (text != NULL && text[found.count] != 0) found.count++;
  return found;
}

static void send_firmware_info(fob_session *session, uint64_t now) {
  const fob_board *board = session->events.board;
  uint8_t body[FOB_LONGEST_BODY];
  fob_fw_info info = {text_of(board->name), text_of(board->build)};
  size_t count = fob_write_fw_info(&info, body + FOB_HEADER);
  size_t longest = fob_link_longest(&session->events.link);
  if (count > longest) count = longest;
  fob_link_send(&session->events.link, FOB_FW_INFO, body, count, now);
}

/* A device without a trace ring has no entry: the one to come is that of index 0, for ever. */
static void send_no_trace(fob_session *session, uint64_t now) {
  fob_link *link = &session->events.link;
  uint8_t body[FOB_AROUND + FOB_TRACE_SIZE];
  fob_put(body + FOB_HEADER, 0, 4);
  fob_link_drain(link);
  if (link->count > 0) {
    link->dropped++;
  } else {
    fob_link_send(link, FOB_TRACE, body, FOB_TRACE_SIZE, now);
  }
}

/* --- Pairing (15.2) and proof (15.3). --- */

void fob_session_load_key(fob_session *session) {
  const fob_records *records = &session->events.records;
  fob_seal *seal = &session->events.link.seal;
  uint8_t key[FOB_KEY_SIZE];
  if (records->owes_load || seal->is_paired) return;
  fob_key_record record = fob_store_read_key(records->storage, key);
  if (record == FOB_NO_KEY) return;
  fob_seal_pair(seal, record == FOB_KEY ? key : NULL);
  fob_display_forget(&session->display);
}

static void answer_pairing(fob_session *session, uint8_t result, uint64_t tag, uint64_t now) {
  uint8_t body[FOB_AROUND + FOB_PAIR_RESULT_SIZE];
  fob_pair_result answer = {session->nonce, result, tag};
  size_t count = fob_write_pair_result(&answer, body + FOB_HEADER);
  fob_link_send(&session->events.link, FOB_PAIR_RESULT, body, count, now);
}

/* A key of whoever holds the button since power-on. It is in the store before the answer. */
static void pair(fob_session *session, const fob_pair *asked, uint64_t now) {
  const fob_records *records = &session->events.records;
  uint8_t key[FOB_KEY_SIZE];
  if (asked->session_nonce != session->nonce) return;
  if (!session->has_presence) {
    answer_pairing(session, FOB_PAIR_NO_PRESENCE, 0, now);
    return;
  }
  fob_put(fob_put(key, asked->key_low, 8), asked->key_high, 8);
  if (records->owes_load || !fob_store_write_key(records->storage, key)) {
    answer_pairing(session, FOB_PAIR_STORE_FAILED, 0, now);
    return;
  }
  fob_seal_pair(&session->events.link.seal, key);
  fob_display_forget(&session->display);
  uint64_t id = session->events.board->device_id;
  answer_pairing(session, FOB_PAIRED, fob_seal_pairing_tag(key, session->nonce, id), now);
}

/* The answer is the last frame that the session seals. */
static void unpair(fob_session *session, uint64_t now) {
  if (!fob_store_write_key(session->events.records.storage, NULL)) {
    answer_pairing(session, FOB_PAIR_STORE_FAILED, 0, now);
    return;
  }
  answer_pairing(session, FOB_UNPAIRED, 0, now);
  fob_seal_unpair(&session->events.link.seal);
  fob_display_forget(&session->display);
}

/* False while a press is unacked or an incident is open: these go before a pattern. */
static bool show(fob_session *session, const fob_led_set *pattern, uint64_t now) {
  if (fob_display_is_open(&session->display, now)) return false;
  if (fob_records_may_have_press(&session->events.records)) return false;
  fob_display_set(&session->display, pattern, now);
  return true;
}

void fob_session_button(fob_session *session, const fob_button_change *change, uint64_t now) {
  enum { HELD = 10000000, CONFIRM = 5000000 };
  static const fob_led_set identify = {FOB_IDENTIFY, 0, CONFIRM / 1000};
  fob_seal *seal = &session->events.link.seal;
  bool is_confirmed = change->pressed && session->unpair_by > 0 &&
                      change->first_edge <= session->unpair_by;
  bool was_held = session->has_presence;
  session->unpair_by = 0;
  session->has_presence = false;
  if (is_confirmed && fob_store_write_key(session->events.records.storage, NULL)) {
    fob_seal_unpair(seal);
    fob_display_forget(&session->display);
  }
  if (!was_held || change->pressed || !seal->is_paired || change->first_edge < HELD) return;
  if (show(session, &identify, now)) session->unpair_by = change->first_edge + CONFIRM;
}

static void prove(fob_session *session, const fob_challenge *asked, uint64_t now) {
  fob_link *link = &session->events.link;
  const fob_board *board = session->events.board;
  uint8_t body[FOB_AROUND + FOB_PROOF_SIZE];
  fob_proof proof = {.boot_counter = session->events.records.boot_counter,
                     .boot_nonce = board->boot_nonce};
  if (asked->session_nonce != session->nonce) return;
  if (!fob_seal_prove(&link->seal, asked, board->device_id, &proof, now)) return;
  size_t count = fob_write_proof(&proof, body + FOB_HEADER);
  fob_link_send(link, FOB_PROOF, body, count, now);
}

/* The session whose INDICATE is obeyed: of a paired device the one that was proved last. */
static uint32_t trusted(const fob_session *session) {
  const fob_seal *seal = &session->events.link.seal;
  return seal->is_paired ? seal->proved : session->nonce;
}

/* The commands: what a payload may hold was checked by its reader. */
static fob_reading obey(fob_session *session, const request *asked, uint64_t now) {
  const uint8_t *payload = asked->payload;
  fob_reading reading;
  switch (asked->type) {
    case FOB_INDICATE: {
      fob_indicate indicate;
      reading = fob_read_indicate(payload, asked->count, &indicate);
      if (reading != FOB_READ) return reading;
      fob_display_obey(&session->display, &indicate, trusted(session), now);
      return FOB_READ;
    }
    case FOB_LED_SET: {
      fob_led_set pattern;
      reading = fob_read_led_set(payload, asked->count, &pattern);
      if (reading != FOB_READ) return reading;
      if (!show(session, &pattern, now)) reject(session, asked, FOB_REJECT_NOT_NOW, now);
      return FOB_READ;
    }
    case FOB_CONFIG: {
      fob_config config;
      reading = fob_read_config(payload, asked->count, &config);
      if (reading == FOB_READ) configure(session, &config, now);
      return reading;
    }
    default: { /* FOB_TRACE */
      if (asked->count < FOB_TRACE_SIZE) return FOB_TOO_SHORT;
      send_no_trace(session, now);
      return FOB_READ;
    }
  }
}

static fob_reading take(fob_session *session, const request *asked, uint64_t now) {
  const uint8_t *payload = asked->payload;
  fob_reading reading;
  switch (asked->type) {
    case FOB_HELLO: {
      fob_hello hello;
      reading = fob_read_hello(payload, asked->count, &hello);
      if (reading != FOB_READ) return reading;
      if (hello.role == FOB_ROLE_DEVICE) return FOB_READ; /* our echo */
      /* Its answer would be the unasked HELLO of a boot. */
      if (hello.session_nonce == 0) return FOB_BAD_VALUE;
      session->nonce = hello.session_nonce;
      fob_unacked_all_due(&session->events.records.unacked, now);
      fob_session_send_hello(session, now);
      fob_session_send_led_state(session, now);
      return FOB_READ;
    }
    case FOB_TIME_REQ: {
      fob_time_req time;
      reading = fob_read_time_req(payload, asked->count, &time);
      if (reading == FOB_READ) answer_time(session, &time, now);
      return reading;
    }
    case FOB_EVENT_ACK: {
      fob_event_ack ack;
      reading = fob_read_event_ack(payload, asked->count, &ack);
      if (reading == FOB_READ) fob_events_forget(&session->events, &ack);
      return reading;
    }
    case FOB_CHALLENGE: {
      fob_challenge challenge;
      reading = fob_read_challenge(payload, asked->count, &challenge);
      if (reading == FOB_READ) prove(session, &challenge, now);
      return reading;
    }
    case FOB_PAIR: {
      fob_pair key;
      reading = fob_read_pair(payload, asked->count, &key);
      if (reading == FOB_READ) pair(session, &key, now);
      return reading;
    }
    case FOB_UNPAIR: /* only a sealed one comes here at a paired device; else it says nothing */
      if (session->events.link.seal.is_paired) unpair(session, now);
      return FOB_READ;
    default:
      return obey(session, asked, now);
  }
}

/* What only a device sends, and what a device answered: our own frames, come back. */
static bool is_echo(uint8_t type, size_t count) {
  switch (type) {
    case FOB_HELLO:
    case FOB_TIME_REQ:
    case FOB_CHALLENGE:
    case FOB_EVENT_ACK:
    case FOB_PAIR:
    case FOB_UNPAIR:
    case FOB_INDICATE:
    case FOB_LED_SET:
    case FOB_CONFIG:
      return false;
    case FOB_FW_INFO:
      return count > 0;
    case FOB_TRACE:
      return count > FOB_TRACE_SIZE;
    default:
      return true;
  }
}

static bool is_known(uint8_t type) {
  return (type >= FOB_HELLO && type <= FOB_PROOF) || (type >= FOB_EVENT && type <= FOB_UNPAIR) ||
         (type >= FOB_INDICATE && type <= FOB_LED_STATE) || type == FOB_BATTERY ||
         type == FOB_GPS_FIX || type == FOB_CONFIG || type == FOB_CONFIG_RESULT ||
         type == FOB_FW_INFO || type == FOB_TRACE;
}

/* In the order of the table of section 5.3. */
static void answer(fob_session *session, const uint8_t *body, size_t count, uint64_t now) {
  request asked = {.type = body[1],
                   .seq = (uint16_t)(body[2] | body[3] << 8),
                   .payload = body + FOB_HEADER,
                   .count = count - FOB_HEADER - fob_seal_trailer(body, count)};
  uint8_t head = body[0];
  bool is_stray = (head & FOB_HEAD_SEALED) != 0 && !session->events.link.seal.is_paired;
  if (asked.type == FOB_REJECT) return;
  /* A press of our own that came back, of whatever version: kind stands behind two u64. */
  bool is_frozen = asked.type == FOB_EVENT && count >= FOB_HEADER + FOB_EVENT_IDENTITY;
  if (is_frozen && asked.payload[16] == FOB_PRESSED) return;
  if (head >> 4 != FOB_VERSION) {
    reject(session, &asked, FOB_REJECT_VERSION, now);
  } else if ((head & FOB_HEAD_RESERVED) != 0 || is_stray) {
    reject(session, &asked, FOB_REJECT_RESERVED_BITS, now);
  } else if (!is_known(asked.type)) {
    if (asked.type < FOB_OPTIONAL) reject(session, &asked, FOB_REJECT_UNKNOWN_TYPE, now);
  } else if (!is_echo(asked.type, asked.count)) {
    if (asked.type == FOB_FW_INFO) {
      send_firmware_info(session, now);
    } else {
      fob_reading reading = take(session, &asked, now);
      if (reading != FOB_READ) reject(session, &asked, (uint8_t)reading, now);
    }
  }
}

void fob_session_answer(fob_session *session, const uint8_t *body, size_t count, uint64_t now) {
  fob_seal *seal = &session->events.link.seal;
  bool is_admitted = fob_seal_admits(seal, body, count, now);
  if (fob_seal_take_new(seal)) {
    fob_display_session_began(&session->display);
    fob_session_send_led_state(session, now);
  }
  if (is_admitted) answer(session, body, count, now);
}
