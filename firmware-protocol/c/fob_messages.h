/* Messages of the keychain link, version 1: PROTOCOL.md, section 3.
 *
 * Each message has a struct, named after it, with the fields of its table, and two functions:
 *
 *   fob_reading fob_read_NAME(const uint8_t *payload, size_t count, fob_NAME *message);
 *   size_t fob_write_NAME(const fob_NAME *message, uint8_t *payload);
 *
 * Reading refuses a payload that is too short and ignores what is behind the known fields. Values
 * that a later version may add are kept as they came. Writing returns the bytes written: never more
 * than FOB_LONGEST_PAYLOAD. */
#ifndef FOB_MESSAGES_H
#define FOB_MESSAGES_H

#include "fob_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types 00 to 7F must be understood or rejected, 80 to FF may be ignored. */
enum {
  FOB_HELLO = 0x01,
  FOB_TIME_REQ = 0x02,
  FOB_TIME_RESP = 0x03,
  FOB_HEARTBEAT = 0x04,
  FOB_REJECT = 0x05,
  FOB_CHALLENGE = 0x06,
  FOB_PROOF = 0x07,
  FOB_EVENT = 0x10,
  FOB_EVENT_ACK = 0x11,
  FOB_PAIR = 0x12,
  FOB_PAIR_RESULT = 0x13,
  FOB_UNPAIR = 0x14,
  FOB_INDICATE = 0x20,
  FOB_LED_SET = 0x21,
  FOB_LED_STATE = 0x22,
  FOB_BATTERY = 0x30,
  FOB_GPS_FIX = 0x31,
  FOB_CONFIG = 0x40,
  FOB_CONFIG_RESULT = 0x41,
  FOB_FW_INFO = 0x50,
  FOB_TRACE = 0x51,
  FOB_OPTIONAL = 0x80, /* the first type that may be ignored */
  FOB_LOG = 0x80,
  FOB_NMEA_RAW = 0x81
};

/* Payloads without their tails, in bytes. */
enum {
  FOB_HELLO_SIZE = 45,
  FOB_TIME_REQ_SIZE = 12,
  FOB_TIME_RESP_SIZE = 32,
  FOB_HEARTBEAT_SIZE = 30,
  FOB_REJECT_SIZE = 4,
  FOB_CHALLENGE_SIZE = 12,
  FOB_PROOF_SIZE = 28,
  FOB_EVENT_SIZE = 54,
  FOB_EVENT_ACK_SIZE = 12,
  FOB_PAIR_SIZE = 20,
  FOB_PAIR_RESULT_SIZE = 13,
  FOB_UNPAIR_SIZE = 4,
  FOB_INDICATE_SIZE = 21,
  FOB_LED_SET_SIZE = 4,
  FOB_LED_STATE_SIZE = 19,
  FOB_BATTERY_SIZE = 12,
  FOB_GPS_FIX_SIZE = 28,
  FOB_CONFIG_SIZE = 6,
  FOB_CONFIG_RESULT_SIZE = 7,
  FOB_TRACE_SIZE = 4
};

/* Why a payload is not read: also the reason of the REJECT that answers it, 3 or 5. */
typedef enum { FOB_READ = 0, FOB_TOO_SHORT = 3, FOB_BAD_VALUE = 5 } fob_reading;

/* --- 01 HELLO, both ways: opens a session. --- */
typedef struct {
  uint8_t role; /* 0 device, 1 host */
  uint8_t version_min, version_max;
  uint8_t reset_cause;
  uint32_t capabilities;
  uint16_t max_frame;
  uint32_t table_hash;
  uint32_t session_nonce;
  uint64_t device_id;
  uint32_t boot_counter, boot_nonce;
  uint64_t oldest_unacked; /* event number, 0 when none */
  uint8_t firmware_version[3];
} fob_hello;

enum { FOB_ROLE_DEVICE = 0, FOB_ROLE_HOST = 1 };
/* bits of `capabilities` */
enum { FOB_CAN_SEAL = 1, FOB_IS_PAIRED = 2, FOB_NO_BATTERY = 4, FOB_NO_GPS = 8 };

/* Stands for the wire fields of messages.json (5.1). */
#define FOB_TABLE_HASH 0xF072759Cu

