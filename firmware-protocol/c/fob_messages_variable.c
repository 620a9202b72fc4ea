#include "fob_messages.h"

/* The messages whose length depends on what they hold: EVENT, TRACE, FW_INFO, LOG, NMEA_RAW. */

static uint8_t *put_identity(const fob_event *event, uint8_t *at) {
  at = fob_put(at, event->device_id, 8);
  at = fob_put(at, event->event_no, 8);
  at = fob_put(at, event->kind, 1);
  at = fob_put(at, event->clock, 8);
  return fob_put(at, event->boot_nonce, 4);
}

uint32_t fob_event_identity_crc(const fob_event *event) {
  uint8_t identity[FOB_EVENT_IDENTITY];
  put_identity(event, identity);
  return fob_crc32c(identity, sizeof identity);
}

fob_reading fob_read_event(const uint8_t *payload, size_t count, fob_event *message) {
  const uint8_t *at = payload;
  if (count < FOB_EVENT_SIZE) return FOB_TOO_SHORT;
  message->device_id = fob_take64(&at);
  message->event_no = fob_take64(&at);
  message->kind = fob_take8(&at);
  message->clock = fob_take64(&at);
  message->boot_nonce = fob_take32(&at);
  message->commit_delta = fob_take32(&at);
  message->flags = fob_take8(&at);
  message->detail = fob_take8(&at);
  message->millivolts = fob_take16(&at);
  message->battery_percent = fob_take8(&at);
  message->fix_quality = fob_take8(&at);
  message->latitude = (int32_t)fob_take32(&at);
  message->longitude = (int32_t)fob_take32(&at);
  message->fix_age = fob_take32(&at);
  message->fix_accuracy = fob_take16(&at);
  message->satellites = fob_take8(&at);
  message->first_covered = 0;
  message->covered = 0;
  if (message->flags & FOB_EVENT_MERGED) {
    if (count < FOB_EVENT_LONGEST) return FOB_TOO_SHORT;
    message->first_covered = fob_take64(&at);
    message->covered = fob_take16(&at);
  }
  return FOB_READ;
}

size_t fob_write_event(const fob_event *message, uint8_t *payload) {
  uint8_t *at = put_identity(message, payload);
  at = fob_put(at, message->commit_delta, 4);
  at = fob_put(at, message->flags, 1);
  at = fob_put(at, message->detail, 1);
  at = fob_put(at, message->millivolts, 2);
  at = fob_put(at, message->battery_percent, 1);
  at = fob_put(at, message->fix_quality, 1);
  at = fob_put(at, (uint32_t)message->latitude, 4);
  at = fob_put(at, (uint32_t)message->longitude, 4);
  at = fob_put(at, message->fix_age, 4);
  at = fob_put(at, message->fix_accuracy, 2);
  at = fob_put(at, message->satellites, 1);
  if (message->flags & FOB_EVENT_MERGED) {
    at = fob_put(at, message->first_covered, 8);
    at = fob_put(at, message->covered, 2);
  }
  return (size_t)(at - payload);
}

fob_reading fob_read_trace(const uint8_t *payload, size_t count, fob_trace *message) {
  const uint8_t *at = payload;
  if (count < FOB_TRACE_SIZE) return FOB_TOO_SHORT;
  size_t entries = (count - FOB_TRACE_SIZE) / FOB_TRACE_ENTRY_SIZE;
  message->first = fob_take32(&at);
  message->count = (uint8_t)(entries < FOB_TRACE_MOST ? entries : FOB_TRACE_MOST);
  for (uint8_t i = 0; i < message->count; i++) {
    message->entries[i].clock = fob_take64(&at);
    message->entries[i].code = fob_take8(&at);
    message->entries[i].argument = fob_take64(&at);
  }
  return FOB_READ;
}

size_t fob_write_trace(const fob_trace *message, uint8_t *payload) {
  uint8_t *at = fob_put(payload, message->first, 4);
  for (uint8_t i = 0; i < message->count && i < FOB_TRACE_MOST; i++) {
    at = fob_put(at, message->entries[i].clock, 8);
    at = fob_put(at, message->entries[i].code, 1);
    at = fob_put(at, message->entries[i].argument, 8);
  }
  return (size_t)(at - payload);
}

static fob_text text_of(const uint8_t *bytes, size_t count) {
  fob_text text = {bytes, count};
  return text;
}

/* As much of the text as the payload still takes. */
static uint8_t *put_text(uint8_t *at, fob_text text, const uint8_t *payload) {
  size_t room = FOB_LONGEST_PAYLOAD - (size_t)(at - payload);
  for (size_t i = 0; i < text.count && i < room; i++) *at++ = text.bytes[i];
  return at;
}

fob_reading fob_read_fw_info(const uint8_t *payload, size_t count, fob_fw_info *message) {
  size_t end = 0;
  while (end < count && payload[end] != 0) end++;
  size_t build = end < count ? end + 1 : count;
  message->board = text_of(payload, end);
  message->build = text_of(payload + build, count - build);
  return FOB_READ;
}

size_t fob_write_fw_info(const fob_fw_info *message, uint8_t *payload) {
  if (message->board.count == 0 && message->build.count == 0) return 0;
  uint8_t *at = put_text(payload, message->board, payload);
  if (at - payload < FOB_LONGEST_PAYLOAD) *at++ = 0;
  at = put_text(at, message->build, payload);
  return (size_t)(at - payload);
}

fob_reading fob_read_log(const uint8_t *payload, size_t count, fob_log *message) {
  if (count < 1) return FOB_TOO_SHORT;
  message->level = payload[0];
  message->text = text_of(payload + 1, count - 1);
  return FOB_READ;
}

size_t fob_write_log(const fob_log *message, uint8_t *payload) {
  uint8_t *at = fob_put(payload, message->level, 1);
  at = put_text(at, message->text, payload);
  return (size_t)(at - payload);
}

fob_reading fob_read_nmea_raw(const uint8_t *payload, size_t count, fob_nmea_raw *message) {
  *message = text_of(payload, count);
  return FOB_READ;
}

size_t fob_write_nmea_raw(const fob_nmea_raw *message, uint8_t *payload) {
  return (size_t)(put_text(payload, *message, payload) - payload);
}
