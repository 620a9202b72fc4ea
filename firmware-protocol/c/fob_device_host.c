#include "fob_bytes.h"
#include "fob_device_parts.h"

/* What a host's frame asks for: PROTOCOL.md, sections 5.3, 6, 7 and 10. */

typedef struct {
  uint8_t type;
  uint16_t seq;
  const uint8_t *payload;
  size_t count;
} request;

static void reject(fob_device *device, const request *asked, uint8_t reason, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_REJECT_SIZE];
  /* A clock that went back begins anew, too. */
  if (device->rejects == 0 || now < device->rejects_since ||
      now - device->rejects_since >= 1000000) {
    device->rejects_since = now;
    device->rejects = 0;
  }
  if (device->rejects == FOB_REJECTS_PER_SECOND) return;
  device->rejects++;
  fob_reject answer = {asked->type, reason, asked->seq};
  fob_device_send(device, FOB_REJECT, body, fob_write_reject(&answer, body + FOB_HEADER), now);
}

static void answer_time(fob_device *device, const fob_time_req *asked, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_TIME_RESP_SIZE];
  fob_device_drain(device);
  fob_time_resp answer = {.host_send = asked->host_send,
                          .device_receive = now,
                          .device_send = fob_device_time(device, now),
                          .boot_nonce = device->board->boot_nonce,
                          .session_nonce = asked->session_nonce};
  size_t count = fob_write_time_resp(&answer, body + FOB_HEADER);
  fob_device_send(device, FOB_TIME_RESP, body, count, now);
  fob_device_drain(device);
}

static void configure(fob_device *device, const fob_config *asked, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_CONFIG_RESULT_SIZE];
  fob_config_result answer = {asked->key, 0, FOB_CONFIG_UNKNOWN_KEY};
  if (asked->key == FOB_CONFIG_DEBOUNCE) {
    bool fits = asked->value <= 50;
    if (fits) device->button.time = asked->value * 1000;
    answer.value = device->button.time / 1000;
    answer.result = fits ? FOB_CONFIG_DONE : FOB_CONFIG_OUT_OF_RANGE;
  }
  size_t count = fob_write_config_result(&answer, body + FOB_HEADER);
  fob_device_send(device, FOB_CONFIG_RESULT, body, count, now);
}

static fob_text text_of(const char *text) {
  fob_text found = {(const uint8_t *)text, 0};
  while (text != NULL && text[found.count] != 0) found.count++;
  return found;
}

static void send_firmware_info(fob_device *device, uint64_t now) {
  uint8_t body[FOB_LONGEST_BODY];
  fob_fw_info info = {text_of(device->board->name), text_of(device->board->build)};
  fob_device_send(device, FOB_FW_INFO, body, fob_write_fw_info(&info, body + FOB_HEADER), now);
}

/* A device without a trace ring has no entry: the one to come is that of index 0, for ever. */
static void send_no_trace(fob_device *device, uint64_t now) {
  uint8_t body[FOB_HEADER + FOB_TRACE_SIZE];
  fob_put(body + FOB_HEADER, 0, 4);
  fob_device_drain(device);
  if (device->ring_count > 0) {
    device->tx_dropped++;
  } else {
    fob_device_send(device, FOB_TRACE, body, FOB_TRACE_SIZE, now);
  }
}

/* The commands: what a payload may hold was checked by its reader. */
static fob_reading obey(fob_device *device, const request *asked, uint64_t now) {
  const uint8_t *payload = asked->payload;
  fob_reading reading;
  switch (asked->type) {
    case FOB_INDICATE: {
      fob_indicate indicate;
      reading = fob_read_indicate(payload, asked->count, &indicate);
      if (reading != FOB_READ) return reading;
      fob_display_obey(&device->display, &indicate, device->session, now);
      return FOB_READ;
    }
    case FOB_LED_SET: {
      fob_led_set pattern;
      reading = fob_read_led_set(payload, asked->count, &pattern);
      if (reading != FOB_READ) return reading;
      bool is_open = fob_display_is_open(&device->display, now);
      if (is_open || fob_device_may_have_press(device)) {
        reject(device, asked, FOB_REJECT_NOT_NOW, now);
      } else {
        fob_display_set(&device->display, &pattern, now);
      }
      return FOB_READ;
    }
    case FOB_CONFIG: {
      fob_config config;
      reading = fob_read_config(payload, asked->count, &config);
      if (reading == FOB_READ) configure(device, &config, now);
      return reading;
    }
    default: { /* FOB_TRACE */
      if (asked->count < FOB_TRACE_SIZE) return FOB_TOO_SHORT;
      send_no_trace(device, now);
      return FOB_READ;
    }
  }
}

static fob_reading take(fob_device *device, const request *asked, uint64_t now) {
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
      device->session = hello.session_nonce;
      fob_unacked_all_due(&device->unacked, now);
      fob_device_send_hello(device, hello.session_nonce, now);
      fob_device_send_led_state(device, now);
      return FOB_READ;
    }
    case FOB_TIME_REQ: {
      fob_time_req time;
      reading = fob_read_time_req(payload, asked->count, &time);
      if (reading == FOB_READ) answer_time(device, &time, now);
      return reading;
    }
    case FOB_EVENT_ACK: {
      fob_event_ack ack;
      reading = fob_read_event_ack(payload, asked->count, &ack);
      if (reading == FOB_READ) fob_device_forget(device, &ack);
      return reading;
    }
    default:
      return obey(device, asked, now);
  }
}

/* What only a device sends, and what a device answered: our own frames, come back. */
static bool is_echo(uint8_t type, size_t count) {
  switch (type) {
    case FOB_HELLO:
    case FOB_TIME_REQ:
    case FOB_EVENT_ACK:
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
  return (type >= FOB_HELLO && type <= FOB_REJECT) || type == FOB_EVENT || type == FOB_EVENT_ACK ||
         (type >= FOB_INDICATE && type <= FOB_LED_STATE) || type == FOB_BATTERY ||
         type == FOB_GPS_FIX || type == FOB_CONFIG || type == FOB_CONFIG_RESULT ||
         type == FOB_FW_INFO || type == FOB_TRACE;
}

/* In the order of the table of section 5.3. */
void fob_device_answer(fob_device *device, const uint8_t *body, size_t count, uint64_t now) {
  request asked = {.type = body[1],
                   .seq = (uint16_t)(body[2] | body[3] << 8),
                   .payload = body + FOB_HEADER,
                   .count = count - FOB_HEADER};
  uint8_t head = body[0];
  if (asked.type == FOB_REJECT) return;
  /* A press of our own that came back, of whatever version: kind stands behind two u64. */
  bool is_frozen = asked.type == FOB_EVENT && asked.count >= FOB_EVENT_IDENTITY;
  if (is_frozen && asked.payload[16] == FOB_PRESSED) return;
  if (head >> 4 != FOB_VERSION) {
    reject(device, &asked, FOB_REJECT_VERSION, now);
  } else if (head & FOB_HEAD_RESERVED) {
    reject(device, &asked, FOB_REJECT_RESERVED_BITS, now);
  } else if (!is_known(asked.type)) {
    if (asked.type < FOB_OPTIONAL) reject(device, &asked, FOB_REJECT_UNKNOWN_TYPE, now);
  } else if (!is_echo(asked.type, asked.count)) {
    if (asked.type == FOB_FW_INFO) {
      send_firmware_info(device, now);
    } else {
      fob_reading reading = take(device, &asked, now);
      if (reading != FOB_READ) reject(device, &asked, (uint8_t)reading, now);
    }
  }
}
