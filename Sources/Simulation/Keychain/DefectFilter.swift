import Emulator
import FobBase
import Judge
import WireProtocol

/// Sits between a defective keychain's firmware and its line. It changes outgoing frames as the
/// defect would, and turns acks of what was said into acks of what was meant.
struct DefectFilter {
  private var defects: [DeviceDefect] = []
  private var random: SplitMix64
  private let constantNonce: UInt32
  /// How each event was first said; it is said the same way for ever.
  private var sayings: [EventIdentity: Saying] = [:]
  /// The events that each ack of a said event stands for.
  private var meant: [EventAck: [EventIdentity]] = [:]
  private var hasLeapt = false
  /// The bytes of a frame that has begun, outgoing and incoming.
  private var outgoing: [UInt8] = []
  private var incoming: [UInt8] = []

  private struct Saying {
    var identity: EventIdentity
    /// The press falsely claims to stand for all from this number on.
    var mergedFrom: EventNumber?
  }

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    constantNonce = UInt32(truncatingIfNeeded: random.next()) | 1
  }

  mutating func fall(_ defect: DeviceDefect) { defects.append(defect) }

  /// Power has gone, perhaps in the middle of a frame.
  mutating func fallSilent() {
    outgoing = []
    incoming = []
  }

  // MARK: Out

  /// Turns the firmware's bytes into those for the line.
  /// - Parameter note: called once for each event that is said as another.
  mutating func say(
    _ bytes: [UInt8], note: (_ meant: Event, _ said: EventIdentity) -> Void
  ) -> [UInt8] {
    var said: [UInt8] = []
    for byte in bytes {
      outgoing.append(byte)
      guard byte == 0 else { continue }
      said += Self.frame(outgoing).flatMap { change($0, note) } ?? outgoing
      outgoing.removeAll(keepingCapacity: true)
    }
    return said
  }

  /// Changes a frame as the defects would.
  /// - Parameter body: head, type, sequence, payload.
  /// - Returns: the frame to send in its place; nil: it goes out as it is.
  private mutating func change(
    _ body: [UInt8], _ note: (Event, EventIdentity) -> Void
  ) -> [UInt8]? {
    body.withUnsafeBytes { bytes in
      let payload = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(4))
      switch MessageType(rawValue: bytes[1]) {
      case .hello: return Hello(payload, size: Hello.size).map { Self.frame(changed($0), body) }
      case .timeResponse:
        return TimeResponse(payload, size: TimeResponse.size).map {
          Self.frame(changed($0), body)
        }
      case .heartbeat:
        return Heartbeat(payload, size: Heartbeat.size).map { Self.frame(changed($0), body) }
      case .battery:
        return BatteryReading(payload, size: BatteryReading.size).map {
          Self.frame(changed($0), body)
        }
      case .gpsFix:
        return PositionFix(payload, size: PositionFix.size).map { Self.frame(changed($0), body) }
      case .event:
        return EventRecord(payload, size: EventRecord.size).map { event($0, body, note) }
      default: return nil
      }
    }
  }

  private func changed(_ hello: Hello) -> Hello {
    var hello = hello
    for defect in defects {
      switch defect {
      case .nonces(.constant): hello.bootNonce = constantNonce
      case .nonces(.otherInHello): hello.bootNonce = ~hello.bootNonce | 1
      case .idBorrowed(let other): hello.deviceID = DeviceID(keychain: other)
      default: break
      }
    }
    return hello
  }

  private func changed(_ response: TimeResponse) -> TimeResponse {
    var response = response
    response.deviceReceive = reading(response.deviceReceive)
    response.deviceSend = reading(response.deviceSend)
    if defects.contains(.nonces(.constant)) { response.bootNonce = constantNonce }
    return response
  }

  private mutating func changed(_ beat: Heartbeat) -> Heartbeat {
    var beat = beat
    beat.uptime = reading(beat.uptime)
    guard defects.contains(.readings) else { return beat }
    beat.millivolts = lot()
    beat.batteryPercent = lot()
    beat.unacked = lot()
    beat.shown = ShownState(rawValue: lot())
    beat.flags = Heartbeat.Flags(rawValue: lot())
    beat.damagedFrames = lot()
    beat.droppedFrames = lot()
    beat.evictedEvents = lot()
    beat.mergedPresses = lot()
    return beat
  }

  private mutating func changed(_ battery: BatteryReading) -> BatteryReading {
    var battery = battery
    battery.clock = reading(battery.clock)
    guard defects.contains(.readings) else { return battery }
    battery.millivolts = lot()
    battery.percent = lot()
    return battery
  }

  private mutating func changed(_ fix: PositionFix) -> PositionFix {
    var fix = fix
    fix.clock = reading(fix.clock)
    guard defects.contains(.readings) else { return fix }
    fix.quality = PositionQuality(rawValue: lot() % 3)!
    fix.latitude = Int32(bitPattern: lot())
    fix.longitude = Int32(bitPattern: lot())
    fix.altitude = Int32(bitPattern: lot())
    fix.accuracy = lot()
    fix.satellites = lot()
    fix.utc = lot()
    return fix
  }

  private func reading(_ clock: UInt64) -> UInt64 {
    defects.reduce(clock) { $1.reading($0) }
  }

  private mutating func lot<T: FixedWidthInteger>() -> T { T(truncatingIfNeeded: random.next()) }

  // MARK: Events

  private mutating func event(
    _ record: EventRecord, _ body: [UInt8], _ note: (Event, EventIdentity) -> Void
  ) -> [UInt8] {
    var record = record
    let saying = sayings[record.identity] ?? saying(of: record, note)
    record.identity = saying.identity
    if let first = saying.mergedFrom {
      record.flags.insert(.merged)
      record.firstCovered = first
      record.covered = .max
    }
    guard defects.contains(.readings) else { return Self.frame(record, body) }
    record.commitDelta = lot()
    record.flags = EventRecord.Flags(rawValue: lot())
    record.detail = lot()
    record.millivolts = lot()
    record.batteryPercent = lot()
    record.position.quality = PositionQuality(rawValue: lot() % 3)!
    record.position.latitude = Int32(bitPattern: lot())
    record.position.longitude = Int32(bitPattern: lot())
    record.position.age = lot()
    record.position.accuracy = lot()
    record.position.satellites = lot()
    record.firstCovered = EventNumber(rawValue: lot())
    record.covered = lot()
    // Some presses are cut to their frozen part.
    let isCut = record.identity.kind == .pressed && Int.random(in: 0..<4, using: &random) == 0
    return Self.frame(record, body, longest: isCut ? EventRecord.size : nil)
  }

  private mutating func saying(
    of record: EventRecord, _ note: (Event, EventIdentity) -> Void
  ) -> Saying {
    var saying = Saying(identity: record.identity)
    for defect in defects {
      saying.identity.clock = defect.stamp(saying.identity.clock)
      switch defect {
      case .stumbles(let ahead, let numbers):
        guard record.identity.kind != .pressed else { continue }
        saying.identity.clock &+= UInt64(ahead.microseconds)
        let number = saying.identity.number
        saying.identity.number = EventNumber(boot: number.boot, n: number.n &+ numbers)
      case .numbers(let numbers): renumber(&saying, numbers)
      case .nonces(.constant): saying.identity.bootNonce = constantNonce
      case .nonces(.otherInEachEvent): saying.identity.bootNonce = lot()
      case .idBorrowed(let other): saying.identity.deviceID = DeviceID(keychain: other)
      default: break
      }
    }
    sayings[record.identity] = saying
    meant[EventAck(saying.identity), default: []].append(record.identity)
    // A merged press may be changed in what it covers, too.
    if saying.identity != record.identity || record.flags.contains(.merged) {
      note(Event(record), saying.identity)
    }
    return saying
  }

  private mutating func renumber(_ saying: inout Saying, _ numbers: DeviceDefect.Numbers) {
    let number = saying.identity.number
    let isFirst = saying.identity.kind == .pressed && !hasLeapt
    var n = number.n
    switch numbers {
    case .highestOnce:
      guard isFirst else { return }
      hasLeapt = true
      saying.identity.number = EventNumber(rawValue: .max)
      return
    case .highestOfBootOnce:
      guard isFirst else { return }
      hasLeapt = true
      n = .max
    case .mergedAheadOnce:
      guard isFirst else { return }
      hasLeapt = true
      saying.mergedFrom = number
      n = n &+ 1 << 31
    case .leaping: n = n &* 100_003
    case .repeating: n = n / 2 + n % 2
    case .wrapping: n = (n &- 1) % 4 + 1
    case .falling: n = .max - n
    }
    saying.identity.number = EventNumber(boot: number.boot, n: n)
  }

  // MARK: In

  /// Turns the line's bytes into those for the firmware.
  mutating func hear(_ bytes: [UInt8]) -> [UInt8] {
    var heard: [UInt8] = []
    for byte in bytes {
      incoming.append(byte)
      guard byte == 0 else { continue }
      heard += Self.frame(incoming).flatMap { acks(in: $0) } ?? incoming
      incoming.removeAll(keepingCapacity: true)
    }
    return heard
  }

  /// Acks of all events that were said so; nil where the frame is no ack of a changed event.
  private func acks(in body: [UInt8]) -> [UInt8]? {
    guard body[1] == MessageType.eventAck.rawValue else { return nil }
    let ack = body.withUnsafeBytes {
      EventAck(UnsafeRawBufferPointer(rebasing: $0.dropFirst(4)), size: EventAck.size)
    }
    return ack.flatMap { meant[$0] }?.flatMap { Self.frame(EventAck($0), body) }
  }

  // MARK: Frames

  /// The body of the one frame in these bytes; nil where there is none or it is damaged.
  private static func frame(_ wire: [UInt8]) -> [UInt8]? {
    var decoder = FrameDecoder()
    let outcome = wire.withUnsafeBytes {
      var bytes = $0
      return decoder.next(&bytes)
    }
    return outcome == .frame ? decoder.withBody { Array($0) } : nil
  }

  /// - Parameter longest: how many bytes of the payload are sent at most.
  private static func frame(
    _ payload: some Payload, _ body: [UInt8], longest: Int? = nil
  ) -> [UInt8] {
    var new = body[..<4].withUnsafeBytes { FrameBody(raw: $0) }
    payload.write(to: &new)
    guard let longest else { return WireFrame(new).withBytes { Array($0) } }
    let cut = new.withBytes { bytes in
      FrameBody(raw: UnsafeRawBufferPointer(rebasing: bytes.prefix(4 + longest)))
    }
    return WireFrame(cut).withBytes { Array($0) }
  }
}

extension Payload {
  fileprivate init?(_ payload: UnsafeRawBufferPointer, size: Int) {
    guard payload.count >= size else { return nil }
    self.init(payload)
  }
}
