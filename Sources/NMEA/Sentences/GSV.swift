/// GNSS Satellites in View: up to four satellites; several messages make one view.
public struct GSV: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// How many messages make the view, at most 99.
  public var messages: UInt8
  /// Which of these messages this is, from 1.
  public var number: UInt8
  /// Satellites in view, of all these messages together; 255 stands for 255 and more.
  public var inView: UInt8
  /// The satellites of this message, without the empty places that some receivers add.
  public var satellites: FixedList<4, SatelliteInView>
  /// The signal whose strengths these are, 0 to 15, since NMEA 4.10; nil where not stated.
  public var signal: UInt8?

  /// - Parameters:
  ///   - talker: which system, or systems, the sentence speaks for.
  ///   - messages: how many make the view, at most 99.
  ///   - number: which of them this is, from 1.
  ///   - inView: satellites in view, of all these messages together.
  ///   - satellites: those of this message, made of `noSatellites`.
  ///   - signal: whose strengths these are, 0 to 15, since NMEA 4.10; nil where not stated.
  public init(
    talker: Talker, messages: UInt8, number: UInt8, inView: UInt8,
    satellites: FixedList<4, SatelliteInView>, signal: UInt8?
  ) {
    self.talker = talker
    self.messages = messages
    self.number = number
    self.inView = inView
    self.satellites = satellites
    self.signal = signal
  }

  /// An empty list, to which the satellites of a message are appended.
  public static var noSatellites: FixedList<4, SatelliteInView> {
    FixedList(filler: SatelliteInView(id: 0))
  }

  /// Refuses a sentence with fewer satellites than its head says: it has been cut off, and without
  /// a checksum nothing else would show it (pynmea2#128).
  ///
  /// - Parameter start: stands behind the address field.
  init(talker: Talker, _ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    var fields = start
    let messages = try fields.number(in: sentence)
    let number = try fields.number(in: sentence)
    let inView = try fields.number(in: sentence)
    guard let messages, let number, let inView else { throw .missing }
    guard messages <= 99, number >= 1, number <= messages else { throw .outOfRange }
    self.messages = UInt8(messages)
    self.number = UInt8(number)
    self.inView = UInt8(clamping: inView)
    satellites = Self.noSatellites
    signal = nil
    var places = 0
    while !fields.isAtEnd(of: sentence) {
      if fields.start + 1 >= sentence.count {
        signal = try fields.hexadecimalDigit(in: sentence)
        break
      }
      guard places < 4 else { throw .malformed }
      places += 1
      if let satellite = try SatelliteInView(&fields, in: sentence) {
        satellites.append(satellite)
      }
    }
    guard places >= self.places else { throw .missing }
  }

  /// How many places for satellites the head of this message calls for, 0 to 4.
  var places: Int { max(0, min(4, Int(inView) - (Int(number) - 1) * 4)) }
}

/// Where a satellite stands in the sky and how well it is heard.
public struct SatelliteInView: Sendable, Equatable {
  /// As the talker numbers its satellites: 1 to 32 GPS, 33 to 64 SBAS, 65 to 96 GLONASS…
  public var id: UInt16
  /// In degrees above the horizon, -90 to 90; nil where not stated.
  public var elevation: Int8?
  /// In degrees from true north, clockwise, 0 to 360; nil where not stated.
  public var azimuth: UInt16?
  /// In dB-Hz, 0 to 99; nil where the satellite is not tracked.
  public var signalStrength: UInt8?

  /// - Parameters:
  ///   - id: at most 999 can be written.
  ///   - elevation: in degrees above the horizon, -90 to 90; nil where not stated.
  ///   - azimuth: in degrees from true north, clockwise, 0 to 360; nil where not stated.
  ///   - signalStrength: in dB-Hz, 0 to 99; nil for a satellite that is not tracked.
  public init(
    id: UInt16, elevation: Int8? = nil, azimuth: UInt16? = nil, signalStrength: UInt8? = nil
  ) {
    self.id = id
    self.elevation = elevation
    self.azimuth = azimuth
    self.signalStrength = signalStrength
  }

  /// Reads four fields, of which the last must be there; nil where the number of the satellite is
  /// empty.
  init?(_ fields: inout FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    let id = try fields.wholeNumber(in: sentence)
    let isBelow = fields.passMinus(in: sentence)
    let height = try fields.wholeNumber(in: sentence)
    let azimuth = try fields.wholeNumber(in: sentence)
    guard !fields.isAtEnd(of: sentence) else { throw .missing }
    let strength = try fields.wholeNumber(in: sentence)
    guard let id else { return nil }
    guard id <= 999, height ?? 0 <= 90, azimuth ?? 0 <= 360, strength ?? 0 <= 99
    else { throw .outOfRange }
    self.id = UInt16(id)
    elevation = height.map { isBelow ? -Int8($0) : Int8($0) }
    self.azimuth = azimuth.map { UInt16($0) }
    signalStrength = strength.map { UInt8($0) }
  }
}
