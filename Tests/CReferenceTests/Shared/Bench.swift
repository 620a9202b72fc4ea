import FobBase
import WireProtocol

@testable import Firmware

/// A keychain on a bench board, in virtual time, with a host played by the test. Times are ms since
/// the boot unless their type says otherwise.
final class Bench {
  var board = BenchBoard()
  private(set) var keychain: Keychain
  /// What was sent in this boot.
  private(set) var sent: [DeviceFrame] = []
  /// Which events the host acks, each at its first sending.
  var acks: (EventRecord) -> Bool
  private var decoder = FrameDecoder()
  private var read = 0
  private var taken = 0
  private var hostSequence: UInt16 = 0
  /// Contact changes to come, in order.
  private var script: [(at: Instant, closed: Bool)] = []

  init(
    _ cause: ResetCause = .powerOn, nonce: UInt32 = 41,
    _ prepare: (inout BenchBoard) -> Void = { _ in },
    acks: @escaping (EventRecord) -> Bool = { _ in false }
  ) {
    self.acks = acks
    board.resetCause = cause
    board.bootNonce = nonce
    prepare(&board)
    keychain = Keychain(booting: &board)
    run(ms: 0)
  }

  /// Goes on from where `other` is.
  init(copying other: Bench) {
    board = other.board
    keychain = other.keychain
    sent = other.sent
    acks = other.acks
    decoder = other.decoder
    read = other.read
    taken = other.taken
    hostSequence = other.hostSequence
    script = other.script
  }

  /// The events that the keychain holds, by number.
  var kept: [EventRecord] {
    (0..<keychain.unacked.count)
      .compactMap { keychain.record(in: Int(keychain.unacked[$0].slot), &board) }
      .sorted { $0.identity.number < $1.identity.number }
  }

  /// What it answers beside the line; nil where it does not.
  func tell(_ type: MessageType, isLinked: Bool = true) -> [UInt8]? {
    var body = FrameBody()
    guard keychain.tell(type, in: &body, isLinked: isLinked, &board) else { return nil }
    return body.withBytes { Array($0) }
  }

  func setLight(_ payload: [UInt8]) -> Bool {
    payload.withUnsafeBytes { keychain.setLight($0, &board) }
  }

  /// The milliseconds since boot, rounded down.
  var ms: Int64 { board.clock.microseconds / 1_000 }

  /// Resets the board and boots.
  func reboot(_ cause: ResetCause = .watchdog, nonce: UInt32 = 42) {
    board.reset(cause, nonce: nonce)
    sent = []
    read = 0
    taken = 0
    decoder = FrameDecoder()
    script = []
    keychain = Keychain(booting: &board)
    run(ms: 0)
  }

  func run(ms: Int64) { run(until: board.clock + .milliseconds(ms)) }

  /// Runs until `end` as a board would: polled when something happens and when it asked for it.
  func run(until end: Instant) {
    var pollsInPlace = 0
    while true {
      moveContact()
      let before = board.clock
      var wake = keychain.poll(&board)
      collect()
      if !board.toDevice.isEmpty { wake = board.clock }
      if let next = script.first?.at { wake = min(wake, next) }
      if wake >= end && board.clock == end { return }
      board.clock = max(board.clock, min(wake, end))
      pollsInPlace = board.clock == before ? pollsInPlace + 1 : 0
      precondition(pollsInPlace < 200, "polled again and again for nothing")
    }
  }

  /// One poll at the present time, as a slow board might do it.
  func poll() {
    _ = keychain.poll(&board)
    collect()
  }

  func at(_ ms: Int64, closed: Bool) {
    script.append((Instant(microseconds: ms * 1_000), closed))
  }

  /// Presses now, for `hold`, and waits a further `pause`.
  func press(hold: Int64 = 50, pause: Int64 = 50) {
    board.setContact(closed: true)
    run(ms: hold)
    board.setContact(closed: false)
    run(ms: pause)
  }

  func send<P: Payload>(_ payload: P) {
    hostSequence &+= 1
    send(FrameBody(payload, sequence: hostSequence))
  }

  func send(_ body: FrameBody) { board.toDevice += WireFrame(body).withBytes { Array($0) } }

  /// Sends, and lets a millisecond pass for the answer.
  @discardableResult
  func ask<P: Payload>(_ payload: P) -> [DeviceFrame] {
    let before = sent.count
    send(payload)
    run(ms: 1)
    return Array(sent[before...])
  }

  func ack(_ record: EventRecord) { ask(EventAck(record.identity)) }

  func hello(session: UInt32 = 81) {
    ask(Hello(role: .host, session: session, software: Keychain.software))
  }

  func indicate(
    _ state: ShownState, detail: UInt8 = 0, revision: UInt32 = 1, session: UInt32 = 81,
    sounder: Bool = false, lease: UInt16 = 5_000
  ) {
    ask(
      Indicate(
        session: session, incident: 0, revision: revision, state: state, detail: detail,
        sounder: sounder, lease: lease))
  }

  /// The trace goes on at this index, as after so many entries.
  func countTrace(from next: UInt32) { keychain.trace = TraceRing(next: next) }

  /// What was sent since the last call.
  func take() -> [DeviceFrame] {
    defer { taken = sent.count }
    return Array(sent[min(taken, sent.count)...])
  }

  private func moveContact() {
    while let next = script.first, next.at <= board.clock {
      script.removeFirst()
      board.setContact(closed: next.closed)
    }
  }

  private func collect() {
    while read < board.fromDevice.count {
      let (at, bytes) = board.fromDevice[read]
      read += 1
      bytes.withUnsafeBytes { raw in
        var rest = raw
        while let outcome = decoder.next(&rest) {
          precondition(outcome == .frame, "the keychain sent a damaged frame")
          sent.append(DeviceFrame(at: at, body: decoder.withBody { Array($0) }))
          if let event = sent.last?.event, acks(event) { send(EventAck(event.identity)) }
        }
      }
    }
  }
}

extension Instant {
  static func milliseconds(_ n: Int64) -> Instant { Instant(microseconds: n * 1_000) }
}
