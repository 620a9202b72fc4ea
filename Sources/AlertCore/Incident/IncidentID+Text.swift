import FobBase

extension IncidentID: Codable, CustomStringConvertible {
  /// The id of a trigger's incident: FNV-1a over its source and key, with boot 0, which no keychain
  /// counts.
  public init(_ trigger: Trigger) {
    wire = Self.hash("\(trigger.source.rawValue) \(trigger.key)")
    boot = 0
    device = trigger.device.rawValue
  }

  /// The id of a message that a request with this key asks for: made as a trigger's is, of no
  /// keychain.
  package init(messageKey key: String) {
    wire = Self.hash("message \(key)")
    boot = 0
    device = 0
  }

  /// - Parameter cause: what the id is made from, beside the keychain's press.
  init(moved cause: String, boot: UInt32, _ device: DeviceID) {
    wire = Self.hash("moved \(cause)")
    self.boot = boot
    self.device = device.rawValue
  }

  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// The three numbers in hexadecimal. Text is made on demand, since no press waits for it.
  public var description: String {
    String(unsafeUninitializedCapacity: 42) { text in
      var end = text.startIndex
      for (value, digits) in [(wire, 16), (UInt64(boot), 8), (device, 16)] {
        if end > 0 {
          text.initializeElement(at: end, to: UInt8(ascii: "-"))
          end += 1
        }
        for digit in (0..<digits).reversed() {
          text.initializeElement(at: end, to: Self.hex(value >> (4 * digit) & 15))
          end += 1
        }
      }
      return end
    }
  }

  /// - Returns: nil for a text that `description` never gives.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [16, 8, 16], let wire = UInt64(parts[0], radix: 16),
      let boot = UInt32(parts[1], radix: 16),
      let device = UInt64(parts[2], radix: 16)
    else { return nil }
    self.wire = wire
    self.boot = boot
    self.device = device
    // `description` writes no sign and no capitals.
    guard description == text else { return nil }
  }

  public init(from decoder: any Decoder) throws {
    self = try decoder.read("incident id") { IncidentID($0) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private static func hex(_ digit: UInt64) -> UInt8 {
    UInt8(digit) + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
}
