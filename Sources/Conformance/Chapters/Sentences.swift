/// What a GPS receiver says, with its checksum.
enum Sentences {
  /// 51.4778 north, 0.0015 west, 1e-7 degree.
  static let latitude: Int32 = 514_778_000
  static let longitude: Int32 = -15_000

  /// A position of an epoch that is `second` seconds behind 12:00 UTC of 1 June 2025.
  static func fix(second: Int = 0, date: String = "010625") -> [UInt8] {
    let time = "1200\(second < 10 ? "0" : "")\(second).00"
    return line("GPGGA,\(time),5128.66800,N,00000.09000,W,1,09,0.90,46.0,M,47.0,M,,")
      + line("GPRMC,\(time),A,5128.66800,N,00000.09000,W,0.0,0.0,\(date),,,A")
  }

  /// In the south and the east.
  static func farFix() -> [UInt8] {
    line("GPGGA,120000.00,3351.00000,S,15112.60000,E,1,09,0.90,10.0,M,20.0,M,,")
      + line("GPRMC,120000.00,A,3351.00000,S,15112.60000,E,0.0,0.0,010625,,,A")
  }

  static func noFix() -> [UInt8] {
    line("GPGGA,120000.00,,,,,0,00,99.99,,,,,,") + line("GPRMC,120000.00,V,,,,,,,010625,,,N")
  }

  /// `$`, the checksum and the line's end are put round it.
  static func line(_ fields: String, checksumError: UInt8 = 0) -> [UInt8] {
    let sum = fields.utf8.reduce(0 as UInt8, ^) ^ checksumError
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(fields)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }

  /// Every checksum is wrong by a bit.
  static func damaged(_ sentences: [UInt8]) -> [UInt8] {
    sentences.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
      let fields = line.dropFirst().prefix { $0 != UInt8(ascii: "*") }
      return Self.line(String(decoding: fields, as: UTF8.self), checksumError: 1)
    }
  }
}
