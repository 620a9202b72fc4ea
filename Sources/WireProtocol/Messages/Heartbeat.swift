/// HEARTBEAT (04): each second, that the device lives and what it had to give up.
public struct Heartbeat: Payload, Equatable {
  public static let type = MessageType.heartbeat
  public static let size = 30

  public struct Flags: BitFlags {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let sounder = Flags(rawValue: 1)
    public static let buttonClosed = Flags(rawValue: 2)
    public static let storeFailing = Flags(rawValue: 4)
    public static let ringFull = Flags(rawValue: 8)
  }

  /// Device clock, µs since boot.
  public var uptime: UInt64 = 0
  public var millivolts: UInt16 = 0
  /// 255: unknown.
  public var batteryPercent: UInt8 = 255
  public var unacked: UInt8 = 0
  /// Nil: a state that this version does not know.
  public var shown: ShownState? = .unclaimed
  public var flags = Flags.none
  public var damagedFrames: UInt32 = 0
  public var droppedFrames: UInt32 = 0
  public var evictedEvents: UInt32 = 0
  public var mergedPresses: UInt32 = 0

  public init() {}

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    uptime = r.next()
    millivolts = r.next()
    batteryPercent = r.next()
    unacked = r.next()
    shown = ShownState(rawValue: r.next())
    flags = Flags(rawValue: r.next())
    damagedFrames = r.next()
    droppedFrames = r.next()
    evictedEvents = r.next()
    mergedPresses = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(uptime)
    body.append(millivolts)
    body.append(batteryPercent)
    body.append(unacked)
    body.append(shown?.rawValue ?? .max)
    body.append(flags.rawValue)
    body.append(damagedFrames)
    body.append(droppedFrames)
    body.append(evictedEvents)
    body.append(mergedPresses)
  }
}
