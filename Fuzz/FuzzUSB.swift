import USB

/// A USB/IP client of any kind: first the request that a server reads, then the stream of an
/// imported keychain, then URBs of any content, with a firmware that writes and reads between them.
/// Nothing may trap, and what the device keeps is bounded.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzUSB(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard count > 1 else { return 0 }
  let rest = UnsafeRawBufferPointer(rebasing: input[1...])
  let speed: USBSpeed = input[0] & 1 == 0 ? .full : .high
  switch input[0] >> 1 & 3 {
  case 0: readRequest(rest)
  case 1: readStream(rest, by: Int(input[0] >> 3) + 1, speed)
  default: takeBlocks(Array(rest), speed)
  }
  return 0
}

/// Whatever the bytes are, as the stream of an imported device.
private func readStream(_ input: UnsafeRawBufferPointer, by piece: Int, _ speed: USBSpeed) {
  var device = configured(speed)
  // The number that four equal bytes make, so that a header is soon one of this device.
  var reader = USBIPCommandReader(deviceID: 0)
  var rest = input
  while !rest.isEmpty {
    var chunk = UnsafeRawBufferPointer(rebasing: rest[..<min(piece, rest.count)])
    rest = UnsafeRawBufferPointer(rebasing: rest[chunk.count...])
    do {
      while let command = try reader.next(&chunk) { serve(command, &device) }
    } catch {
      device.disconnect()
      precondition(!device.hostIsPresent && device.answers.isEmpty)
      return
    }
    move(&device)
  }
}

/// Ten bytes make an URB or an unlinking, so that every input says something.
private func takeBlocks(_ input: [UInt8], _ speed: USBSpeed) {
  var device = configured(speed)
  var sequence: UInt32 = 0
  for start in stride(from: 0, to: input.count - 9, by: 10) {
    let bytes = Array(input[start..<start + 10])
    sequence += 1
    if bytes[0] & 7 == 7 {
      let victim = sequence &- UInt32(bytes[1])
      serve(.unlink(sequence: sequence, victim: victim), &device)
    } else {
      serve(.submit(block(sequence, bytes)), &device)
    }
    if bytes[0] & 0x80 != 0 { move(&device) }
  }
}

private func block(_ sequence: UInt32, _ bytes: [UInt8]) -> USBRequestBlock {
  let isIn = bytes[0] & 8 != 0
  let length = Int(bytes[8]) << (bytes[0] >> 4 & 7)
  let setup = SetupPacket(
    requestType: bytes[2], request: bytes[3], value: UInt16(bytes[4]) | UInt16(bytes[5]) << 8,
    index: UInt16(bytes[6]), length: UInt16(bytes[7]))
  return USBRequestBlock(
    sequence: sequence, endpoint: bytes[0] & 3, isIn: isIn, length: length, setup: setup,
    data: isIn ? [] : Array(repeating: bytes[9], count: length))
}

private func configured(_ speed: USBSpeed) -> KeychainUSBDevice {
  var device = KeychainUSBDevice(
    KeychainDescriptors(.keychain(serial: "8000000000000001"), speed: speed))
  let setup = SetupPacket(request: 9, value: 1)
  let urb = USBRequestBlock(sequence: 0, endpoint: 0, isIn: false, length: 0, setup: setup)
  precondition(device.take(.submit(urb)) == nil)
  return device
}

private func readRequest(_ input: UnsafeRawBufferPointer) {
  var handshake = USBIPHandshake()
  var rest = input
  while !rest.isEmpty {
    let part = UnsafeRawBufferPointer(rebasing: rest[..<min(handshake.missing, rest.count)])
    rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
    guard let request = try? handshake.take(part) else {
      guard handshake.missing > 0 else { return }
      continue
    }
    if case .importDevice(let busID) = request {
      precondition(busID.unicodeScalars.count <= 32)
    }
    return
  }
}

private func serve(_ command: USBIPCommand, _ device: inout KeychainUSBDevice) {
  let before = device.answers.count
  if let request = device.take(command) {
    device.answer(request, with: before % 3 == 0 ? nil : [1, 2, 3, 4])
  }
  if case .submit(let urb) = command, urb.endpoint == 0 {
    let most = 48 + min(urb.length, 65_535)
    // A set-up may end as many URBs as wait, at three endpoints.
    precondition(device.answers.count - before <= most + 3 * 128 * (48 + 64))
  }
}

/// What a firmware does between URBs.
private func move(_ device: inout KeychainUSBDevice) {
  let line: [UInt8] = Array(repeating: 0x55, count: 64)
  line.withUnsafeBytes { precondition(device.write($0) <= 64) }
  var buffer: [UInt8] = Array(repeating: 0, count: 48)
  buffer.withUnsafeMutableBytes { precondition(device.read($0) <= 48) }
  device.isPowered.toggle()
  device.answers.send { min($0.count, 1_000) }
}
