public import FobBase
import Glibc

/// One emulated keychain. It is always of bench identity: nothing it sends can page a person.
public struct EmulatorConfiguration: Hashable, Sendable {
  /// The lower half of the device id.
  public var serial: UInt32
  /// A symbolic link to the pty, the same for every plugging. Nil: a name in the temporary folder.
  public var linkPath: String?
  /// The file behind the event store, which outlives the process. Nil: memory.
  public var storePath: String?
  /// A control socket (JSON lines), at most 107 bytes. Nil: none.
  public var controlPath: String?
  public var gps: GPSSource
  /// 0 to 100; more is 100.
  public var batteryPercent: UInt8
  /// Per cent of the battery's charge lost in an hour.
  public var drainPerHour: Int64
  /// Parts per million that the board's clock gains on the host's.
  public var driftPPM: Int32
  /// Of the contact's bounce. Nil: the contact is clean.
  public var bounceSeed: UInt64?

  public init(
    serial: UInt32 = 1, linkPath: String? = nil, storePath: String? = nil,
    controlPath: String? = nil, gps: GPSSource = .none, batteryPercent: UInt8 = 100,
    drainPerHour: Int64 = 0, driftPPM: Int32 = 0,
    bounceSeed: UInt64? = 1
  ) {
    self.serial = serial
    self.linkPath = linkPath
    self.storePath = storePath
    self.controlPath = controlPath
    self.gps = gps
    self.batteryPercent = batteryPercent
    self.drainPerHour = drainPerHour
    self.driftPPM = driftPPM
    self.bounceSeed = bounceSeed
  }

  public var deviceID: DeviceID { .bench(serial) }

  /// `linkPath`, or `$TMPDIR/fob-DEVICE-PID`.
  public var effectiveLinkPath: String {
    if let linkPath { return linkPath }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return "\(folder.isEmpty ? "/tmp" : folder)/fob-\(deviceID.text)-\(getpid())"
  }
}
