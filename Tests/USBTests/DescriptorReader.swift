/// Descriptors read by the rules of USB 2.0, chapter 9, and CDC 1.2 alone: this knows nothing of
/// how a keychain writes them.
struct DescriptorReader {
  struct Malformed: Error { let reason: String }

  struct Endpoint: Equatable {
    var address: UInt8
    /// 2: bulk, 3: interrupt.
    var transfer: UInt8
    var packet: Int
    var interval: UInt8
  }

  struct Interface: Equatable {
    var number: UInt8
    var alternate: UInt8
    var triple: [UInt8]
    var endpoints: [Endpoint] = []
    /// Class-specific descriptors by subtype: what follows it.
    var functional: [UInt8: [UInt8]] = [:]
  }

  var kind: UInt8
  var value: UInt8
  var attributes: UInt8
  var milliamperes: Int
  var interfaces: [Interface] = []

  /// Of a configuration, or of one of another speed.
  init(configuration bytes: [UInt8]) throws {
    guard bytes.count >= 9, bytes[0] == 9 else { throw Malformed(reason: "its head") }
    kind = bytes[1]
    guard Self.word(bytes, 2) == bytes.count else { throw Malformed(reason: "wTotalLength") }
    value = bytes[5]
    attributes = bytes[7]
    milliamperes = 2 * Int(bytes[8])
    var rest = bytes[9...]
    var promised: [Int] = []
    while let length = rest.first.map({ Int($0) }) {
      guard length >= 2, length <= rest.count else { throw Malformed(reason: "bLength") }
      let one = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      switch one[1] {
      case 4:
        guard length == 9 else { throw Malformed(reason: "an interface") }
        interfaces.append(
          Interface(number: one[2], alternate: one[3], triple: Array(one[5...7])))
        promised.append(Int(one[4]))
      case 5:
        guard length == 7, !interfaces.isEmpty else { throw Malformed(reason: "an endpoint") }
        interfaces[interfaces.count - 1].endpoints.append(
          Endpoint(
            address: one[2], transfer: one[3] & 3, packet: Self.word(one, 4), interval: one[6]))
      case 0x24:
        guard length >= 3, !interfaces.isEmpty else { throw Malformed(reason: "functional") }
        interfaces[interfaces.count - 1].functional[one[2]] = Array(one[3...])
      default: throw Malformed(reason: "type \(one[1])")
      }
    }
    guard interfaces.map(\.endpoints.count) == promised else {
      throw Malformed(reason: "bNumEndpoints")
    }
    guard Set(interfaces.map(\.number)).count == Int(bytes[4]) else {
      throw Malformed(reason: "bNumInterfaces")
    }
  }

  /// The text of a string descriptor.
  static func text(_ bytes: [UInt8]) throws -> String {
    guard bytes.count >= 2, Int(bytes[0]) == bytes.count, bytes[1] == 3, bytes.count % 2 == 0
    else { throw Malformed(reason: "a string") }
    let units = stride(from: 2, to: bytes.count, by: 2).map { UInt16(word(bytes, $0)) }
    return String(decoding: units, as: UTF16.self)
  }

  static func word(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(bytes[at]) | Int(bytes[at + 1]) << 8
  }
}
