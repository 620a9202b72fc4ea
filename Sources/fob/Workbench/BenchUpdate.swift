import Bridge
import Control
import Emulator
import FobBase
import WireProtocol

/// Something that happened on the bench, on its way to the thread that writes it down.
enum BenchUpdate: Sendable {
  case bridge(BridgeEvent, at: Instant)
  case keychain(device: String, EmulatorEvent)
  case conformance(ConformanceRuns.Progress)
  /// What went over the lines, and how many pieces were lost behind it.
  case wire([TapChunk], lost: Int)
}

/// What is told of it, as JSON.
enum BenchLines {
  /// An event of an emulated keychain's control socket, and whose it is.
  struct OfKeychain: Encodable {
    let device: String
    let event: EmulatorEvent

    private enum Key: CodingKey { case device }

    func encode(to encoder: any Encoder) throws {
      try event.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(device, forKey: .device)
    }
  }

  /// An edge of the light itself.
  struct Light: Encodable {
    let device: String
    let at: Int64
    let led: Bool
  }

  /// What the keychain says that it shows, as the bridge heard it.
  struct Shown: Encodable {
    let device: String
    let at: Int64
    /// Nil: a state that this version does not know.
    let shown: String?
    let sounder: Bool

    private enum Key: CodingKey { case device, at, shown, sounder }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(device, forKey: .device)
      try container.encode(at, forKey: .at)
      try container.encode(shown, forKey: .shown)
      try container.encode(sounder, forKey: .sounder)
    }
  }

  struct Located: Encodable {
    let device: String
    let at: Int64
    /// 1e-7 degree, north and east positive.
    let latitude: Int32
    let longitude: Int32
    /// none, weak or good.
    let quality: String
    /// Centimetres above mean sea level.
    let altitude: Int32
    /// Decimetres; nil where the receiver does not say.
    let accuracy: UInt16?
    let satellites: UInt8
    /// Seconds since 1970; nil where the receiver does not say.
    let utc: UInt32?

    init(_ device: String, _ fix: PositionFix, at: Instant) {
      self.device = device
      self.at = at.microseconds
      latitude = fix.latitude
      longitude = fix.longitude
      quality = "\(fix.quality)"
      altitude = fix.altitude
      accuracy = fix.accuracy == .max ? nil : fix.accuracy
      satellites = fix.satellites
      utc = fix.utc == 0 ? nil : fix.utc
    }
  }
}
