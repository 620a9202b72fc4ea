#if !hasFeature(Embedded)
  public import FobBase

  /// What the label of a keychain says: its id and the key that it has from the factory, as 45
  /// letters and digits that a person types, or as a QR code (PROTOCOL.md, 15.6).
  ///
  /// Base32 of Crockford; the last six are the checksum of BIP 173, which finds up to four wrong
  /// ones wherever they stand, and so any two that are swapped.
  public struct LabelCode: Sendable {
    /// The keychain that the label is on.
    public let device: DeviceID
    /// What it has from the factory.
    public let key: PairingKey

    /// Letters and digits of a code.
    public static let length = 45
    static let checkLength = 6
    /// Stands before the code in a QR code, so that a program knows what it reads.
    static let scheme = "FOB"

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A label for any keychain and key.
    public init(_ key: PairingKey, of device: DeviceID) {
      self.device = device
      self.key = key
    }

    /// Why a text is no code. It never has a part of the text.
    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
      /// So many letters and digits are there.
      case length(Int)
      /// Nothing that a label has stands at this place, from 1, spaces and hyphens not counted.
      case character(at: Int)
      /// The checksum is another.
      case mistyped
      /// It is of a version that is not known.
      case version

      public var description: String {
        switch self {
        case .length(let count):
          "a label's code has \(LabelCode.length) letters and digits, and this has \(count)"
        case .character(let place):
          "what stands at place \(place) is in no label's code: letters but U, and digits"
        case .mistyped: "a letter or digit is wrong, or two are swapped: compare it with the label"
        case .version: "this label is of a newer version than this fob"
        }
      }
    }

    // MARK: Written

    /// As it is printed: nine groups of five.
    public var text: String {
      let symbols = symbols()
      return stride(from: 0, to: Self.length, by: 5)
        .map { Self.letters(symbols[$0..<$0 + 5]) }.joined(separator: "-")
    }

    /// What the QR code carries: all of it is of its alphanumeric set.
    public var scanned: String { Self.scheme + ":" + code(version: 0) }

    /// All letters and digits without anything between.
    func code(version: UInt64) -> String { Self.letters(symbols(version: version)[...]) }

    private static func letters(_ symbols: ArraySlice<UInt8>) -> String {
      String(decoding: symbols.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Three bits of the version, the id, the bytes of the key and the checksum, five bits each.
    private func symbols(version: UInt64 = 0) -> [UInt8] {
      var symbols: [UInt8] = []
      var (bits, count) = (version, UInt64(3))
      for word in [device.rawValue, key.low.byteSwapped, key.high.byteSwapped] {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
          bits = bits << 8 | word >> shift & 0xFF
          count += 8
          while count >= 5 {
            count -= 5
            symbols.append(UInt8(truncatingIfNeeded: bits >> count & 31))
          }
        }
      }
      let check = Self.checksum(symbols + Array(repeating: 0, count: Self.checkLength)) ^ 1
      for shift in stride(from: UInt32(25), through: 0, by: -5) {
        symbols.append(UInt8(check >> shift & 31))
      }
      return symbols
    }

    // MARK: Read

    /// Reads a code as it was typed or scanned: letters of both cases; O is 0, I and L are 1;
    /// spaces, hyphens, dashes and byte order marks do not count; FOB: may stand before it.
    public init(_ text: String) throws(Refusal) {
      let symbols = try Self.symbols(of: text)
      guard symbols.count == Self.length else { throw .length(symbols.count) }
      guard Self.checksum(symbols) == 1 else { throw .mistyped }
      guard symbols[0] < 4 else { throw .version }
      var words: [UInt64] = [0, 0, 0]
      // The three bits before the id fall out of the first word.
      for (place, symbol) in symbols.dropLast(Self.checkLength).enumerated() {
        for bit in 0..<5 {
          let at = 5 * place + bit - 3
          guard at >= 0 else { continue }
          words[at / 64] = words[at / 64] << 1 | UInt64(symbol >> (4 - bit) & 1)
        }
      }
      self.init(
        PairingKey(low: words[1].byteSwapped, high: words[2].byteSwapped),
        of: DeviceID(rawValue: words[0]))
    }

    /// - Returns: one more than a code has at most: what follows does not count any more.
    private static func symbols(of text: String) throws(Refusal) -> [UInt8] {
      var symbols: [UInt8] = []
      var scalars = Substring(text).unicodeScalars
      if let colon = scalars.firstIndex(of: ":") {
        let before = String(scalars[..<colon].filter { !isSpacing($0) })
        if before.uppercased() == scheme { scalars = scalars[scalars.index(after: colon)...] }
      }
      for scalar in scalars where !isSpacing(scalar) {
        guard let symbol = value(of: scalar) else { throw .character(at: symbols.count + 1) }
        symbols.append(symbol)
        if symbols.count > length { break }
      }
      return symbols
    }

    /// A space of any width, an end of a line, a hyphen, a dash or minus, or what nobody sees, such
    /// as a byte order mark or a soft hyphen: as print and programs make them.
    private static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .dashPunctuation, .format: true
      default: scalar == "\u{2212}" || scalar.properties.isWhitespace
      }
    }

    private static func value(of scalar: Unicode.Scalar) -> UInt8? {
      guard scalar.isASCII else { return nil }
      var letter = UInt8(truncatingIfNeeded: scalar.value)
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { letter -= 32 }
      switch letter {
      case UInt8(ascii: "O"): letter = UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): letter = UInt8(ascii: "1")
      default: break
      }
      return alphabet.firstIndex(of: letter).map { UInt8($0) }
    }

    /// The polynomial of BIP 173 over GF(32); 1 for a code that is whole.
    private static func checksum(_ symbols: [UInt8]) -> UInt32 {
      let generator: [UInt32] = [
        0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3,
      ]
      return symbols.reduce(1) { check, symbol in
        let shifted = (check & 0x1FF_FFFF) << 5 ^ UInt32(symbol)
        return generator.enumerated().reduce(shifted) { sum, term in
          check >> (25 + UInt32(term.offset)) & 1 == 0 ? sum : sum ^ term.element
        }
      }
    }
  }

  extension LabelCode: Hashable {
    /// In a time that does not tell how much of the keys is the same.
    public static func == (a: LabelCode, b: LabelCode) -> Bool {
      a.device == b.device && a.key == b.key
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(device) }
  }
#endif
