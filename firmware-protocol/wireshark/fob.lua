-- The keychain link in Wireshark: captures of `fob monitor --write`, link type USER0.
--
--   tshark -X lua_script:fob.lua -r emergency.pcapng
--
-- or put the three fob*.lua into Wireshark's folder of personal Lua plugins. It undoes COBS, checks
-- the CRC-32C, and reads every message of version 1 as PROTOCOL.md has it. Filters go by the names
-- of messages.json: fob.event.kind == 1, fob.indicate.state == 4, fob.damage, fob.resent == 1. It
-- uses no library of bits, so that it runs under the Lua 5.2 of Wireshark 4.0 and under 5.4.

local fob = Proto("fob", "Keychain alarm link")

local VERSION = 1
local SEAL_SIZE = 16
local FROZEN_FIELDS, FROZEN_SIZE = 5, 29

local folder = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local messages = dofile(folder .. "fob_messages.lua")
local judge = dofile(folder .. "fob_frame.lua").judge
local is_set, type_name, by_type = messages.is_set, messages.type_name, messages.by_type

-- Fields and expert infos. A field of a message is fob.MESSAGE.FIELD, a flag stands below it.

local field = {
  head = ProtoField.uint8("fob.head", "head", base.HEX),
  version = ProtoField.uint8("fob.version", "version", base.DEC, nil, 0xF0),
  sealed = ProtoField.bool("fob.sealed", "SEALED", 8, nil, 0x08),
  resent = ProtoField.bool("fob.resent", "RESENT", 8, nil, 0x04),
  type = ProtoField.uint8("fob.type", "type", base.HEX),
  seq = ProtoField.uint16("fob.seq", "seq"),
  crc = ProtoField.uint32("fob.crc", "CRC-32C", base.HEX),
  direction = ProtoField.string("fob.direction", "direction"),
  damage = ProtoField.string("fob.damage", "damage"),
  remark = ProtoField.string("fob.remark", "remark"),
  unread = ProtoField.bytes("fob.unread", "not read"),
  entry = ProtoField.uint8("fob.entry", "entry"),
  seal_clock = ProtoField.uint32("fob.seal_clock", "seal_clock"),
  seal_counter = ProtoField.uint32("fob.seal_counter", "seal_counter"),
  seal_tag = ProtoField.uint64("fob.seal_tag", "seal_tag", base.HEX),
}

local WORDS = {
  crc = "wrong CRC", short = "too short for a frame", long = "longer than a frame may be",
  cobs = "COBS does not come out: bytes are missing or the delimiter came too early",
  unfinished = "no delimiter came",
}

local function expert_info(name, words, group, severity)
  return ProtoExpert.new("fob." .. name, words, expert.group[group], expert.severity[severity])
end

local info = {
  crc = expert_info("damaged.crc", WORDS.crc, "CHECKSUM", "ERROR"),
  cobs = expert_info("damaged.cobs", WORDS.cobs, "MALFORMED", "ERROR"),
  short = expert_info("damaged.short", WORDS.short, "MALFORMED", "ERROR"),
  long = expert_info("damaged.long", WORDS.long, "MALFORMED", "ERROR"),
  unfinished = expert_info("damaged.unfinished", WORDS.unfinished, "MALFORMED", "WARN"),
  refused = expert_info("refused", "payload too short", "MALFORMED", "ERROR"),
  unknown = expert_info("unknown", "type or version not known", "UNDECODED", "WARN"),
  reserved = expert_info("reserved", "reserved bits are set", "PROTOCOL", "WARN"),
  longer = expert_info("longer", "bytes not known to this version", "UNDECODED", "NOTE"),
  resent_event = expert_info("resent.event", "RESENT", "SEQUENCE", "NOTE"),
}

local SIZES = {u8 = 1, u16 = 2, u32 = 4, i32 = 4, u64 = 8, ["u8[3]"] = 3, rest = 0}

