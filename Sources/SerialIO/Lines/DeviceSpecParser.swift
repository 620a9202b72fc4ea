import Glibc

/// Reads the text of a ``DeviceSpec``. Each refusal names the wrong part and the right form.
enum DeviceSpecParser {
  private static let ptyForm = "pty:PATH, as in pty:/tmp/fob.pty"
  private static let serialForm =
    "serial:PATH?baud=N&flow=none|rtscts&dtr=keep|on|off|pulse&rts=keep|on|off,"
    + " as in serial:/dev/ttyUSB0?baud=115200"
  private static let unixForm = "unix:PATH, as in unix:/tmp/fob.sock"
  private static let tcpForm = "tcp:HOST:PORT, as in tcp:127.0.0.1:4000 or tcp:[::1]:4000"
  private static let usbForm =
    "usb:VID:PID or usb:VID:PID:SERIAL, or the same with tty:, as in usb:1209:0001"
  private static let memoryForm = "memory:NAME, as in memory:bench"
  private static let anyForm =
    "a path such as /dev/ttyUSB0 or ./keychain, pty:PATH, serial:PATH?baud=N, unix:PATH,"
    + " tcp:HOST:PORT, tty:VID:PID[:SERIAL], usb:VID:PID[:SERIAL] or memory:NAME,"
    + " as in pty:/tmp/fob.pty"

  static func kind(_ text: String) throws(DeviceSpecError) -> DeviceSpec.Kind {
    if isPath(text) { return try read(text, as: kind(ofPath: text), text) }
    guard let colon = text.firstIndex(of: ":") else {
      throw DeviceSpecError(text: text, reason: "it names no kind of line", form: anyForm)
    }
    let rest = String(text[text.index(after: colon)...])
    return try read(rest, as: text[..<colon], text)
  }

  /// - Parameters:
  ///   - rest: what stands behind the kind.
  ///   - text: the whole, for the refusal.
  private static func read(
    _ rest: String, as kind: Substring, _ text: String
  ) throws(DeviceSpecError) -> DeviceSpec.Kind {
    do throws(Refusal) {
      switch kind {
      case "pty": return .pty(path: try path(rest, ptyForm))
      case "serial": return try serial(rest)
      case "unix": return .unix(path: try socketPath(rest))
      case "tcp": return try tcp(rest)
      case "tty": return .tty(try usb(rest))
      case "usb": return .usb(try usb(rest))
      case "memory":
        guard !rest.isEmpty else { throw Refusal("the name is missing", memoryForm) }
        return .memory(name: rest)
      case let kind: throw Refusal("'\(kind)' is no kind of line known here", anyForm)
      }
    } catch {
      throw DeviceSpecError(text: text, reason: error.reason, form: error.form)
    }
  }

  // MARK: A bare path

  /// It begins as a path does, and no kind does.
  private static func isPath(_ text: String) -> Bool {
    ["/", "./", "../"].contains { text.hasPrefix($0) }
  }

