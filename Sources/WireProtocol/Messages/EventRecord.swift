public import FobBase

/// EVENT (10): a numbered fact that the device keeps until it is acked.
public struct EventRecord: Payload, Equatable {
  public static let type = MessageType.event
  public static let size = 54
  /// With the tail of a MERGED record.
  public static let longestSize = 64

  public struct Flags: BitFlags {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let atBoot = Flags(rawValue: 1)
    public static let replayed = Flags(rawValue: 2)
    public static let merged = Flags(rawValue: 4)
    public static let volatile = Flags(rawValue: 8)
  }

  public var identity: EventIdentity
  /// From the first edge to the commit, µs: debouncing as a stage of its own.
  public var commitDelta: UInt32 = 0
  public var flags = Flags.none
  /// Booted: the reset cause. Fault: the fault code.
  public var detail: UInt8 = 0
  public var millivolts: UInt16 = 0
  /// 255: unknown.
  public var batteryPercent: UInt8 = 255
  public var position = EventPosition()
  /// MERGED: the first number that this record stands for, and for how many presses.
  public var firstCovered = EventNumber.none
  public var covered: UInt16 = 0

  public init(_ identity: EventIdentity) { self.identity = identity }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    identity = EventIdentity(bytes)
    var r = ByteReader(bytes, from: EventIdentity.size)
    commitDelta = r.next()
    flags = Flags(rawValue: r.next())
    detail = r.next()
    millivolts = r.next()
    batteryPercent = r.next()
    position = EventPosition(&r)
    if flags.contains(.merged) {
      guard bytes.count >= Self.longestSize else { return nil }
      firstCovered = EventNumber(rawValue: r.next())
      covered = r.next()
    }
  }

  public func write(to body: inout FrameBody) {
    identity.write(to: &body)
    body.append(commitDelta)
    body.append(flags.rawValue)
    body.append(detail)
    body.append(millivolts)
    body.append(batteryPercent)
    position.write(to: &body)
    if flags.contains(.merged) {
      body.append(firstCovered.rawValue)
      body.append(covered)
    }
  }
}

/// Where the device last knew itself to be, as an event carries it.
public struct EventPosition: Equatable, Sendable {
  public var quality = PositionQuality.none
  /// 1e-7 degree, north and east positive.
  public var latitude: Int32 = 0
  public var longitude: Int32 = 0
  /// Age when the event was committed, ms; `UInt32.max` when there was never a fix.
  public var age = UInt32.max
  /// Decimetres, 65535 unknown.
  public var accuracy = UInt16.max
  public var satellites: UInt8 = 0

  public init() {}

  init(_ r: inout ByteReader) {
    quality = PositionQuality(rawValue: r.next()) ?? .none
    latitude = r.next()
    longitude = r.next()
    age = r.next()
    accuracy = r.next()
    satellites = r.next()
  }

  func write(to body: inout FrameBody) {
    body.append(quality.rawValue)
    body.append(latitude)
    body.append(longitude)
    body.append(age)
    body.append(accuracy)
    body.append(satellites)
  }

  public var isKnown: Bool { age != .max }
}

/// R32: what the GPS line of the status says.
public enum PositionQuality: UInt8, Sendable { case none = 0, weak, good }
