public import FobBase

/// Reads a GPS receiver: bytes in, the last known position out.
///
/// It reads GGA and RMC of every talker (GP, GN, GL, GA, GB, BD, GQ…). GGA decides the quality.
/// RMC brings the date and a position; only while no GGA is heard does it decide the quality, and
/// then `weak` is the best. An RMC with status V neither makes nor wipes a position.
///
/// Some receivers send one GGA for each constellation. The talker with the best fix is listened to,
/// and the others not until it has been silent for 5 s: else the quality would jump twice a second.
public struct GPSReceiver: Sendable {
  /// The last position, kept when the signal is lost, so that an alarm has a place to tell. Nil
  /// until the first. Its quality is as of `fix.at`; ask `quality(at:)` for the present one.
  public private(set) var fix: GPSFix?
  /// Counts accepted and refused sentences.
  public private(set) var reader = SentenceReader()
  /// Accepted sentences of other types.
  public private(set) var skipped: UInt32 = 0
  /// Accepted GGA and RMC sentences with a field that cannot be: nothing of them was taken.
  public private(set) var fieldErrors: UInt32 = 0

  private var voice: Voice?
  private var date: UTCDate?

  /// The GGA that is listened to.
  private struct Voice {
    var talker: UInt16
    var quality: GPSQuality
    var satellites: UInt8
    var at: Instant
  }

  /// How long what a receiver said holds: until `fix.at + silence`, the quality stays.
  public static let silence = Interval.seconds(5)

  public init() {}

  /// Takes one byte that was read at `now`. True when `fix` changed.
  public mutating func receive(_ byte: UInt8, at now: Instant) -> Bool {
    guard reader.receive(byte) else { return false }
    do throws(FieldError) {
      switch try reader.withSentence({ s throws(FieldError) in try Sentence(s) }) {
      case .gga(let gga): return take(gga, at: now)
      case .rmc(let rmc): return take(rmc, at: now)
      case .other: skipped &+= 1
      }
    } catch {
      fieldErrors &+= 1
    }
    return false
  }

  /// The quality at `now`: that of the last fix, or `none` when nothing confirmed it for over 5 s.
  public func quality(at now: Instant) -> GPSQuality {
    guard let fix, now - fix.at <= Self.silence else { return .none }
    return fix.quality
  }

  private mutating func take(_ gga: GGA, at now: Instant) -> Bool {
    guard isListenedTo(gga, at: now) else { return false }
    voice = Voice(
      talker: gga.talker, quality: gga.quality, satellites: gga.satellites, at: now)
    guard let read = gga.fix else { return loseSignal() }
    var utc: UInt32 = 0
    if let date, let second = read.secondOfDay { utc = date.utc(ofSecond: second, at: now) }
    fix = GPSFix(
      quality: read.quality, latitude: read.coordinates.latitude,
      longitude: read.coordinates.longitude, altitude: read.altitude, accuracy: read.accuracy,
      satellites: read.satellites, utc: utc, at: now)
    return true
  }

  private mutating func take(_ rmc: RMC, at now: Instant) -> Bool {
    let heard = voice.flatMap { now - $0.at <= Self.silence ? $0 : nil }
    guard let read = rmc.fix else { return heard == nil ? loseSignal() : false }
    date = nil
    if let day = read.day, let second = read.secondOfDay {
      date = UTCDate(day: day, secondOfDay: second, at: now)
    }
    guard heard?.quality != GPSQuality.none else { return false }
    let (quality, accuracy, satellites) =
      if heard != nil, let fix {
        (fix.quality, fix.accuracy, fix.satellites)
      } else {
        (GPSQuality.weak, GPSFix.unknownAccuracy, 0 as UInt8)
      }
    fix = GPSFix(
      quality: quality, latitude: read.coordinates.latitude,
      longitude: read.coordinates.longitude, altitude: fix?.altitude ?? 0, accuracy: accuracy,
      satellites: satellites, utc: date?.utc ?? 0, at: now)
    return true
  }

  private func isListenedTo(_ gga: GGA, at now: Instant) -> Bool {
    guard let voice, voice.talker != gga.talker, now - voice.at <= Self.silence else {
      return true
    }
    return (gga.quality, gga.satellites) > (voice.quality, voice.satellites)
  }

  private mutating func loseSignal() -> Bool {
    guard let last = fix, last.quality != .none else { return false }
    fix?.quality = .none
    return true
  }
}
