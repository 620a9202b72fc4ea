import FobBase
import WireProtocol

/// Any text as the code of a label: nothing may trap, and what is read is written as one label
/// alone, which is read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLabels(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: input, as: UTF8.self)
  do throws(LabelCode.Refusal) {
    let label = try LabelCode(text)
    for written in [label.text, label.scanned] { check(written, label) }
  } catch {
    precondition(error.description.utf8.count < 100)
  }
  // Random text is hardly ever a code: 24 bytes are made one.
  guard input.count >= 24 else { return 0 }
  let words = (0..<3).map { word in
    input[word * 8..<word * 8 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
  let label = LabelCode(
    PairingKey(low: words[1], high: words[2]), of: DeviceID(rawValue: words[0]))
  for written in [label.text, label.scanned, label.text.lowercased()] { check(written, label) }
  return 0
}

private func check(_ written: String, _ label: LabelCode) {
  precondition((try? LabelCode(written)) == label, "a label is not read as it is written")
}
