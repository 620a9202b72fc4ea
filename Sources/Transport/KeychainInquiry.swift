public import FobBase
import Glibc
public import SerialIO
public import WireProtocol

/// Asks a serial port whether a keychain is behind it, with one HELLO, and gives the port back as
/// it was. Nothing is acked, so a keychain keeps what it has.
public struct KeychainInquiry: ~Copyable {
  private let line: SerialLine
  private let path: String
  private var decoder = FrameDecoder()
  private var heard = Heard()
  private let session = UInt32.random(in: 1...UInt32.max)

  private struct Heard {
    /// Whether a byte was read at all.
    var isSomething = false
    /// Whether a whole frame of the protocol was read, of whatever type.
    var isFrame = false
    var hello: Hello?
    var firmware: KeychainFirmware?
    var beat: Heartbeat?
    var events: Set<EventIdentity> = []

    /// - Parameter frame: from its head on, without its CRC; four bytes or more.
    mutating func take(_ frame: UnsafeRawBufferPointer, in session: UInt32) {
      isFrame = true
      let payload = UnsafeRawBufferPointer(rebasing: frame[4...])
      switch MessageType(rawValue: frame[1]) {
      case .hello where payload.count >= Hello.size:
        let hello = Hello(payload)
        if hello?.role == .device, hello?.session == session { self.hello = hello }
      case .firmwareInfo where !FrameHead(rawValue: frame[0]).isSealed:
        firmware = KeychainFirmware(payload)
      case .heartbeat where payload.count >= Heartbeat.size: beat = Heartbeat(payload)
      // Its frozen bytes are read, whatever else is wrong: it may be a press.
      case .event where payload.count >= EventIdentity.size:
        events.insert(EventIdentity(payload))
      default: break
      }
    }
  }

  /// What a keychain still has for its core.
  public enum Keeping: Hashable, Sendable {
    case nothing
    /// A press, or what could be one: not every event that it keeps was heard.
    case press
    /// Events, none of which is a press.
    case others
  }

  /// Opens the port. Nobody else may have it open.
  /// - Throws: as `SerialLine` of SerialIO does.
  public init(path: String, settings: SerialSettings = SerialSettings()) throws(IOFailure) {
    line = try SerialLine(path: path, settings: settings)
    self.path = path
  }

  /// Whether anything came from the port since it was opened, also what this cannot read. Where
  /// ``hello(_:within:)`` returned nil, this tells a silent port from one behind which somebody is.
  public var hasHeardSomething: Bool { heard.isSomething }

  /// Ends the question; the port has its former mode again.
  public consuming func end() { line.giveBack() }

  /// Says HELLO once, and waits for the answer to it.
  /// - Returns: nil where no keychain answers in time, or the line echoes.
  /// - Throws: `IOFailure` where the port has gone.
  public mutating func hello(
    _ software: SoftwareVersion, within patience: Interval
  ) throws(IOFailure) -> Hello? {
    var body = FrameBody(type: .hello, sequence: 0)
    Hello(role: .host, session: session, software: software).write(to: &body)
    // The zero byte in front ends whatever the line was in the middle of.
    try say(WireFrame(body, afterSilence: true))
    try listen(within: patience) { $0.hello != nil }
    return heard.hello
  }

  /// Asks for board and build.
  /// - Returns: nil where nothing answers in time.
  public mutating func firmware(within patience: Interval) throws(IOFailure) -> KeychainFirmware? {
    try say(WireFrame(FrameBody(type: .firmwareInfo, sequence: 1)))
    try listen(within: patience) { $0.firmware != nil }
    return heard.firmware
  }

