/// CONFIG (40): sets one value until the next reset.
public struct Config: Payload, Equatable {
  public static let type = MessageType.config
  public static let size = 6

  /// As sent; `ConfigKey` names the ones known here.
  public var key: UInt16
  public var value: UInt32

  public init(key: ConfigKey, value: UInt32) {
    self.key = key.rawValue
    self.value = value
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    key = r.next()
    value = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(key)
    body.append(value)
  }
}

public enum ConfigKey: UInt16, Sendable {
  /// Milliseconds, 0 to 50.
  case debounce = 1
  /// 0 or 1.
  case nmeaRaw
  /// Least level of LOG frames, 0 to 3.
  case logLevel
}

/// CONFIG_RESULT (41): what is in force now.
public struct ConfigResult: Payload, Equatable {
  public static let type = MessageType.configResult
  public static let size = 7

  public enum Outcome: UInt8, Sendable { case done = 0, unknownKey, outOfRange }

  public var key: UInt16
  public var value: UInt32
  public var outcome: Outcome

  public init(key: UInt16, value: UInt32, outcome: Outcome) {
    self.key = key
    self.value = value
    self.outcome = outcome
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    key = r.next()
    value = r.next()
    guard let outcome = Outcome(rawValue: r.next()) else { return nil }
    self.outcome = outcome
  }

  public func write(to body: inout FrameBody) {
    body.append(key)
    body.append(value)
    body.append(outcome.rawValue)
  }
}
