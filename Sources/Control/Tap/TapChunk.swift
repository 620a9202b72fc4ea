/// Some bytes that went over a line in one read or one write.
struct TapChunk: Sendable, Encodable {
  let at: Int64
  let device: String
  let to: LineTap.Direction
  let bytes: [UInt8]

  private enum CodingKeys: CodingKey { case at, device, to, bytes }

  func encode(to encoder: any Encoder) throws {
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