local function proto_field(message, spec)
  local name, kind, shown = spec[1], spec[2], spec[3]
  local path = "fob." .. message[2]:lower() .. "." .. name
  spec.bit_fields = {}
  if shown == messages.bits then
    for bit = 0, #spec[4] do
      local flag = spec[4][bit]
      local word = flag:lower():gsub(" ", "_")
      local flag_field = ProtoField.bool(path .. "." .. word, flag, SIZES[kind] * 8, nil, 2 ^ bit)
      spec.bit_fields[#spec.bit_fields + 1] = flag_field
    end
  end
  if kind == "rest" or shown == messages.version or shown == messages.secret then
    return ProtoField.string(path, name)
  end
  local make = ({u8 = "uint8", u16 = "uint16", u32 = "uint32", u64 = "uint64", i32 = "int32"})[kind]
  local is_hex = shown == messages.hex or shown == messages.bits
  local values = shown == messages.names and spec[4] or nil
  return ProtoField[make](path, name, is_hex and base.HEX or base.DEC, values)
end

local function sum(specs)
  local size = 0
  for _, spec in ipairs(specs or {}) do size = size + SIZES[spec[2]] end
  return size
end

local all_fields = {}
for _, each in pairs(field) do all_fields[#all_fields + 1] = each end
for _, message in ipairs(messages.all) do
  for _, part in ipairs({"fields", "tail", "entries", "texts"}) do
    for _, spec in ipairs(message[part] or {}) do
      spec.field = proto_field(message, spec)
      all_fields[#all_fields + 1] = spec.field
      for _, flag in ipairs(spec.bit_fields) do all_fields[#all_fields + 1] = flag end
    end
  end
end
fob.fields = all_fields
local all_infos = {}
for _, each in pairs(info) do all_infos[#all_infos + 1] = each end
fob.experts = all_infos

local comment_field = Field.new("frame.comment")

-- Reading: one payload by its table, as far as it goes.

local function read_value(kind, range)
  local size = range:len()
  if kind == "u64" then
    local low, high = range(0, 4):le_uint(), range(4, 4):le_uint()
    return {size = 8, low = low, high = high, whole = range:le_uint64()}
  end
  if kind == "rest" or kind == "u8[3]" then return {bytes = range:raw()} end
  return {size = size, number = kind == "i32" and range:le_int() or range:le_uint()}
end

local function is_zero(value)
  if value.bytes then return #value.bytes == 0 end
  return value.whole and value.low == 0 and value.high == 0 or value.number == 0
end

local Reading = {}
Reading.__index = Reading

function Reading.new(buffer, tree) -- of a decoded frame with its CRC
  local self = {buffer = buffer, tree = tree, at = 4, last = buffer:len() - 4}
  local head = buffer(0, 1):uint()
  self.is_sealed = is_set(head, 3) and math.floor(head / 16) == VERSION
    and self.last - self.at >= SEAL_SIZE
  if self.is_sealed then self.last = self.last - SEAL_SIZE end
  self.before, self.first = {}, {}
  return setmetatable(self, Reading)
end

-- What seals a frame stands behind its payload.
function Reading:show_seal()
  if not self.is_sealed then return end
  local at = self.last
  self.tree:add_le(field.seal_clock, self.buffer(at, 4))
  self.tree:add_le(field.seal_counter, self.buffer(at + 4, 4))
  local tag = self.buffer(at + 8, 8)
  self.tree:add_le(field.seal_tag, tag):set_text(
    "seal_tag: " .. messages.hex(read_value("u64", tag)))
end

function Reading:left() return self.last - self.at end

function Reading:read(spec, size, tree)
  size = size or SIZES[spec[2]]
  local value = {bytes = "", number = nil}
  local range = size > 0 and self.buffer(self.at, size)
  if range and spec[3] ~= messages.secret then value = read_value(spec[2], range) end
  local shown = {spec[3], spec[4], spec[5], spec[6], spec[7], spec[8]}
  local words = spec[3](value, shown, self.before)
  local item
  if value.bytes then
    item = tree:add(spec.field, range or self.buffer(self.at, 0), words)
  else
    item = tree:add_le(spec.field, range)
  end
  item:set_text(spec[1] .. ": " .. words)
  for _, flag in ipairs(spec.bit_fields) do item:add_le(flag, range) end
  self.before[spec[1]] = value
  self.first[spec[1]] = self.first[spec[1]] or {words = words, value = value}
  self.at = self.at + size
end

function Reading:read_all(specs, tree)
  for _, spec in ipairs(specs) do self:read(spec, nil, tree or self.tree) end
end

-- An event's first 29 bytes are the same in all versions.
function Reading:read_frozen(message)
  if message[1] ~= 0x10 or self:left() < FROZEN_SIZE then return end
  for index = 1, FROZEN_FIELDS do self:read(message.fields[index], nil, self.tree) end
end

function Reading:read_entries(specs)
  local size = sum(specs)
  self.entries = math.floor(self:left() / size)
  for entry = 0, self.entries - 1 do
    local item = self.tree:add(field.entry, self.buffer(self.at, size), entry)
    self:read_all(specs, item)
  end
end

-- The last text takes what is left; the others end at a zero byte.
function Reading:read_texts(specs)
  if self:left() == 0 then return end
  for index, spec in ipairs(specs) do
    local rest = self.buffer:raw(self.at, self:left())
    local zero = index < #specs and rest:find("\0", 1, true)
    self:read(spec, zero and zero - 1 or #rest, self.tree)
    if not zero then return end
    self.at = self.at + 1
    if self:left() == 0 then
      -- An empty last text has no bytes to stand on.
      self.first[specs[index + 1][1]] = {words = "", value = {bytes = ""}}
      self.tree:add(specs[index + 1].field, ""):set_text(specs[index + 1][1] .. ": ")
      return
    end
  end
end

function Reading:read_rest(message, is_to_host)
  if message.tail and is_set(self.before.flags.number, message.flag) then
    local size = sum(message.tail)
    if self:left() < size then
      local wanted = sum(message.fields) + size
      return info.refused, string.format(
        "refused: with %s, %s has %d bytes of payload, here are %d",
        message.flag_name, message[2], wanted, self.last - 4)
    end
    self:read_all(message.tail)
  elseif message.entries and is_to_host then
    self:read_entries(message.entries)
  elseif message.texts then
    self:read_texts(message.texts)
  end
end

-- Which expert info and remark the payload deserves, if any.
function Reading:run(message, major, is_to_host)
  if not message then return info.unknown, "this type is not known to this version" end
  if major ~= VERSION then
    self:read_frozen(message)
    return info.unknown, "major version " .. major .. " is not known to this version"
  end
  local wanted = sum(message.fields)
  if self:left() < wanted then
    local remark = string.format(
      "refused: %s has %d bytes of payload, here are %d", message[2], wanted, self:left())
    self:read_frozen(message)
    return info.refused, remark
  end
  self:read_all(message.fields)
  local why, remark = self:read_rest(message, is_to_host)
  if self:left() > 0 and not why then
    local noun = self:left() == 1 and "byte" or "bytes"
    return info.longer, "+ " .. self:left() .. " " .. noun .. " not known to this version"
  end
  return why, remark
end

function Reading:summary(message)
  local parts = {}
  for _, told in ipairs(message.telling) do
    local found = self.first[told[1]]
    if found and not (told[3] and is_zero(found.value)) then
      parts[#parts + 1] = told[2] == "" and found.words or told[2] .. " " .. found.words
    end
  end
  if (self.entries or 0) > 0 then parts[#parts + 1] = "entries " .. self.entries end
  return table.concat(parts, ", ")
end

local function padded(words, width)
  return words .. string.rep(" ", math.max(1, width - #words))
end

-- A whole frame: its head, its fields, its remarks. Returns the line that tells it.
local function show_frame(frame, tree, is_to_host)
  local buffer = ByteArray.new(frame, true):tvb("Decoded frame")
  local head, code = buffer(0, 1), buffer(1, 1):uint()
  local major, message = math.floor(head:uint() / 16), by_type[code]
  local head_item = tree:add(field.head, head)
  for _, part in ipairs({field.version, field.sealed, field.resent}) do
    head_item:add(part, head)
  end
  tree:add(field.type, buffer(1, 1)):append_text(" (" .. type_name(code) .. ")")
  local seq = tree:add_le(field.seq, buffer(2, 2))
  local reading = Reading.new(buffer, tree)
  local why, remark = reading:run(message, major, is_to_host)
  reading:show_seal()
  if reading:left() > 0 then tree:add(field.unread, buffer(reading.at, reading:left())) end
  tree:add_le(field.crc, buffer(buffer:len() - 4, 4)):append_text(" (right)")
  if why then tree:add_proto_expert_info(why, remark) end
  local reserved = is_set(head:uint(), 3) and not reading.is_sealed or head:uint() % 4 > 0
  if reserved and message and major == VERSION and why ~= info.refused then
    local words = "reserved bits are set in the head"
    head_item:add_proto_expert_info(info.reserved, words)
    remark = remark and remark .. "; " .. words or words
  end
  if remark then tree:add(field.remark, remark):set_generated() end
  local resent = is_set(head:uint(), 2)
  if resent then head_item:add_proto_expert_info(info.resent_event, "RESENT") end
  local number_text = string.format("#%d", buffer(2, 2):le_uint())
  local summary = message and reading:summary(message) or ""
  return padded(type_name(code), 14) .. padded(number_text, 7) .. summary
    .. (resent and " RESENT" or "") .. (remark and "  [" .. remark .. "]" or "")
end

local function show_damage(why, frame, range, tree, comment)
  local words = comment or WORDS[why]
  if frame then
    local buffer = ByteArray.new(frame, true):tvb("Decoded, with a wrong CRC")
    tree:add_le(field.crc, buffer(buffer:len() - 4, 4)):append_text(" (wrong)")
  end
  tree:add(field.damage, range, WORDS[why])
  tree:add_proto_expert_info(info[why], WORDS[why])
  local noun = range:len() == 1 and " byte, " or " bytes, "
  return padded("damaged", 14) .. range:len() .. noun .. words
end

-- One run with its delimiters, from `first` on in the packet; `last` is the closing one, or nil.
local function show_run(buffer, run, first, stop, last, pinfo, tree, comment)
  local is_to_host = pinfo.p2p_dir ~= P2P_DIR_SENT
  local range = buffer(first, stop - first + 1)
  local item = tree:add(fob, range)
  item:add(field.direction, is_to_host and "device to host" or "host to device"):set_generated()
  local frame, why
  if last then frame, why = judge(run) else why = #run >= 511 and "long" or "unfinished" end
  local line
  if why then
    line = show_damage(why, frame, range, item, comment)
  else
    line = show_frame(frame, item, is_to_host) .. (comment and "  (" .. comment .. ")" or "")
  end
  item:append_text(", " .. line:gsub(" +", " "))
  return (is_to_host and "D→H  " or "H→D  ") .. line
end

function fob.dissector(buffer, pinfo, tree)
  pinfo.cols.protocol = "FOB"
  local is_to_host = pinfo.p2p_dir ~= P2P_DIR_SENT
  pinfo.cols.src = is_to_host and "device" or "host"
  pinfo.cols.dst = is_to_host and "host" or "device"
  local found = comment_field()
  local comment = found and messages.printable(found.value)
  local bytes, lines, at = buffer:raw(), {}, 1
  while true do
    local first = bytes:find("[^%z]", at)
    if not first then break end
    local zero = bytes:find("%z", first)
    -- Of several zeros one goes with the run, unless it closed the last one.
    local start = first > at and first - 1 or first
    local run = bytes:sub(first, (zero or #bytes + 1) - 1)
    lines[#lines + 1] =
      show_run(buffer, run, start - 1, (zero or #bytes) - 1, zero, pinfo, tree, comment)
    at = (zero or #bytes) + 1
  end
  pinfo.cols.info = #lines == 0 and "delimiter" or table.concat(lines, " | ")
  return buffer:len()
end

DissectorTable.get("wtap_encap"):add((wtap_encaps or wtap).USER0, fob)
