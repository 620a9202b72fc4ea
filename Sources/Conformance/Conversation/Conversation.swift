package import Capture
import Emulator
package import FobBase
package import WireProtocol

/// One case's talk with the device: the host's end, played by hand, with everything that was said
/// and heard. Times are on the rig's clock.
package final class Conversation {
  package let rig: any Rig
  /// Every choice that a case makes by chance comes from here.
  package var random: SplitMix64
  /// Whole frames of the device, in order.
  package private(set) var heard: [Heard] = []
  /// Runs of the device that were no frame.
  package private(set) var damaged = 0
  /// What was done and found, one line each.
  package private(set) var steps: [String] = []
  /// Both directions, for a capture.
  package private(set) var packets: [CapturedPacket] = []
  /// Which events are acked at each of their sendings.
  package var acks: (EventRecord) -> Bool = { _ in true }
  package var session: UInt32 = 0
  /// The device's answer to the HELLO with which the case began, or a later one.
  package var device = Hello(
    role: .device, session: 0, software: SoftwareVersion(major: 0, minor: 0, patch: 0))
  /// Of `heard`, the first frame since something was said or done last.
  package private(set) var mark = 0
  var sequence: UInt16 = 0
  /// Of the TIME_REQ that ``settle()`` has sent.
  var tokens: Set<UInt64> = []
  private let began: Instant
  private var decoder = FrameDecoder()
  private var cutters: [Direction: FrameSplitter] = [:]
  /// More than this is not kept for a capture: the first matter most.
  private static let maxPackets = 20_000

  package init(_ rig: any Rig, seed: UInt64) {
    self.rig = rig
    random = SplitMix64(state: seed)
    began = rig.now
  }

  package func draw() -> UInt64 { random.next() }

  // MARK: Steps

  package func step(_ words: String) {
    let ms = (rig.now - began).microseconds / 1_000
    steps.append("\(ms) ms: \(words)")
  }

  /// What comes from now on answers what is said or done next.
  package func beginsNow() { mark = heard.count }

  func setMark(_ index: Int) { mark = index }

  /// What was heard since something was said or done last.
  package var sinceMark: ArraySlice<Heard> { heard[mark...] }

  // MARK: Time

  /// Lets `interval` pass with all that comes.
  package func wait(_ interval: Interval) throws { try wait(until: rig.now + interval) }

  package func wait(until deadline: Instant) throws {
    while let arrival = try rig.receive(until: deadline) { try take(arrival) }
  }

  /// Lets time pass until `isDone`, which is asked after each arrival.
  /// - Returns: false at the deadline.
  package func wait(until deadline: Instant, for isDone: () throws -> Bool) throws -> Bool {
    while try !isDone() {
      guard let arrival = try rig.receive(until: deadline) else { return try isDone() }
      try take(arrival)
    }
    return true
  }

  /// Takes what has come, and lets no time pass.
  package func hear() throws { try wait(until: rig.now) }

  // MARK: The line

  package func send(_ bytes: [UInt8]) throws {
    beginsNow()
    try transmit(bytes)
  }

  /// As `send`, and what comes still answers what was said before.
  func transmit(_ bytes: [UInt8]) throws {
    note(bytes, .toDevice, at: rig.now)
    try rig.send(bytes)
  }

  private func take(_ arrival: Arrival) throws {
    note(arrival.bytes, .toHost, at: arrival.at)
    var new: [Heard] = []
    arrival.bytes.withUnsafeBytes { raw in
      var chunk = raw
      while let outcome = decoder.next(&chunk) {
        if outcome == .frame {
          new.append(Heard(at: arrival.at, body: decoder.withBody { Array($0) }))
        } else {
          damaged += 1
        }
      }
    }
    heard += new
    for event in new.compactMap({ $0.read(EventRecord.self) }) where acks(event) {
      try transmit(frame(EventAck(event.identity)))
    }
  }

  private func note(_ bytes: [UInt8], _ direction: Direction, at now: Instant) {
    for run in cutters[direction, default: FrameSplitter()].cut(bytes) {
      add(run, direction, at: now)
    }
  }

  private func add(_ run: WireRun, _ direction: Direction, at now: Instant) {
    guard packets.count < Self.maxPackets else { return }
    var comment: String?
    if case .damaged(let damage) = run.content { comment = damage.text }
    packets.append(
      CapturedPacket(
        device: rig.name, microseconds: now.microseconds + rig.wallOffset, direction: direction,
        bytes: run.bytes, comment: comment))
  }

  /// Bytes whose delimiter never came belong to the capture, too.
  package func finish() {
    for direction in [Direction.toDevice, .toHost] {
      if let run = cutters[direction, default: FrameSplitter()].flush() {
        add(run, direction, at: rig.now)
      }
    }
  }
}
