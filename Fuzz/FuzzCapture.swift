import Capture
import FobBase
import WireProtocol

/// Any bytes as a capture file, as a line, and as the body of a frame with a right CRC: nothing may
/// trap, and how the bytes were cut into pieces must not change what is found.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let seed = input.first ?? 0
  precondition(readFile(input, pieces: seed) == readFile(input, pieces: nil), "the split matters")
  let runs = cutLine(input, pieces: nil)
  precondition(cutLine(input, pieces: seed) == runs, "the split matters")
  describe(runs)
  if input.count >= 4 {
    let body = Array(input.prefix(Limits.maxFrameSize - 4))
    let wire = body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)).withBytes { Array($0) } }
    let framed = cutLine(wire, pieces: nil)
    precondition(
      framed == [WireRun(bytes: wire, content: .frame(body: body))], "a whole frame was not found")
    describe(framed)
  }
  roundTrip(input)
  replay(input)
  return 0
}

/// The packets of a file, and the error that it ended in.
private struct Found: Equatable {
  var packets: [CapturedPacket] = []
  var error: CaptureError?
}

private func readFile(_ bytes: [UInt8], pieces: UInt8?) -> Found {
  var reader = PcapngReader()
  var found = Found()
  forEachPiece(of: bytes, pieces) { piece in
    reader.append(piece)
    do throws(CaptureError) {
      while let packet = try reader.next() {
        precondition(packet.microseconds >= 0)
        precondition(packet.bytes.count <= CaptureLimits.maxPacketSize)
        found.packets.append(packet)
      }
    } catch {
      precondition(!error.description.isEmpty)
      found.error = error
    }
  }
  return found
}

private func cutLine(_ bytes: [UInt8], pieces: UInt8?) -> [WireRun] {
  var cutter = FrameSplitter()
  var runs: [WireRun] = []
  forEachPiece(of: bytes, pieces) { runs += cutter.cut($0) }
  if let rest = cutter.flush() { runs.append(rest) }
  return runs
}

private func describe(_ runs: [WireRun]) {
  var statistics = FrameStatistics()
  for run in runs {
    for direction in [Direction.toHost, .toDevice] {
      let description = FrameDescription(
        run, at: Instant(microseconds: 0), direction: direction)
      statistics.count(description, device: "a")
      guard case .frame(let frame) = description.content else { continue }
      for field in frame.fields { precondition(!field.name.isEmpty) }
      precondition(!frame.summary.unicodeScalars.contains { $0.value < 0x20 })
    }
  }
  precondition(statistics.damaged.sum <= 2 * runs.count)
}

/// The same bytes as the two ends of a line, played to themselves.
private func replay(_ bytes: [UInt8]) {
  let direction: (Int) -> Direction = { bytes[$0] & 1 == 0 ? .toHost : .toDevice }
  let packets = stride(from: 0, to: bytes.count, by: 40).map { at in
    CapturedPacket(
      device: "a", microseconds: Int64(at) * 1_000, direction: direction(at),
      bytes: Array(bytes[at..<min(bytes.count, at + 40)]) + [0])
  }
  for end in ReplayEnd.allCases {
    guard let script = try? ReplayScript(RecordedLine(packets, line: nil), as: end) else {
      continue
    }
    var player = ReplayPlayer(
      script, pace: .fast, patience: .seconds(1),
      keys: [DeviceID.bench(1): PairingKey(low: 1, high: 2)])
    var now = Instant(microseconds: 0)
    player.opened(at: now)
    for packet in packets where !player.isFinished(at: now) {
      player.heard(packet.bytes, at: now)
      while player.nextBytes(at: now) != nil {}
      now = now + .seconds(1)
    }
    let comparison = ReplayComparison(script, now: player.heardMeanings)
    precondition(
      comparison.count(.same) + comparison.count(.missing) == script.expected.count,
      "what was said then is not all in the report")
  }
}

/// What was written is read again.
private func roundTrip(_ bytes: [UInt8]) {
  let packet = CapturedPacket(
    device: "line", microseconds: Int64(bytes.count) << 32, direction: .toDevice,
    bytes: Array(bytes.prefix(CaptureLimits.maxPacketSize)))
  var writer = PcapngWriter()
  guard let block = writer.append(packet) else { return }
  let found = readFile(writer.begin(application: "fuzz") + block, pieces: nil)
  precondition(found == Found(packets: [packet], error: nil), "what was written is not read")
}

/// In pieces of changing length, or whole.
private func forEachPiece(of bytes: [UInt8], _ seed: UInt8?, _ take: (ArraySlice<UInt8>) -> Void) {
  guard let seed else { return take(bytes[...]) }
  var state = UInt32(seed) + 1
  var rest = bytes[...]
  while !rest.isEmpty {
    state = state &* 1_664_525 &+ 1_013_904_223
    let count = 1 + Int(state >> 24) % 61
    take(rest.prefix(count))
    rest = rest.dropFirst(count)
  }
}