  /// The kind that stands there; where nothing does, a serial port in /dev, else a pty.
  private static func kind(ofPath text: String) -> Substring {
    let path = String(text.prefix { $0 != "?" })
    var status = stat()
    guard stat(path, &status) == 0 else {
      return path.hasPrefix("/dev/") && !path.hasPrefix(ptys) ? "serial" : "pty"
    }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return "unix"
    case S_IFCHR: return isPty(path) ? "pty" : "serial"
    default: return "pty"
    }
  }

  private static let ptys = "/dev/pts/"

  private static func isPty(_ path: String) -> Bool {
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    return String(cString: real).hasPrefix(ptys)
  }

  private struct Refusal: Error {
    let reason: String
    let form: String

    init(_ reason: String, _ form: String) {
      self.reason = reason
      self.form = form
    }
  }

  private static func path(_ text: String, _ form: String) throws(Refusal) -> String {
    guard !text.isEmpty else { throw Refusal("the path is missing", form) }
    guard !text.utf8.contains(0) else { throw Refusal("a path holds no zero byte", form) }
    return text
  }

  private static func socketPath(_ text: String) throws(Refusal) -> String {
    let path = try path(text, unixForm)
    guard path.utf8.count <= UnixAddress.maxPathSize else {
      throw Refusal(
        "a socket's path has at most \(UnixAddress.maxPathSize) bytes, this one has"
          + " \(path.utf8.count)", unixForm)
    }
    return path
  }

  // MARK: TCP

  private static func tcp(_ text: String) throws(Refusal) -> DeviceSpec.Kind {
    guard let colon = text.lastIndex(of: ":") else {
      throw Refusal("the port is missing", tcpForm)
    }
    let digits = text[text.index(after: colon)...]
    guard let port = number(digits).flatMap({ UInt16(exactly: $0) }) else {
      throw Refusal("'\(digits)' is no port: it is a number, 1 to 65535", tcpForm)
    }
    return .tcp(host: try host(text[..<colon]), port: port)
  }

  private static func host(_ text: Substring) throws(Refusal) -> String {
    var host = text
    if host.first == "[" {
      guard host.last == "]", host.count > 2 else {
        throw Refusal("'\(host)' is no address in brackets", tcpForm)
      }
      host = host.dropFirst().dropLast()
      guard host.contains(":") else {
        throw Refusal("only an IPv6 address stands in brackets", tcpForm)
      }
    } else if host.contains(":") {
      throw Refusal("an IPv6 address stands in brackets", tcpForm)
    }
    guard !host.isEmpty else { throw Refusal("the host is missing", tcpForm) }
    guard host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5B && $0 != 0x5D }) else {
      throw Refusal("a host is ASCII, without blanks or brackets", tcpForm)
    }
    return String(host)
  }

  // MARK: USB

  private static func usb(_ text: String) throws(Refusal) -> USBAddress {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1 else { throw Refusal("the product id is missing", usbForm) }
    guard parts.count == 3 else {
      return USBAddress(vendor: try id(parts[0]), product: try id(parts[1]))
    }
    let serial = parts[2].utf8
    // A string descriptor holds 126 code units (USB 2.0, 9.6.7).
    guard (1...126).contains(serial.count), serial.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Refusal("a serial number is 1 to 126 characters of ASCII without blanks", usbForm)
    }
    return USBAddress(
      vendor: try id(parts[0]), product: try id(parts[1]), serial: String(parts[2]))
  }

  private static func id(_ text: Substring) throws(Refusal) -> UInt16 {
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let id = UInt16(text, radix: 16)
    else {
      throw Refusal("'\(text)' is no USB id: it is four hexadecimal digits", usbForm)
    }
    return id
  }

  // MARK: Serial

  private static func serial(_ text: String) throws(Refusal) -> DeviceSpec.Kind {
    guard let mark = text.firstIndex(of: "?") else {
      return .serial(path: try path(text, serialForm), SerialSettings())
    }
    let path = try path(String(text[..<mark]), serialForm)
    var settings = SerialSettings()
    var seen: Set<Substring> = []
    for item in text[text.index(after: mark)...].split(
      separator: "&", omittingEmptySubsequences: false)
    {
      guard let equals = item.firstIndex(of: "=") else {
        throw Refusal("'\(item)' is no setting: write KEY=VALUE", serialForm)
      }
      let key = item[..<equals]
      guard seen.insert(key).inserted else { throw Refusal("\(key) is given twice", serialForm) }
      try set(key, to: item[item.index(after: equals)...], in: &settings)
    }
    guard settings.flow != .rtscts || settings.rts == .keep else {
      throw Refusal("rts is the driver's own with flow=rtscts: leave rts out", serialForm)
    }
    return .serial(path: path, settings)
  }

  private static func set(
    _ key: Substring, to value: Substring, in settings: inout SerialSettings
  ) throws(Refusal) {
    switch key {
    case "baud":
      guard let baud = number(value), (1...SerialSettings.maxBaud).contains(baud) else {
        throw Refusal("baud takes 1 to \(SerialSettings.maxBaud), not '\(value)'", serialForm)
      }
      settings.baud = baud
    case "flow":
      guard value != "xonxoff" else {
        throw Refusal(
          "xonxoff takes the bytes 11 and 13 out of the line, and frames with them never arrive",
          serialForm)
      }
      settings.flow = try choice(key, value)
    case "dtr": settings.dtr = try choice(key, value)
    case "rts": settings.rts = try choice(key, value)
    default:
      throw Refusal("'\(key)' is no setting: known are baud, flow, dtr and rts", serialForm)
    }
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: Substring, _ value: Substring
  ) throws(Refusal) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: String(value)) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal("\(key) takes \(known), not '\(value)'", serialForm)
  }

  /// ASCII digits alone: no sign, no blank.
  private static func number(_ text: Substring) -> UInt32? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }
}
