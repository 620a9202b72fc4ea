/// Some bytes that went over a line in one read or one write.
package struct TapChunk: Sendable, Encodable {
  /// µs on CLOCK_BOOTTIME.
  package let at: Int64
  /// What the line is called, its spec or the device's id.
  package let device: String
  package let to: LineTap.Direction
  package let bytes: [UInt8]

  private enum CodingKeys: CodingKey { case at, device, to, bytes }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(at, forKey: .at)
    try container.encode(device, forKey: .device)
    try container.encode(to, forKey: .to)
    try container.encode(hex, forKey: .bytes)
  }

  private var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