enum {
  FOB_RESET_UNKNOWN,
  FOB_RESET_POWER_ON,
  FOB_RESET_PIN,
  FOB_RESET_WATCHDOG,
  FOB_RESET_BROWN_OUT,
  FOB_RESET_SOFTWARE
};

/* --- 02 TIME_REQ, from the host, and 03 TIME_RESP. Clocks are in microseconds. --- */
typedef struct {
  uint64_t host_send;
  uint32_t session_nonce;
} fob_time_req;

typedef struct {
  uint64_t host_send;
  uint64_t device_receive, device_send;
  uint32_t boot_nonce, session_nonce;
} fob_time_resp;

/* --- 04 HEARTBEAT, from the device, each second. --- */
typedef struct {
  uint64_t uptime;
  uint16_t millivolts;
  uint8_t battery_percent; /* 255 unknown */
  uint8_t unacked;
  uint8_t shown_state;
  uint8_t flags;
  uint32_t rx_damaged, tx_dropped, evicted, merged;
} fob_heartbeat;

enum {
  FOB_HEARTBEAT_SOUNDER = 1,
  FOB_HEARTBEAT_CLOSED = 2,
  FOB_HEARTBEAT_STORE_FAILING = 4,
  FOB_HEARTBEAT_FULL = 8
};

/* --- 05 REJECT, both ways: never answered. --- */
typedef struct {
  uint8_t rejected_type;
  uint8_t reason;
  uint16_t rejected_seq;
} fob_reject;

enum {
  FOB_REJECT_UNKNOWN_TYPE = 1,
  FOB_REJECT_VERSION,
  FOB_REJECT_TOO_SHORT,
  FOB_REJECT_RESERVED_BITS,
  FOB_REJECT_BAD_VALUE,
  FOB_REJECT_NOT_NOW
};

/* --- 06 CHALLENGE, from the host, and 07 PROOF: the device has the key. --- */
typedef struct {
  uint32_t session_nonce;
  uint64_t host_nonce;
} fob_challenge;

typedef struct {
  uint32_t session_nonce, boot_counter, boot_nonce;
  uint32_t number; /* of the sealed session in this boot */
  uint32_t clock;  /* in units of 1024 us */
  uint64_t tag;
} fob_proof;

/* --- 10 EVENT, from the device: kept until it is acked. Its last two fields are a tail that is
 * there with FOB_EVENT_MERGED. --- */
typedef struct {
  uint64_t device_id, event_no;
  uint64_t clock; /* of the first edge */
  uint32_t boot_nonce;
  uint32_t commit_delta; /* microseconds from clock to the commit */
  uint8_t kind, flags, detail;
  uint8_t battery_percent;
  uint16_t millivolts;
  uint8_t fix_quality, satellites;
  int32_t latitude, longitude; /* 1e-7 degree */
  uint32_t fix_age; /* ms, FFFFFFFF when there was never a fix */
  uint16_t fix_accuracy; /* dm, FFFF unknown */
  uint16_t covered; /* presses that this stands for, itself included */
  uint64_t first_covered; /* the first number that it stands for */
} fob_event;

/* Bytes: the frozen part, and the payload with its tail. */
enum { FOB_EVENT_IDENTITY = 29, FOB_EVENT_LONGEST = 64 };

enum {
  FOB_PRESSED = 1,
  FOB_RELEASED,
  FOB_BOOTED,
  FOB_BATTERY_LOW,
  FOB_BATTERY_CRITICAL,
  FOB_BATTERY_RECOVERED,
  FOB_FAULT
};

enum {
  FOB_EVENT_AT_BOOT = 1,
  FOB_EVENT_REPLAYED = 2,
  FOB_EVENT_MERGED = 4,
  FOB_EVENT_VOLATILE = 8
};

enum {
  FOB_FAULT_STORE = 1,
  FOB_FAULT_MERGED,
  FOB_FAULT_STUCK,
  FOB_FAULT_IDENTITY,
  FOB_FAULT_BOOT_COUNTER
};

/* The CRC-32C of the frozen 29 bytes: what an ack must repeat. */
uint32_t fob_event_identity_crc(const fob_event *event);

/* --- 11 EVENT_ACK, from the host: committed, forget it. --- */
typedef struct {
  uint64_t event_no;
  uint32_t identity_crc;
} fob_event_ack;

