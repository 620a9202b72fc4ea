/** The fields that say most of each message, for one line; all of them where a type is not here. */
const telling = {
  HELLO: ["role", "device_id", "boot_counter", "reset_cause", "session_nonce", "oldest_unacked"],
  TIME_REQ: ["host_send"],
  TIME_RESP: ["host_send", "device_receive"],
  HEARTBEAT: ["uptime", "battery_percent", "shown_state", "unacked", "flags"],
  REJECT: ["rejected_type", "rejected_seq", "reason"],
  EVENT: ["event_no", "kind", "detail", "flags", "battery_percent"],
  EVENT_ACK: ["event_no"],
  INDICATE: ["state", "detail", "flags", "lease", "revision"],
  LED_SET: ["state", "duration"],
  LED_STATE: ["shown_state", "detail", "flags"],
  BATTERY: ["percent", "millivolts", "level"],
  GPS_FIX: ["quality", "latitude", "longitude", "accuracy"],
  CONFIG: ["key", "value"],
  CONFIG_RESULT: ["key", "value", "result"],
  FW_INFO: ["board", "build"],
  TRACE: ["first"],
  LOG: ["level", "text"],
  NMEA_RAW: ["bytes"],
};

/** At zero these say nothing. */
const hiddenAtZero = new Set([
  "boot_counter", "detail", "device_id", "flags", "oldest_unacked", "reset_cause",
]);

/** Pairs of name and text. */
export function tellingFields(row) {
  const fields = row.fields ?? {};
  const names = telling[row.type] ?? Object.keys(fields);
  return names
    .filter((name) => fields[name] && !(hiddenAtZero.has(name) && Number(fields[name].raw) === 0))
    .map((name) => [name, fields[name].text]);
}
