import USB

/// Any bytes as a USB/IP server's answers to an importer: nothing may trap, no talk may ask for
/// more than a record or go on for ever, and what a server wrote as a list is read as that list.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzUSBImport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var list = USBIPDeviceList()
  hold(&list, input, turns: 2 + 2 * Int(USBIPDeviceList.maxDevices))
  precondition(list.devices.count <= Int(USBIPDeviceList.maxDevices))
  for device in list.devices { precondition(device.busID.utf8.count <= 3 * 32) }
  var request = USBIPImport(busID: String(decoding: input.prefix(64), as: UTF8.self))
  hold(&request, input, turns: 2)
  var question = USBIPSerialNumber(deviceID: 1)
  hold(&question, answering(input), turns: 6)
  if let text = question.text { precondition(!text.isEmpty && text.utf16.count <= 127) }
  return 0
}

private func hold(_ talk: inout some USBIPConversation, _ bytes: [UInt8], turns: Int) {
  var rest = bytes[...]
  for _ in 0..<turns {
    _ = talk.takeRequest()
    let wanted = talk.wanted
    precondition((0...1_020).contains(wanted))
    guard wanted > 0 else { return }
    guard rest.count >= wanted else { return }
    do { try talk.take(Array(rest.prefix(wanted))) } catch { return }
    rest = rest.dropFirst(wanted)
  }
  precondition(talk.wanted == 0, "a talk without an end")
}

/// The input cut into answers with right headers, in the order of the questions; a piece begins
/// with its length.
private func answering(_ bytes: [UInt8]) -> [UInt8] {
  var rest = bytes[...]
  var answers: [UInt8] = []
  for turn in 0..<3 {
    guard let count = rest.popFirst() else { break }
    let piece = rest.prefix(Int(count))
    rest = rest.dropFirst(piece.count)
    answers += [0, 0, 0, 3, 0x7F, 0xFF, 0xFF, UInt8(turn)] + [UInt8](repeating: 0, count: 16)
    answers += [0, 0, 0, UInt8(piece.count)] + [UInt8](repeating: 0, count: 20) + piece
  }
  return answers
}