  /// What the keychain keeps. HELLO makes it send all of that again (PROTOCOL.md, 5), and the
  /// heartbeat says how much there is. Call it after ``hello(_:within:)``.
  public mutating func keeping(within patience: Interval) throws(IOFailure) -> Keeping {
    heard.beat = nil
    try listen(within: patience) { heard in
      heard.beat.map { Int($0.unacked) <= heard.events.count } ?? false
    }
    if heard.events.contains(where: { $0.kind == .pressed }) { return .press }
    guard let beat = heard.beat, Int(beat.unacked) <= heard.events.count else { return .press }
    guard beat.unacked == 0 else { return .others }
    // Nothing was acked since HELLO, so one of the two is wrong: in doubt it is a press.
    return heard.hello?.oldestUnacked == EventNumber(rawValue: 0) ? .nothing : .press
  }

  /// How long the device runs since its boot, by its own clock, as a heartbeat says that was sent
  /// after this was asked.
  /// - Returns: µs; nil where no heartbeat comes in time.
  public mutating func uptime(within patience: Interval) throws(IOFailure) -> UInt64? {
    heard.beat = nil
    try listen(within: patience) { $0.beat != nil }
    return heard.beat?.uptime
  }

  private func say(_ frame: WireFrame) throws(IOFailure) {
    let number = line.number
    let bytes = frame.withBytes { Array($0) }
    let written = try Syscall.runWithoutWaiting("write", path) { write(number, bytes, bytes.count) }
    guard written == bytes.count else {
      throw IOFailure("write", errno: EAGAIN, path: path, reason: "the port takes no bytes")
    }
  }

  private mutating func listen(
    within patience: Interval, until isEnough: (Heard) -> Bool
  ) throws(IOFailure) {
    var limit = ListeningLimit(until: BootClock.now() + patience)
    var buffer = [UInt8](repeating: 0, count: 512)
    while !isEnough(heard), limit.isOpen(at: BootClock.now()) {
      let number = line.number
      guard try Syscall.poll(number, for: POLLIN, until: limit.deadline) != 0 else { return }
      let count =
        try Syscall.runWithoutWaiting("read", path) { read(number, &buffer, buffer.count) } ?? 0
      guard count > 0 else { throw IOFailure("read", errno: ENODEV, path: path) }
      heard.isSomething = true
      limit.take(count)
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while let outcome = decoder.next(&rest) {
      guard outcome == .frame else { continue }
      decoder.withBody { heard.take($0, in: session) }
    }
  }
}

/// How long an answer is waited for: until a deadline, or until the line has said more than any
/// keychain keeps, for a line that never falls silent would never be found to be late.
struct ListeningLimit {
  /// On the boot clock.
  let deadline: Instant
  private var bytesLeft = Self.mostBytes

  /// The largest store has 32 KiB.
  static let mostBytes = 1 << 18

  init(until deadline: Instant) { self.deadline = deadline }

  func isOpen(at now: Instant) -> Bool { now < deadline && bytesLeft > 0 }

  mutating func take(_ count: Int) { bytesLeft -= min(count, bytesLeft) }
}

extension KeychainInquiry {
  /// Whether a keychain answers HELLO at a port, and why it cannot be told.
  public enum Answer: Hashable, Sendable {
    case keychain
    case silence
    case failure(IOFailure)
  }

  /// Long enough for a keychain that boots when its port is opened.
  public static let patience = Interval.milliseconds(1_500)

  /// Opens a port, says HELLO once, and gives the port back. What speaks the protocol is no
  /// stranger: where only its answer is missing, HELLO is said again, three times at most.
  public static func answer(
    at path: String, _ settings: SerialSettings, _ software: SoftwareVersion
  ) -> Answer {
    do throws(IOFailure) {
      var inquiry = try KeychainInquiry(path: path, settings: settings)
      let answer: Answer
      do throws(IOFailure) {
        var hello = try inquiry.hello(software, within: patience)
        for _ in 1...3 where hello == nil && inquiry.heard.isFrame {
          hello = try inquiry.hello(software, within: patience)
        }
        answer = hello == nil ? .silence : .keychain
      } catch {
        answer = .failure(error)
      }
      inquiry.end()
      return answer
    } catch {
      return .failure(error)
    }
  }
}
