/// One event of a stream of server-sent events (WHATWG HTML, section 9.2.6).
public struct ServerEvent: Equatable, Sendable {
  public let name: String
  public let data: String

  public init(name: String, data: String) {
    self.name = name
    self.data = data
  }
}

/// Reads a stream of server-sent events. How the stream was cut into parts changes nothing; a line
/// or an event that is too long ends it.
struct ServerEventParser: Sendable {
  /// Bytes of one line and of one event's data.
  static let limit = 65_536

  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var wasReturn = false

  struct TooLong: Error {}

  mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      // A line ends with LF, CR or both.
      if byte == 0x0A, wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = byte == 0x0D
      guard byte == 0x0A || byte == 0x0D else {
        guard line.count < Self.limit else { throw TooLong() }
        line.append(byte)
        continue
      }
      if let event = try endLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func endLine() throws(TooLong) -> ServerEvent? {
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      guard data.count + value.count < Self.limit else { throw TooLong() }
      if hasData { data.append(0x0A) }
      data.append(contentsOf: value)
      hasData = true
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> ServerEvent? {
    defer {
      name = ""
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else { return nil }
    return ServerEvent(
      name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
  }
}