/* --- 12 PAIR and 14 UNPAIR, from the host; 13 PAIR_RESULT, the answer to both. --- */
typedef struct {
  uint32_t session_nonce;
  uint64_t key_low, key_high;
} fob_pair;

enum { FOB_KEY_SIZE = 16 }; /* bytes: those of key_low, then those of key_high */

typedef struct {
  uint32_t session_nonce;
} fob_unpair;

typedef struct {
  uint32_t session_nonce;
  uint8_t result;
  uint64_t tag;
} fob_pair_result;

enum { FOB_PAIRED, FOB_PAIR_NO_PRESENCE, FOB_PAIR_STORE_FAILED, FOB_UNPAIRED };

/* --- 20 INDICATE and 21 LED_SET, from the host; 22 LED_STATE, what is really shown. --- */
typedef struct {
  uint32_t session_nonce;
  uint64_t incident;
  uint32_t revision;
  uint8_t state, detail;
  uint8_t flags; /* bit 0 sounder */
  uint16_t lease; /* ms */
} fob_indicate;

typedef struct {
  uint8_t state, detail;
  uint16_t duration; /* ms */
} fob_led_set;

typedef struct {
  uint64_t clock; /* when the pattern began */
  uint8_t shown_state, detail;
  uint8_t flags; /* bit 0 sounder, 1 by lease, 2 by LED_SET */
  uint32_t session_nonce, revision;
} fob_led_state;

enum {
  FOB_UNCLAIMED,
  FOB_IDLE,
  FOB_COUNTDOWN,
  FOB_SENDING,
  FOB_ACCEPTED,
  FOB_ACKNOWLEDGED,
  FOB_FAILED,
  FOB_ENDED,
  FOB_DUE,
  FOB_BREATHING,
  FOB_IDENTIFY, /* the last that a host may ask for */
  FOB_LOW_BATTERY,
  FOB_OFF
};

/* --- 30 BATTERY and 31 GPS_FIX, from the device. --- */
typedef struct {
  uint64_t clock;
  uint16_t millivolts;
  uint8_t percent; /* 255 unknown */
  uint8_t level;   /* 0 normal, 1 low, 2 critical */
} fob_battery;

typedef struct {
  uint64_t clock; /* when the fix was read */
  uint8_t quality; /* 0 none, 1 weak, 2 good */
  int32_t latitude, longitude; /* 1e-7 degree */
  int32_t altitude; /* cm */
  uint16_t accuracy; /* dm, FFFF unknown */
  uint8_t satellites;
  uint32_t utc; /* seconds since 1970, 0 unknown */
} fob_gps_fix;

/* --- 40 CONFIG, from the host, and 41 CONFIG_RESULT. --- */
typedef struct {
  uint16_t key;
  uint32_t value;
} fob_config;

typedef struct {
  uint16_t key;
  uint32_t value; /* in force now */
  uint8_t result;
} fob_config_result;

enum { FOB_CONFIG_DEBOUNCE = 1, FOB_CONFIG_NMEA_RAW, FOB_CONFIG_LOG_LEVEL };
enum { FOB_CONFIG_DONE, FOB_CONFIG_UNKNOWN_KEY, FOB_CONFIG_OUT_OF_RANGE };

/* --- 51 TRACE: from the host the question, without entries. --- */
typedef struct {
  uint64_t clock;
  uint8_t code;
  uint64_t argument;
} fob_trace_entry;

enum { FOB_TRACE_ENTRY_SIZE = 17, FOB_TRACE_MOST = 14 };

typedef struct {
  uint32_t first;
  uint8_t count; /* entries, 0 to 14 */
  fob_trace_entry entries[FOB_TRACE_MOST];
} fob_trace;

/* --- 50 FW_INFO, 80 LOG, 81 NMEA_RAW: bytes to the end of the payload. A read text lies in the
 * payload itself; on writing what does not fit is cut. --- */
typedef struct {
  const uint8_t *bytes;
  size_t count;
} fob_text;

/* From the host both are empty: the question. From the device they are parted by a zero byte. */
typedef struct {
  fob_text board, build;
} fob_fw_info;

typedef struct {
  uint8_t level; /* 0 debug, 1 info, 2 warning, 3 error */
  fob_text text;
} fob_log;

