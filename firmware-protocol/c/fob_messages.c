#include "fob_messages.h"

/* The messages of fixed fields, in the order of their tables. */

fob_reading fob_read_hello(const uint8_t *payload, size_t count, fob_hello *message) {
  const uint8_t *at = payload;
  if (count < FOB_HELLO_SIZE) return FOB_TOO_SHORT;
  message->role = fob_take8(&at);
  message->version_min = fob_take8(&at);
  message->version_max = fob_take8(&at);
  message->reset_cause = fob_take8(&at);
  message->capabilities = fob_take32(&at);
  message->max_frame = fob_take16(&at);
  message->table_hash = fob_take32(&at);
  message->session_nonce = fob_take32(&at);
  message->device_id = fob_take64(&at);
  message->boot_counter = fob_take32(&at);
  message->boot_nonce = fob_take32(&at);
  message->oldest_unacked = fob_take64(&at);
  message->firmware_version[0] = fob_take8(&at);
  message->firmware_version[1] = fob_take8(&at);
  message->firmware_version[2] = fob_take8(&at);
  return message->role > FOB_ROLE_HOST ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_hello(const fob_hello *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->role, 1);
  at = fob_put(at, message->version_min, 1);
  at = fob_put(at, message->version_max, 1);
  at = fob_put(at, message->reset_cause, 1);
  at = fob_put(at, message->capabilities, 4);
  at = fob_put(at, message->max_frame, 2);
  at = fob_put(at, message->table_hash, 4);
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->device_id, 8);
  at = fob_put(at, message->boot_counter, 4);
  at = fob_put(at, message->boot_nonce, 4);
  at = fob_put(at, message->oldest_unacked, 8);
  at = fob_put(at, message->firmware_version[0], 1);
  at = fob_put(at, message->firmware_version[1], 1);
  at = fob_put(at, message->firmware_version[2], 1);
  return (size_t)(at - payload);
}

