-- The messages of version 1 and how each value is written, for fob.lua. The table is made by
-- table.py from ../messages.json.

-- How a value is written: each function takes the value, what presents it, and the values of the
-- fields before it. A value has `number`; one of 8 bytes has `high`, `low` and `whole` instead.

local function number(value)
  return value.whole and tostring(value.whole) or string.format("%d", value.number)
end

local function hex(value)
  if value.whole then return string.format("%08x%08x", value.high, value.low) end
  return string.format("%0" .. value.size * 2 .. "x", value.number)
end

local function unit(value, shown) return number(value) .. " " .. shown[2] end

local function decimal(value, shown)
  local places, suffix = shown[2], shown[3] == "°" and "°" or " " .. shown[3]
  local digits = number(value)
  local sign = digits:match("^-") or ""
  digits = digits:sub(#sign + 1)
  digits = string.rep("0", places + 1 - #digits) .. digits
  return sign .. digits:sub(1, -places - 1) .. "." .. digits:sub(-places) .. suffix
end

local function unless(value, shown, before)
  if value.number == shown[2] then return shown[3] end
  return shown[4](value, {shown[4], shown[5], shown[6]}, before)
end

local function percent(value) return value.number == 255 and "unknown" or number(value) .. " %" end

local function numbered(value) return string.format("%d.%d", value.high, value.low) end

local function event_number(value)
  return value.high == 0 and value.low == 0 and "none" or numbered(value)
end

local function names(value, shown)
  return not value.whole and shown[2][value.number] or number(value) .. " (not known)"
end

local function is_set(value, bit) return math.floor(value / 2 ^ bit) % 2 == 1 end

local function bits(value, shown)
  local set = {}
  for bit = 0, 7 do
    if is_set(value.number, bit) then
      set[#set + 1] = shown[2][bit] or "bit " .. bit .. " (not known)"
    end
  end
  return #set == 0 and "none" or table.concat(set, " + ")
end

local function version(value) return table.concat({value.bytes:byte(1, -1)}, ".") end

local function civil_time(value) return os.date("!%Y-%m-%d %H:%M:%S UTC", value.number) end

-- Of what comes after a lead byte of UTF-8: how many bytes, and within what the first of them is.
local function follows(lead)
  if lead >= 0xC2 and lead <= 0xDF then return 1, 0x80, 0xBF end
  if lead >= 0xE0 and lead <= 0xEF then
    return 2, lead == 0xE0 and 0xA0 or 0x80, lead == 0xED and 0x9F or 0xBF
  end
  if lead >= 0xF0 and lead <= 0xF4 then
    return 3, lead == 0xF0 and 0x90 or 0x80, lead == 0xF4 and 0x8F or 0xBF
  end
end

-- What would steer a terminal, or turn the direction of the text.
local function steers(code)
  return code < 0x20 or code >= 0x7F and code < 0xA0 or code == 0x200E or code == 0x200F
    or code >= 0x2028 and code <= 0x202E or code >= 0x2066 and code <= 0x2069
end

local ESCAPES = {[9] = "\\t", [10] = "\\n", [13] = "\\r"}

-- Text of a device, made harmless; each longest piece that is no UTF-8 becomes U+FFFD.
local function printable(bytes)
  local out, at = {}, 1
  while at <= #bytes do
    local code, last = bytes:byte(at), at
    local more, least, most = follows(code)
    if code >= 0x80 then
      code = more and code % 2 ^ (6 - more)
      for _ = 1, more or 0 do
        local next = bytes:byte(last + 1)
        if not next or next < least or next > most then
          code = nil
          break
        end
        code, last, least, most = code * 64 + next % 64, last + 1, 0x80, 0xBF
      end
    end
    if not code then
      out[#out + 1] = "\239\191\189"
    elseif steers(code) then
      out[#out + 1] = ESCAPES[code] or string.format("\\u{%x}", code)
    else
      out[#out + 1] = bytes:sub(at, last)
    end
    at = last + 1
  end
  return table.concat(out)
end

local function text(value) return printable(value.bytes) end

local by_type = {}

local function type_name(code)
  return by_type[code] and by_type[code][2] or string.format("0x%02x", code)
end

local function message_type(value) return type_name(value.number) end

local function event_detail(value, shown, before)
  local list = ({[3] = shown[2], [7] = shown[3]})[before.kind.number]
  return list and names(value, {names, list}) or number(value)
end

local function trace_argument(value, shown, before)
  local code, low = before.code.number, value.low
  if code >= 3 and code <= 5 then return numbered(value) end
  if code == 7 then return value.high == 0 and shown[3][low] or number(value) .. " (not known)" end
  if code ~= 6 then return number(value) end
  local detail = math.floor(low / 0x100) % 0x100
  return names({number = low % 0x100}, shown)
    .. (detail == 0 and "" or string.format(" %d", detail))
    .. (is_set(low, 16) and ", sounder" or "")
end

-- BEGIN of what table.py makes
local reset_causes = {[0]="unknown", "power-on", "reset pin", "watchdog", "brown-out", "software"}
local faults = {"store failed", "ring full, presses merged", "button stuck at power-on",
  "event number met with another identity", "boot counter lost"}
local shown_states = {[0]="unclaimed", "idle", "countdown", "sending", "accepted", "acknowledged",
  "failed", "ended", "due", "breathing", "identify", "low battery", "off"}

local messages = {
  {0x01, "HELLO",
    fields = {
      {"role", "u8", names, {[0]="device", "host"}},
      {"version_min", "u8", number},
      {"version_max", "u8", number},
      {"reset_cause", "u8", names, reset_causes},
      {"capabilities", "u32", hex},
      {"max_frame", "u16", unit, "bytes"},
      {"table_hash", "u32", hex},
      {"session_nonce", "u32", hex},
      {"device_id", "u64", hex},
      {"boot_counter", "u32", number},
      {"boot_nonce", "u32", hex},
      {"oldest_unacked", "u64", event_number},
      {"firmware_version", "u8[3]", version},
    },
    telling = {{"role", ""}, {"device_id", "", true}, {"boot_counter", "boot", true},
      {"reset_cause", "", true}, {"session_nonce", "session"}, {"oldest_unacked", "unacked from",
      true}}},
  {0x02, "TIME_REQ",
    fields = {
      {"host_send", "u64", decimal, 6, "s"},
      {"session_nonce", "u32", hex},
    },
    telling = {{"host_send", ""}}},
  {0x03, "TIME_RESP",
    fields = {
      {"host_send", "u64", decimal, 6, "s"},
      {"device_receive", "u64", decimal, 6, "s"},
      {"device_send", "u64", decimal, 6, "s"},
      {"boot_nonce", "u32", hex},
      {"session_nonce", "u32", hex},
    },
    telling = {{"host_send", "to"}, {"device_receive", "device clock"}}},
  {0x04, "HEARTBEAT",
    fields = {
      {"uptime", "u64", decimal, 6, "s"},
      {"millivolts", "u16", unit, "mV"},
      {"battery_percent", "u8", percent},
      {"unacked", "u8", number},
      {"shown_state", "u8", names, shown_states},
      {"flags", "u8", bits, {[0]="sounder", "button closed", "store failing", "ring full"}},
      {"rx_damaged", "u32", number},
      {"tx_dropped", "u32", number},
      {"evicted", "u32", number},
      {"merged", "u32", number},
    },
    telling = {{"uptime", "up"}, {"battery_percent", ""}, {"shown_state", "shows"}, {"unacked",
      "unacked"}, {"flags", "", true}, {"rx_damaged", "damaged", true}, {"tx_dropped", "dropped",
      true}}},
  {0x05, "REJECT",
    fields = {
      {"rejected_type", "u8", message_type},
      {"reason", "u8", names, {"unknown type", "version", "too short", "reserved bits",
        "bad value", "not now"}},
      {"rejected_seq", "u16", number},
    },
    telling = {{"rejected_type", ""}, {"rejected_seq", "seq"}, {"reason", ""}}},
  {0x10, "EVENT",
    fields = {
      {"device_id", "u64", hex},
      {"event_no", "u64", event_number},
      {"kind", "u8", names, {"pressed", "released", "booted", "battery low", "battery critical",
        "battery recovered", "fault"}},
      {"clock", "u64", decimal, 6, "s"},
      {"boot_nonce", "u32", hex},
      {"commit_delta", "u32", decimal, 3, "ms"},
      {"flags", "u8", bits, {[0]="AT_BOOT", "REPLAYED", "MERGED", "VOLATILE"}},
      {"detail", "u8", event_detail, reset_causes, faults},
      {"millivolts", "u16", unit, "mV"},
      {"battery_percent", "u8", percent},
      {"fix_quality", "u8", names, {[0]="none", "weak", "good"}},
      {"latitude", "i32", decimal, 7, "°"},
      {"longitude", "i32", decimal, 7, "°"},
      {"fix_age", "u32", unless, 0xffffffff, "never a fix", decimal, 3, "s"},
      {"fix_accuracy", "u16", unless, 0xffff, "unknown", decimal, 1, "m"},
      {"satellites", "u8", number},
    },
    merged = {
      {"first_covered", "u64", event_number},
      {"covered", "u16", unit, "presses"},
    },
    telling = {{"event_no", ""}, {"kind", ""}, {"detail", "", true}, {"flags", "", true},
      {"covered", "covers"}, {"battery_percent", ""}}},
  {0x11, "EVENT_ACK",
    fields = {
      {"event_no", "u64", event_number},
      {"identity_crc", "u32", hex},
    },
    telling = {{"event_no", ""}}},
  {0x20, "INDICATE",
    fields = {
      {"session_nonce", "u32", hex},
      {"incident", "u64", hex},
      {"revision", "u32", number},
      {"state", "u8", names, shown_states},
      {"detail", "u8", number},
      {"flags", "u8", bits, {[0]="sounder"}},
      {"lease", "u16", decimal, 3, "s"},
    },
    telling = {{"state", ""}, {"detail", "", true}, {"flags", "", true}, {"lease", "for"},
      {"revision", "revision"}}},
  {0x21, "LED_SET",
    fields = {
      {"state", "u8", names, shown_states},
      {"detail", "u8", number},
      {"duration", "u16", decimal, 3, "s"},
    },
    telling = {{"state", ""}, {"duration", "for"}}},
  {0x22, "LED_STATE",
    fields = {
      {"clock", "u64", decimal, 6, "s"},
      {"shown_state", "u8", names, shown_states},
      {"detail", "u8", number},
      {"flags", "u8", bits, {[0]="sounder", "by lease", "by LED_SET"}},
      {"session_nonce", "u32", hex},
      {"revision", "u32", number},
    },
    telling = {{"shown_state", ""}, {"detail", "", true}, {"flags", "", true}}},
  {0x30, "BATTERY",
    fields = {
      {"clock", "u64", decimal, 6, "s"},
      {"millivolts", "u16", unit, "mV"},
      {"percent", "u8", percent},
      {"level", "u8", names, {[0]="normal", "low", "critical"}},
    },
    telling = {{"percent", ""}, {"millivolts", ""}, {"level", ""}}},
  {0x31, "GPS_FIX",
    fields = {
      {"clock", "u64", decimal, 6, "s"},
      {"quality", "u8", names, {[0]="none", "weak", "good"}},
      {"latitude", "i32", decimal, 7, "°"},
      {"longitude", "i32", decimal, 7, "°"},
      {"altitude", "i32", decimal, 2, "m"},
      {"accuracy", "u16", unless, 0xffff, "unknown", decimal, 1, "m"},
      {"satellites", "u8", number},
      {"utc", "u32", unless, 0, "unknown", civil_time},
    },
    telling = {{"quality", ""}, {"latitude", ""}, {"longitude", ""}, {"accuracy", "±"}}},
  {0x40, "CONFIG",
    fields = {
      {"key", "u16", names, {"debounce in ms", "NMEA_RAW", "least LOG level"}},
      {"value", "u32", number},
    },
    telling = {{"key", ""}, {"value", "="}}},
  {0x41, "CONFIG_RESULT",
    fields = {
      {"key", "u16", names, {"debounce in ms", "NMEA_RAW", "least LOG level"}},
      {"value", "u32", number},
      {"result", "u8", names, {[0]="done", "unknown key", "out of range"}},
    },
    telling = {{"key", ""}, {"value", "="}, {"result", ""}}},
  {0x50, "FW_INFO",
    fields = {
    },
    texts = {{"board", "rest", text}, {"build", "rest", text}},
    telling = {{"board", ""}, {"build", ""}}},
  {0x51, "TRACE",
    fields = {
      {"first", "u32", number},
    },
    entries = {
      {"clock", "u64", decimal, 6, "s"},
      {"code", "u8", names, {"edge closed", "edge open", "event committed", "event frame written",
        "event acked", "state shown", "booted", "store failed", "rx damaged"}},
      {"argument", "u64", trace_argument, shown_states, reset_causes},
    },
    telling = {{"first", "from"}}},
  {0x80, "LOG",
    fields = {
      {"level", "u8", names, {[0]="debug", "info", "warning", "error"}},
    },
    texts = {{"text", "rest", text}},
    telling = {{"level", ""}, {"text", ""}}},
  {0x81, "NMEA_RAW",
    fields = {
    },
    texts = {{"bytes", "rest", text}},
    telling = {{"bytes", ""}}},
}
-- END of what table.py makes


for _, message in ipairs(messages) do by_type[message[1]] = message end

return {
  all = messages, by_type = by_type, type_name = type_name, printable = printable,
  is_set = is_set, hex = hex, bits = bits, names = names, version = version,
}