/* The payload is the bytes. */
typedef fob_text fob_nmea_raw;

fob_reading fob_read_hello(const uint8_t *payload, size_t count, fob_hello *message);
fob_reading fob_read_time_req(const uint8_t *payload, size_t count, fob_time_req *message);
fob_reading fob_read_time_resp(const uint8_t *payload, size_t count, fob_time_resp *message);
fob_reading fob_read_heartbeat(const uint8_t *payload, size_t count, fob_heartbeat *message);
fob_reading fob_read_reject(const uint8_t *payload, size_t count, fob_reject *message);
fob_reading fob_read_event(const uint8_t *payload, size_t count, fob_event *message);
fob_reading fob_read_event_ack(const uint8_t *payload, size_t count, fob_event_ack *message);
fob_reading fob_read_challenge(const uint8_t *payload, size_t count, fob_challenge *message);
fob_reading fob_read_proof(const uint8_t *payload, size_t count, fob_proof *message);
fob_reading fob_read_pair(const uint8_t *payload, size_t count, fob_pair *message);
fob_reading fob_read_pair_result(const uint8_t *payload, size_t count, fob_pair_result *message);
fob_reading fob_read_unpair(const uint8_t *payload, size_t count, fob_unpair *message);
fob_reading fob_read_indicate(const uint8_t *payload, size_t count, fob_indicate *message);
fob_reading fob_read_led_set(const uint8_t *payload, size_t count, fob_led_set *message);
fob_reading fob_read_led_state(const uint8_t *payload, size_t count, fob_led_state *message);
fob_reading fob_read_battery(const uint8_t *payload, size_t count, fob_battery *message);
fob_reading fob_read_gps_fix(const uint8_t *payload, size_t count, fob_gps_fix *message);
fob_reading fob_read_config(const uint8_t *payload, size_t count, fob_config *message);
fob_reading fob_read_config_result(const uint8_t *payload, size_t count,
                                   fob_config_result *message);
fob_reading fob_read_fw_info(const uint8_t *payload, size_t count, fob_fw_info *message);
fob_reading fob_read_trace(const uint8_t *payload, size_t count, fob_trace *message);
fob_reading fob_read_log(const uint8_t *payload, size_t count, fob_log *message);
fob_reading fob_read_nmea_raw(const uint8_t *payload, size_t count, fob_nmea_raw *message);

size_t fob_write_hello(const fob_hello *message, uint8_t *payload);
size_t fob_write_time_req(const fob_time_req *message, uint8_t *payload);
size_t fob_write_time_resp(const fob_time_resp *message, uint8_t *payload);
size_t fob_write_heartbeat(const fob_heartbeat *message, uint8_t *payload);
size_t fob_write_reject(const fob_reject *message, uint8_t *payload);
size_t fob_write_event(const fob_event *message, uint8_t *payload);
size_t fob_write_event_ack(const fob_event_ack *message, uint8_t *payload);
size_t fob_write_challenge(const fob_challenge *message, uint8_t *payload);
size_t fob_write_proof(const fob_proof *message, uint8_t *payload);
size_t fob_write_pair(const fob_pair *message, uint8_t *payload);
size_t fob_write_pair_result(const fob_pair_result *message, uint8_t *payload);
size_t fob_write_unpair(const fob_unpair *message, uint8_t *payload);
size_t fob_write_indicate(const fob_indicate *message, uint8_t *payload);
size_t fob_write_led_set(const fob_led_set *message, uint8_t *payload);
size_t fob_write_led_state(const fob_led_state *message, uint8_t *payload);
size_t fob_write_battery(const fob_battery *message, uint8_t *payload);
size_t fob_write_gps_fix(const fob_gps_fix *message, uint8_t *payload);
size_t fob_write_config(const fob_config *message, uint8_t *payload);
size_t fob_write_config_result(const fob_config_result *message, uint8_t *payload);
size_t fob_write_fw_info(const fob_fw_info *message, uint8_t *payload);
size_t fob_write_trace(const fob_trace *message, uint8_t *payload);
size_t fob_write_log(const fob_log *message, uint8_t *payload);
size_t fob_write_nmea_raw(const fob_nmea_raw *message, uint8_t *payload);

#ifdef __cplusplus
}
#endif

#endif