fob_reading fob_read_time_req(const uint8_t *payload, size_t count, fob_time_req *message) {
  const uint8_t *at = payload;
  if (count < FOB_TIME_REQ_SIZE) return FOB_TOO_SHORT;
  message->host_send = fob_take64(&at);
  message->session_nonce = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_time_req(const fob_time_req *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->host_send, 8);
  at = fob_put(at, message->session_nonce, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_time_resp(const uint8_t *payload, size_t count, fob_time_resp *message) {
  const uint8_t *at = payload;
  if (count < FOB_TIME_RESP_SIZE) return FOB_TOO_SHORT;
  message->host_send = fob_take64(&at);
  message->device_receive = fob_take64(&at);
  message->device_send = fob_take64(&at);
  message->boot_nonce = fob_take32(&at);
  message->session_nonce = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_time_resp(const fob_time_resp *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->host_send, 8);
  at = fob_put(at, message->device_receive, 8);
  at = fob_put(at, message->device_send, 8);
  at = fob_put(at, message->boot_nonce, 4);
  at = fob_put(at, message->session_nonce, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_heartbeat(const uint8_t *payload, size_t count, fob_heartbeat *message) {
  const uint8_t *at = payload;
  if (count < FOB_HEARTBEAT_SIZE) return FOB_TOO_SHORT;
  message->uptime = fob_take64(&at);
  message->millivolts = fob_take16(&at);
  message->battery_percent = fob_take8(&at);
  message->unacked = fob_take8(&at);
  message->shown_state = fob_take8(&at);
  message->flags = fob_take8(&at);
  message->rx_damaged = fob_take32(&at);
  message->tx_dropped = fob_take32(&at);
  message->evicted = fob_take32(&at);
  message->merged = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_heartbeat(const fob_heartbeat *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->uptime, 8);
  at = fob_put(at, message->millivolts, 2);
  at = fob_put(at, message->battery_percent, 1);
  at = fob_put(at, message->unacked, 1);
  at = fob_put(at, message->shown_state, 1);
  at = fob_put(at, message->flags, 1);
  at = fob_put(at, message->rx_damaged, 4);
  at = fob_put(at, message->tx_dropped, 4);
  at = fob_put(at, message->evicted, 4);
  at = fob_put(at, message->merged, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_reject(const uint8_t *payload, size_t count, fob_reject *message) {
  const uint8_t *at = payload;
  if (count < FOB_REJECT_SIZE) return FOB_TOO_SHORT;
  message->rejected_type = fob_take8(&at);
  message->reason = fob_take8(&at);
  message->rejected_seq = fob_take16(&at);
  bool is_bad = message->reason < FOB_REJECT_UNKNOWN_TYPE || message->reason > FOB_REJECT_NOT_NOW;
  return is_bad ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_reject(const fob_reject *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->rejected_type, 1);
  at = fob_put(at, message->reason, 1);
  at = fob_put(at, message->rejected_seq, 2);
  return (size_t)(at - payload);
}

fob_reading fob_read_event_ack(const uint8_t *payload, size_t count, fob_event_ack *message) {
  const uint8_t *at = payload;
  if (count < FOB_EVENT_ACK_SIZE) return FOB_TOO_SHORT;
  message->event_no = fob_take64(&at);
  message->identity_crc = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_event_ack(const fob_event_ack *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->event_no, 8);
  at = fob_put(at, message->identity_crc, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_indicate(const uint8_t *payload, size_t count, fob_indicate *message) {
  const uint8_t *at = payload;
  if (count < FOB_INDICATE_SIZE) return FOB_TOO_SHORT;
  message->session_nonce = fob_take32(&at);
  message->incident = fob_take64(&at);
  message->revision = fob_take32(&at);
  message->state = fob_take8(&at);
  message->detail = fob_take8(&at);
  message->flags = fob_take8(&at);
  message->lease = fob_take16(&at);
  return message->state > FOB_IDENTIFY ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_indicate(const fob_indicate *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->incident, 8);
  at = fob_put(at, message->revision, 4);
  at = fob_put(at, message->state, 1);
  at = fob_put(at, message->detail, 1);
  at = fob_put(at, message->flags, 1);
  at = fob_put(at, message->lease, 2);
  return (size_t)(at - payload);
}

fob_reading fob_read_led_set(const uint8_t *payload, size_t count, fob_led_set *message) {
  const uint8_t *at = payload;
  if (count < FOB_LED_SET_SIZE) return FOB_TOO_SHORT;
  message->state = fob_take8(&at);
  message->detail = fob_take8(&at);
  message->duration = fob_take16(&at);
  return message->state > FOB_IDENTIFY ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_led_set(const fob_led_set *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->state, 1);
  at = fob_put(at, message->detail, 1);
  at = fob_put(at, message->duration, 2);
  return (size_t)(at - payload);
}

fob_reading fob_read_led_state(const uint8_t *payload, size_t count, fob_led_state *message) {
  const uint8_t *at = payload;
  if (count < FOB_LED_STATE_SIZE) return FOB_TOO_SHORT;
  message->clock = fob_take64(&at);
  message->shown_state = fob_take8(&at);
  message->detail = fob_take8(&at);
  message->flags = fob_take8(&at);
  message->session_nonce = fob_take32(&at);
  message->revision = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_led_state(const fob_led_state *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->clock, 8);
  at = fob_put(at, message->shown_state, 1);
  at = fob_put(at, message->detail, 1);
  at = fob_put(at, message->flags, 1);
  at = fob_put(at, message->session_nonce, 4);
  at = fob_put(at, message->revision, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_battery(const uint8_t *payload, size_t count, fob_battery *message) {
  const uint8_t *at = payload;
  if (count < FOB_BATTERY_SIZE) return FOB_TOO_SHORT;
  message->clock = fob_take64(&at);
  message->millivolts = fob_take16(&at);
  message->percent = fob_take8(&at);
  message->level = fob_take8(&at);
  return message->level > 2 ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_battery(const fob_battery *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->clock, 8);
  at = fob_put(at, message->millivolts, 2);
  at = fob_put(at, message->percent, 1);
  at = fob_put(at, message->level, 1);
  return (size_t)(at - payload);
}

fob_reading fob_read_gps_fix(const uint8_t *payload, size_t count, fob_gps_fix *message) {
  const uint8_t *at = payload;
  if (count < FOB_GPS_FIX_SIZE) return FOB_TOO_SHORT;
  message->clock = fob_take64(&at);
  message->quality = fob_take8(&at);
  message->latitude = (int32_t)fob_take32(&at);
  message->longitude = (int32_t)fob_take32(&at);
  message->altitude = (int32_t)fob_take32(&at);
  message->accuracy = fob_take16(&at);
  message->satellites = fob_take8(&at);
  message->utc = fob_take32(&at);
  return message->quality > 2 ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_gps_fix(const fob_gps_fix *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->clock, 8);
  at = fob_put(at, message->quality, 1);
  at = fob_put(at, (uint32_t)message->latitude, 4);
  at = fob_put(at, (uint32_t)message->longitude, 4);
  at = fob_put(at, (uint32_t)message->altitude, 4);
  at = fob_put(at, message->accuracy, 2);
  at = fob_put(at, message->satellites, 1);
  at = fob_put(at, message->utc, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_config(const uint8_t *payload, size_t count, fob_config *message) {
  const uint8_t *at = payload;
  if (count < FOB_CONFIG_SIZE) return FOB_TOO_SHORT;
  message->key = fob_take16(&at);
  message->value = fob_take32(&at);
  return FOB_READ;
}

size_t fob_write_config(const fob_config *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->key, 2);
  at = fob_put(at, message->value, 4);
  return (size_t)(at - payload);
}

fob_reading fob_read_config_result(const uint8_t *payload, size_t count,
                                   fob_config_result *message) {
  const uint8_t *at = payload;
  if (count < FOB_CONFIG_RESULT_SIZE) return FOB_TOO_SHORT;
  message->key = fob_take16(&at);
  message->value = fob_take32(&at);
  message->result = fob_take8(&at);
  return message->result > FOB_CONFIG_OUT_OF_RANGE ? FOB_BAD_VALUE : FOB_READ;
}

size_t fob_write_config_result(const fob_config_result *message, uint8_t *payload) {
  uint8_t *at = payload;
  at = fob_put(at, message->key, 2);
  at = fob_put(at, message->value, 4);
  at = fob_put(at, message->result, 1);
  return (size_t)(at - payload);
}
