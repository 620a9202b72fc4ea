/// Asks an imported device for its iSerialNumber, which USB/IP's records do not have: its device
/// descriptor, its languages, and the text in the first of them (USB 2.0, 9.4.3, 9.6.1 and 9.6.7).
public struct USBIPSerialNumber: USBIPConversation {
  /// The serial number, final when ``wanted`` is 0; nil for a device that has none or does not
  /// answer.
  public private(set) var text: String?

  private enum Descriptor: Equatable {
    case device
    case languages(index: UInt8)
    case serial(index: UInt8, language: UInt16)
  }

  /// High, so that it does not meet the numbers of an importer that uses the socket next.
  private static let firstSequence: UInt32 = 0x7FFF_FF00
  private static let fromDevice: UInt32 = 1
  private static let stringType: UInt8 = 3

  private let deviceID: UInt32
  private var sequence = Self.firstSequence
  private var asked: Descriptor? = .device
  private var isSent = false
  /// How many bytes follow the header.
  private var following = 0

  /// - Parameter deviceID: of the record that came with the import.
  public init(deviceID: UInt32) { self.deviceID = deviceID }

  /// The next GET_DESCRIPTOR as CMD_SUBMIT, once; empty while an answer is due.
  public mutating func takeRequest() -> [UInt8] {
    guard let asked, !isSent else { return [] }
    isSent = true
    switch asked {
    case .device: return submit(type: 1, index: 0, language: 0)
    case .languages: return submit(type: Self.stringType, index: 0, language: 0)
    case .serial(let index, let language):
      return submit(type: Self.stringType, index: index, language: language)
    }
  }

  /// The size of the next header or descriptor, bytes; 0 when ``text`` is final.
  public var wanted: Int {
    if asked == nil { return 0 }
    return following > 0 ? following : USBIPCode.headerSize
  }

  /// Reads a header or the descriptor behind it.
  /// - Throws: `.answer` for another command or sequence or too many bytes, `.length` unless
  ///   `bytes` has ``wanted`` bytes.
  public mutating func take(_ bytes: [UInt8]) throws(USBIPReplyError) {
    guard asked != nil, bytes.count == wanted else { throw .length }
    if following > 0 {
      following = 0
      read(bytes)
    } else {
      try readHeader(bytes)
    }
  }

  /// GET_DESCRIPTOR on endpoint 0 (USB 2.0, 9.4.3), as CMD_SUBMIT.
  private func submit(type: UInt8, index: UInt8, language: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in [
      USBIPCode.submit, sequence, deviceID, Self.fromDevice, 0, 0, UInt32(length), 0, 0, 0,
    ] {
      bytes.appendNetwork(field)
    }
    let setup = SetupPacket(
      requestType: 0x80, request: 6, value: UInt16(type) << 8 | UInt16(index), index: language,
      length: UInt16(length))
    return bytes + setup.bytes
  }

  /// wLength: the device descriptor has 18 bytes, a string 255 at the most.
  private var length: Int { asked == .device ? 18 : 255 }

  private mutating func readHeader(_ bytes: [UInt8]) throws(USBIPReplyError) {
    let (command, answered, status, count) = bytes.withUnsafeBytes { raw in
      var reader = NetworkReader(raw)
      let command = reader.next(UInt32.self)
      let answered = reader.next(UInt32.self)
      reader.skip(12)
      return (command, answered, reader.next(Int32.self), reader.next(UInt32.self))
    }
    guard command == USBIPCode.submitted, answered == sequence, count <= UInt32(length) else {
      throw .answer
    }
    following = Int(count)
    if following == 0 { asked = nil }
    // A device that refuses sends nothing.
    if status != 0, following > 0 { throw .answer }
  }

  private mutating func read(_ bytes: [UInt8]) {
    let before = asked
    asked = nil
    switch before {
    case .device where bytes.count == 18 && bytes[16] != 0:
      ask(.languages(index: bytes[16]))
    case .languages(let index) where bytes.count >= 4 && bytes[1] == Self.stringType:
      ask(.serial(index: index, language: UInt16(bytes[2]) | UInt16(bytes[3]) << 8))
    case .serial where bytes.count >= 2 && bytes[1] == Self.stringType:
      text = Self.text(bytes[2..<max(2, min(bytes.count, Int(bytes[0])))])
    default: break
    }
  }

  private mutating func ask(_ next: Descriptor) {
    asked = next
    isSent = false
    sequence += 1
  }

  /// UTF-16, the least significant byte first; nil for none.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    var units: [UInt16] = []
    var at = bytes.startIndex
    while at + 1 < bytes.endIndex {
      units.append(UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
      at += 2
    }
    return units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
  }
}
