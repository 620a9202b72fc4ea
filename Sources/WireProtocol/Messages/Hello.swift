public import FobBase

/// HELLO (01): opens a session. The host asks, the device answers each one.
public struct Hello: Payload, Equatable {
  public enum Role: UInt8, Sendable { case device = 0, host = 1 }

  public static let type = MessageType.hello
  public static let size = 45
  /// CRC-32C of `firmware-protocol/messages.json`, held by a test.
  public static let tableHash: UInt32 = 0xC66A_02E6

  public var role: Role
  public var versionMin: UInt8 = FrameHead.version
  public var versionMax: UInt8 = FrameHead.version
  public var resetCause = ResetCause.unknown
  public var capabilities: UInt32 = 0
  public var maxFrame: UInt16 = 255
  public var tableHash = Hello.tableHash
  /// From the host its new session, from the device the session that it answers, 0 when unasked.
  public var session: UInt32
  public var deviceID = DeviceID(rawValue: 0)
  public var bootCounter: UInt32 = 0
  public var bootNonce: UInt32 = 0
  public var oldestUnacked = EventNumber.none
  public var software: SoftwareVersion

  public init(role: Role, session: UInt32, software: SoftwareVersion) {
    self.role = role
    self.session = session
    self.software = software
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    guard let role = Role(rawValue: r.next()) else { return nil }
    self.role = role
    versionMin = r.next()
    versionMax = r.next()
    resetCause = ResetCause(rawValue: r.next()) ?? .unknown
    capabilities = r.next()
    maxFrame = r.next()
    tableHash = r.next()
    session = r.next()
    deviceID = DeviceID(rawValue: r.next())
    bootCounter = r.next()
    bootNonce = r.next()
    oldestUnacked = EventNumber(rawValue: r.next())
    software = SoftwareVersion(major: r.next(), minor: r.next(), patch: r.next())
  }

  public func write(to body: inout FrameBody) {
    body.append(role.rawValue)
    body.append(versionMin)
    body.append(versionMax)
    body.append(resetCause.rawValue)
    body.append(capabilities)
    body.append(maxFrame)
    body.append(tableHash)
    body.append(session)
    body.append(deviceID.rawValue)
    body.append(bootCounter)
    body.append(bootNonce)
    body.append(oldestUnacked.rawValue)
    body.append(software.major)
    body.append(software.minor)
    body.append(software.patch)
  }
}

public struct SoftwareVersion: Equatable, Sendable {
  public var major: UInt8
  public var minor: UInt8
  public var patch: UInt8

  public init(major: UInt8, minor: UInt8, patch: UInt8) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }
}

public enum ResetCause: UInt8, Sendable {
  case unknown = 0, powerOn, resetPin, watchdog, brownOut, software
}
