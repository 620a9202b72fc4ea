-- The frame of the link, for fob.lua: COBS and CRC-32C, as in PROTOCOL.md, section 2.

local LONGEST, SHORTEST = 253, 8

-- CRC-32C byte by byte, the register held as four bytes: no operator on bits is needed.

local xor = {}
for a = 0, 255 do
  xor[a] = {}
  for b = 0, 255 do
    local out, x, y, place = 0, a, b, 1
    while x > 0 or y > 0 do
      if x % 2 ~= y % 2 then out = out + place end
      x, y, place = math.floor(x / 2), math.floor(y / 2), place * 2
    end
    xor[a][b] = out
  end
end

local function split(word)
  local function at(place) return math.floor(word / place) % 256 end
  return {at(1), at(0x100), at(0x10000), at(0x1000000)}
end

local steps = {}
local POLYNOMIAL = split(0x82F63B78)
for index = 0, 255 do
  local word = index
  for _ = 1, 8 do
    local parts = split(math.floor(word / 2))
    if word % 2 == 1 then
      for place = 1, 4 do parts[place] = xor[parts[place]][POLYNOMIAL[place]] end
    end
    word = parts[1] + parts[2] * 0x100 + parts[3] * 0x10000 + parts[4] * 0x1000000
  end
  steps[index] = split(word)
end

local function crc32c(bytes)
  local a, b, c, d = 255, 255, 255, 255
  for at = 1, #bytes do
    local step = steps[xor[a][bytes:byte(at)]]
    a, b, c, d = xor[b][step[1]], xor[c][step[2]], xor[d][step[3]], step[4]
  end
  return string.char(255 - a, 255 - b, 255 - c, 255 - d)
end

-- What stands between two delimiters: the decoded frame with its CRC, or nil and why it is none;
-- with a wrong CRC both.
local function judge(run)
  local parts, at, size = {}, 1, 0
  while at <= #run do
    local code = run:byte(at)
    size = size + code - 1 + (at > 1 and 1 or 0)
    if code == 0xFF or size > LONGEST then return nil, "long" end
    if at + code - 1 > #run then return nil, "cobs" end
    if at > 1 then parts[#parts + 1] = "\0" end
    parts[#parts + 1] = run:sub(at + 1, at + code - 1)
    at = at + code
  end
  if size < SHORTEST then return nil, "short" end
  local frame = table.concat(parts)
  return frame, crc32c(frame:sub(1, -5)) ~= frame:sub(-4) and "crc" or nil
end

return {judge = judge}
