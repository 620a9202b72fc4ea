import FobBase
import WireProtocol

/// Frames with a right CRC and any body through both ends of the link: payloads of every type and
/// length, wrong versions, reserved bits. Neither end may trap, and what reads as a payload must
/// write the same bytes again. Half of the inputs meet ends that are paired, which believe none of
/// it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLinks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var host = HostLink(
    session: 7, software: SoftwareVersion(major: 0, minor: 1, patch: 0),
    at: Instant(microseconds: 0))
  var device = DeviceLink()
  let key: PairingKey? = count % 2 == 0 ? nil : PairingKey(low: 1, high: 2)
  if let key { device.pair(with: key) }
  var now = Instant(microseconds: 1)
  for body in bodies(in: input) {
    now = now + .milliseconds(Int64(body.first ?? 0) * 20)
    let frame = body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }
    frame.withBytes { bytes in
      var chunk = bytes
      while let message = host.next(&chunk, at: now) {
        check(message, body)
        if case .hello(let hello) = message {
          host.trust(key, of: hello.deviceID, nonce: 3, at: now)
        }
        if let key { precondition(!host.isEventProved(by: key), "an event of nobody is proved") }
      }
      chunk = bytes
      while let request = device.next(&chunk, at: now) { check(request, isPaired: key != nil) }
    }
    precondition(!host.isProved, "a session of nobody is proved")
    while host.nextFrame(at: now) != nil {}
    _ = host.noiseSummary(at: now)
    precondition(host.nextWake > now, "a link that wants to be woken at once for ever")
  }
  return 0
}

/// The input cut into bodies: a length byte, then as many bytes.
private func bodies(in input: [UInt8]) -> [[UInt8]] {
  var found: [[UInt8]] = []
  var rest = input[...]
  while let length = rest.popFirst() {
    let body = Array(rest.prefix(max(4, min(Int(length), Limits.maxFrameSize - 4))))
    rest = rest.dropFirst(body.count)
    if body.count >= 4 { found.append(body) }
  }
  return found
}

private func check(_ request: HostRequest, isPaired: Bool) {
  guard isPaired else { return }
  switch request {
  case .ack, .indicate, .ledSet, .config, .unpair: preconditionFailure("nobody is believed")
  default: break
  }
}

private func check(_ message: DeviceMessage, _ body: [UInt8]) {
  guard case .event(let record) = message else { return }
  var written = FrameBody(type: .event, sequence: 0)
  record.write(to: &written)
  let payload = written.withBytes { Array($0.dropFirst(4)) }
  let read = Array(body.dropFirst(4).prefix(EventIdentity.size))
  precondition(Array(payload.prefix(EventIdentity.size)) == read, "an identity changed")
}
