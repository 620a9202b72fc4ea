import NMEA
import TestSupport

/// Values within what a writer promises to write without loss.
struct RandomSentence {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> Sentence {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .gga(GGA(talker: talker(), fix: chance() ? nil : gga()))
    case 1: .gns(GNS(talker: talker(), fix: chance() ? nil : gns()))
    case 2: .rmc(RMC(talker: talker(), fix: chance() ? nil : rmc()))
    case 3: .gll(GLL(talker: talker(), fix: chance() ? nil : gll()))
    case 4: .gsa(gsa())
    case 5: .gsv(gsv())
    case 6: .vtg(vtg())
    default: .zda(zda())
    }
  }

  mutating func coordinates() -> Coordinates {
    Coordinates(
      latitude: number(-900_000_000...900_000_000),
      longitude: number(-1_800_000_000...1_800_000_000))!
  }

  mutating func number<N: FixedWidthInteger>(_ range: ClosedRange<N>) -> N {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: range.lowerBound
    case 1: range.upperBound
    default: N.random(in: range, using: &random)
    }
  }

  private mutating func chance() -> Bool { Int.random(in: 0..<5, using: &random) == 0 }

  private mutating func maybe<N: FixedWidthInteger>(_ range: ClosedRange<N>) -> N? {
    chance() ? nil : number(range)
  }

  private mutating func talker() -> Talker {
    let all: [Talker] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic, .combined]
    return all.randomElement(using: &random)!
  }

  private mutating func kind() -> FixKind { FixKind(rawValue: number(1...9))! }

  /// With the leap second of the last minute.
  private mutating func time() -> UInt32? { maybe(0...86_400_999) }

  private mutating func altitude() -> Int32? { maybe(-999_999_999...999_999_999) }

  private mutating func gga() -> GGA.Fix {
    GGA.Fix(
      kind: kind(), time: time(), coordinates: coordinates(), satellites: maybe(0...255),
      hdop: maybe(0...65_535), altitude: altitude(), geoidSeparation: altitude())
  }

  private mutating func gns() -> GNS.Fix {
    var kinds = GNS.noKinds
    kinds.append(kind())
    for _ in 0..<number(0...5) { kinds.append(chance() ? .invalid : kind()) }
    return GNS.Fix(
      kinds: kinds, time: time(), coordinates: coordinates(), satellites: maybe(0...255),
      hdop: maybe(0...65_535), altitude: altitude(), geoidSeparation: altitude())
  }

  private mutating func rmc() -> RMC.Fix {
    RMC.Fix(
      time: time(), day: maybe(10_957...40_176), coordinates: coordinates(),
      speed: maybe(0...999_999_999), course: maybe(0...36_000),
      magneticVariation: maybe(-18_000...18_000), kind: chance() ? nil : kind())
  }

  private mutating func gll() -> GLL.Fix {
    GLL.Fix(coordinates: coordinates(), time: time(), kind: chance() ? nil : kind())
  }

  private mutating func gsa() -> GSA {
    var satellites = GSA.noSatellites
    for _ in 0..<number(0...12) { satellites.append(number(0...999)) }
    return GSA(
      talker: talker(), isAutomatic: chance(), mode: FixMode(rawValue: number(1...3))!,
      satellites: satellites, pdop: maybe(0...65_535), hdop: maybe(0...65_535),
      vdop: maybe(0...65_535), system: maybe(0...15))
  }

  private mutating func gsv() -> GSV {
    let count: UInt8 = number(0...4)
    var satellites = GSV.noSatellites
    for _ in 0..<count {
      satellites.append(
        SatelliteInView(
          id: number(0...999), elevation: maybe(-90...90), azimuth: maybe(0...360),
          signalStrength: maybe(0...99)))
    }
    let before: UInt8 = number(0...9)
    // Announced and not listed: the writer fills up with empty places.
    let more: UInt8 = number(0...4)
    return GSV(
      talker: talker(), messages: number(before + 1...99), number: before + 1,
      inView: before * 4 + count + more, satellites: satellites, signal: maybe(0...15))
  }

  private mutating func vtg() -> VTG {
    VTG(
      talker: talker(), course: maybe(0...36_000), magneticCourse: maybe(0...36_000),
      speed: maybe(0...999_999_999), metresPerHour: maybe(0...999_999_999),
      kind: chance() ? nil : FixKind(rawValue: number(0...9)))
  }

  private mutating func zda() -> ZDA {
    ZDA(
      talker: talker(), time: time(), day: maybe(10_957...47_481), zone: maybe(-839...839))
  }
}
