import FobBase

/// The characters of a sentence being written, with its checksum so far.
struct SentenceCharacters: Sendable {
  /// `$`, 120 characters as ``SentenceReader`` takes them, `*`, checksum, CR and LF.
  private var bytes = InlineArray<126, UInt8>(repeating: 0)
  private(set) var count = 0
  private var checksum: UInt8 = 0

  mutating func begin(_ talker: Talker, _ type: SentenceType) {
    bytes[0] = UInt8(ascii: "$")
    count = 1
    checksum = 0
    append(talker.first)
    append(talker.second)
    append(UInt8(truncatingIfNeeded: type.rawValue >> 16))
    append(UInt8(truncatingIfNeeded: type.rawValue >> 8))
    append(UInt8(truncatingIfNeeded: type.rawValue))
  }

  mutating func end() {
    let sum = checksum
    append(UInt8(ascii: "*"))
    append(Hex.capital(sum >> 4))
    append(Hex.capital(sum & 15))
    append(UInt8(ascii: "\r"))
    append(UInt8(ascii: "\n"))
  }

  func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(first: count))
  }

  mutating func append(_ character: UInt8) {
    bytes[count] = character
    count += 1
    checksum ^= character
  }

  /// An empty field.
  mutating func empty() { append(UInt8(ascii: ",")) }

  mutating func field(_ letter: UInt8?) {
    append(UInt8(ascii: ","))
    if let letter { append(letter) }
  }

  /// At least `width` digits; an empty field for nil.
  mutating func field(_ number: UInt32?, width: Int) {
    append(UInt8(ascii: ","))
    if let number { digits(number, width: width) }
  }

  /// A number in units of 10^-`places`, with all its decimals; an empty field for nil.
  mutating func field(_ number: UInt32?, places: Int) {
    append(UInt8(ascii: ","))
    if let number { decimal(number, places: places) }
  }

  /// The same with a minus sign where it is negative. It writes nine digits at most, because no
  /// more are read back.
  mutating func field(_ number: Int32?, places: Int) {
    append(UInt8(ascii: ","))
    guard let number else { return }
    if number < 0 { append(UInt8(ascii: "-")) }
    decimal(number.magnitude, places: places)
  }

  mutating func digits(_ number: UInt32, width: Int) {
    var divisor: UInt32 = 1
    var written = 1
    while written < width || number / divisor >= 10 {
      divisor *= 10
      written += 1
    }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func decimal(_ number: UInt32, places: Int) {
    var unit: UInt32 = 1
    for _ in 0..<places { unit *= 10 }
    let (whole, fraction) = min(number, 999_999_999).quotientAndRemainder(dividingBy: unit)
    digits(whole, width: 1)
    guard places > 0 else { return }
    append(UInt8(ascii: "."))
    digits(fraction, width: places)
  }
}

/// Fields that several sentences have.
extension SentenceCharacters {
  /// `hhmmss.ss`, with a third decimal only where it is not 0.
  mutating func time(_ milliseconds: UInt32?) {
    append(UInt8(ascii: ","))
    guard let milliseconds else { return }
    // A time past the end of the day is its leap second.
    let isLeap = milliseconds >= UTC.millisecondsPerDay
    let (second, thousandths) = min(milliseconds, UTC.millisecondsPerDay + 999)
      .quotientAndRemainder(dividingBy: 1_000)
    let ofDay = isLeap ? second - 1 : second
    digits(ofDay / 3_600, width: 2)
    digits(ofDay / 60 % 60, width: 2)
    digits(isLeap ? 60 : ofDay % 60, width: 2)
    append(UInt8(ascii: "."))
    if thousandths % 10 == 0 {
      digits(thousandths / 10, width: 2)
    } else {
      digits(thousandths, width: 3)
    }
  }

  /// `ddmm.mmmmmmm,N,dddmm.mmmmmmm,E`: seven decimals of a minute are exact to the 1e-7 degree.
  mutating func coordinates(_ place: Coordinates) {
    angle(place.latitude.magnitude, degreeDigits: 2)
    field(place.latitude < 0 ? UInt8(ascii: "S") : UInt8(ascii: "N"))
    angle(place.longitude.magnitude, degreeDigits: 3)
    field(place.longitude < 0 ? UInt8(ascii: "W") : UInt8(ascii: "E"))
  }

  private mutating func angle(_ value: UInt32, degreeDigits: Int) {
    let (degrees, rest) = value.quotientAndRemainder(dividingBy: 10_000_000)
    let (minutes, fraction) = (rest * 60).quotientAndRemainder(dividingBy: 10_000_000)
    field(degrees, width: degreeDigits)
    digits(minutes, width: 2)
    append(UInt8(ascii: "."))
    digits(fraction, width: 7)
  }

  /// `ddmmyy`; empty for a day that is not of the years 2000 to 2079, which alone are read back.
  mutating func date(_ day: UInt32?) {
    append(UInt8(ascii: ","))
    guard let day, let date = UTC.civilDate(ofDay: day), date.year < 2080 else { return }
    digits(date.day, width: 2)
    digits(date.month, width: 2)
    digits(date.year % 100, width: 2)
  }

  /// `dd,mm,yyyy`; empty for a day that is not of the years 2000 to 2099.
  mutating func dateFields(_ day: UInt32?) {
    let date = day.flatMap { UTC.civilDate(ofDay: $0) }
    field(date?.day, width: 2)
    field(date?.month, width: 2)
    field(date?.year, width: 4)
  }

  /// A direction in hundredths of a degree, at most 36000.
  mutating func course(_ hundredths: UInt32?) {
    field(hundredths.map { min($0, 360_00) }, places: 2)
  }

  mutating func satellite(_ satellite: SatelliteInView) {
    field(UInt32(min(satellite.id, 999)), width: 2)
    field(satellite.elevation.map { Int32(min(max($0, -90), 90)) }, places: 0)
    field(satellite.azimuth.map { UInt32(min($0, 360)) }, width: 3)
    field(satellite.signalStrength.map { UInt32(min($0, 99)) }, width: 2)
  }

  /// A field of one hexadecimal digit.
  mutating func identifier(_ value: UInt8) { field(Hex.capital(value & 15)) }
}
