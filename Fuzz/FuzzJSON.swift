import FobBase

/// Any bytes, by any bounds: the scan reads to its end, and what it lets through is within them, as
/// a slower way of counting finds them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard count > 2 else { return 0 }
  let bounds = JSONBounds(depth: Int(input[0] & 15), values: Int(input[1]), word: 64)
  let text = UnsafeRawBufferPointer(rebasing: input[2...])
  let (depth, values, hasNUL) = counted(Array(text))
  switch bounds.excess(in: text) {
  case nil: precondition(depth <= bounds.depth && values <= max(1, bounds.values) && !hasNUL)
  case .depth: precondition(depth > bounds.depth)
  case .values: precondition(values > bounds.values)
  case .word: precondition(text.count > 64)
  case .encoding: precondition(hasNUL)
  }
  return 0
}

/// First without its strings, then bracket by bracket.
private func counted(_ text: [UInt8]) -> (depth: Int, values: Int, hasNUL: Bool) {
  var bare: [UInt8] = []
  var at = 0
  while at < text.count {
    if text[at] == UInt8(ascii: "\"") {
      at += 1
      while at < text.count, text[at] != UInt8(ascii: "\"") {
        at += text[at] == UInt8(ascii: "\\") ? 2 : 1
      }
    } else {
      bare.append(text[at])
    }
    at += 1
  }
  var (deep, deepest) = (0, 0)
  for byte in bare {
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { deep += 1 }
    if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { deep = max(0, deep - 1) }
    deepest = max(deepest, deep)
  }
  let commas = bare.count { $0 == UInt8(ascii: ",") }
  let opened = bare.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
  return (deepest, 1 + commas + opened, text.contains(0))
}
