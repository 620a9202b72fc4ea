import Foundation
import SerialIO
import TestSupport
import Testing

@Suite struct DeviceSpecTests {
  @Test func `a pty is named by its path, and reads as it was written`() throws {
    let spec = try DeviceSpec("pty:/tmp/fob.pty")
    #expect(spec == DeviceSpec(pty: "/tmp/fob.pty"))
    #expect(spec.path == "/tmp/fob.pty")
    #expect(spec.description == "pty:/tmp/fob.pty")
  }

  @Test(arguments: [
    ("/dev/ttyNONE0", "serial:/dev/ttyNONE0"),
    ("/dev/ttyNONE0?baud=9600", "serial:/dev/ttyNONE0?baud=9600"),
    ("/dev/null", "serial:/dev/null"), ("/dev/pts/4711", "pty:/dev/pts/4711"),
    ("./keychain", "pty:./keychain"), ("../a:b", "pty:../a:b"), ("/tmp/none", "pty:/tmp/none"),
  ])
  func `a path alone is a serial port in /dev, elsewhere a pty`(path: String, spec: String) throws {
    #expect("\(try DeviceSpec(path))" == spec)
  }

  @Test func `a path alone is of the kind that stands there`() throws {
    let scratch = try ScratchDirectory()
    let socket = try UnixListener(path: scratch.path("line.sock"))
    let terminal = try PseudoTerminal()
    let pty = try StableLink(at: scratch.path("pty"), to: terminal.slavePath)
    let port = try StableLink(at: scratch.path("port"), to: "/dev/null")
    #expect(try DeviceSpec(socket.path).kind == .unix(path: socket.path))
    #expect(try DeviceSpec(pty.path) == DeviceSpec(pty: pty.path))
    #expect(try DeviceSpec(port.path).kind == .serial(path: port.path, SerialSettings()))
    extendLifetime(terminal)
  }

  @Test func `a line is one by whichever path its folder is reached`() throws {
    let scratch = try ScratchDirectory()
    try FileManager.default.createDirectory(
      atPath: scratch.path("a"), withIntermediateDirectories: false)
    try #require(symlink(scratch.path("a"), scratch.path("b")) == 0)
    let place = DeviceSpec(pty: scratch.path("a/keychain")).resolved
    #expect(place == DeviceSpec(pty: scratch.path("b/keychain")).resolved)
    #expect(place == DeviceSpec(pty: scratch.path("b/../a/./keychain")).resolved)
    #expect(place.resolved == place)
    let here = FileManager.default.currentDirectoryPath
    for text in ["unix:line.sock", "serial:./line.sock?baud=9600"] {
      #expect(try DeviceSpec(text).resolved.path == here + "/line.sock")
    }
    for text in ["tcp:127.0.0.1:4000", "pty:/nowhere/keychain", "pty:/keychain"] {
      #expect(try DeviceSpec(text).resolved == DeviceSpec(text))
    }
  }

  @Test func `a path may hold colons`() throws {
    #expect(try DeviceSpec("pty:/tmp/a:b").path == "/tmp/a:b")
    #expect(try DeviceSpec("unix:/tmp/a:b?c").path == "/tmp/a:b?c")
  }

  @Test(arguments: [
    ("serial:/dev/ttyUSB0", SerialSettings()),
    ("serial:/dev/ttyUSB0?baud=250000", SerialSettings(baud: 250_000)),
    (
      "serial:/dev/ttyUSB0?baud=115200&flow=rtscts&dtr=pulse",
      SerialSettings(baud: 115_200, flow: .rtscts, dtr: .pulse)
    ),
    (
      "serial:/dev/ttyUSB0?dtr=on&flow=rtscts",
      SerialSettings(flow: .rtscts, dtr: .on)
    ),
    ("serial:/dev/ttyUSB0?flow=none&dtr=keep&rts=keep", SerialSettings()),
  ])
  func `a serial port takes its settings in any order`(
    text: String, settings: SerialSettings
  ) throws {
    #expect(try DeviceSpec(text).kind == .serial(path: "/dev/ttyUSB0", settings))
  }

  @Test(arguments: [
    ("tcp:127.0.0.1:4000", "127.0.0.1", 4_000), ("tcp:[::1]:1", "::1", 1),
    ("tcp:bench.example.org:65535", "bench.example.org", 65_535),
    ("tcp:localhost:0", "localhost", 0),
    ("tcp:[fe80::1%eth0]:4000", "fe80::1%eth0", 4_000),
  ])
  func `a TCP port is named by address or name`(text: String, host: String, port: Int) throws {
    let spec = try DeviceSpec(text)
    #expect(spec.kind == .tcp(host: host, port: UInt16(port)))
    #expect(spec.description == text)
    #expect(spec.path == nil)
  }

  @Test(arguments: [("1209:0001", nil), ("cafe:BABE", nil), ("1209:0001:8000:1/x", "8000:1/x")])
  func `a USB device is named by its ids and its serial number`(
    text: String, serial: String?
  ) throws {
    let ids = text.prefix(9).split(separator: ":").map { UInt16($0, radix: 16)! }
    let address = USBAddress(vendor: ids[0], product: ids[1], serial: serial)
    #expect(try DeviceSpec("usb:" + text).kind == .usb(address))
    #expect(try DeviceSpec("tty:" + text).kind == .tty(address))
    #expect(try DeviceSpec("tty:" + text).path == nil)
    #expect(try DeviceSpec("usb:" + text).description == "usb:\(address)")
    #expect(try DeviceSpec("\(DeviceSpec(.tty(address)))").kind == .tty(address))
  }

  @Test(arguments: [
    (":/tmp/x", "'' is no kind of line known here"),
    ("bluetooth:1209:0001", "'bluetooth' is no kind of line known here"),
    ("usb:1209", "the product id is missing"), ("tty:", "the product id is missing"),
    ("usb:1209:1", "'1' is no USB id: it is four hexadecimal digits"),
    ("usb:1209:+001", "'+001' is no USB id: it is four hexadecimal digits"),
    ("tty:12091:0001", "'12091' is no USB id: it is four hexadecimal digits"),
    ("usb:1209:0001:", "a serial number is 1 to 126 characters of ASCII without blanks"),
    ("usb:1209:0001:a b", "a serial number is 1 to 126 characters of ASCII without blanks"),
    ("PTY:/tmp/x", "'PTY' is no kind of line known here"),
    ("pty:", "the path is missing"), ("pty:a\0b", "a path holds no zero byte"),
    ("serial:", "the path is missing"), ("serial:?baud=9600", "the path is missing"),
    ("serial:/dev/x?", "'' is no setting: write KEY=VALUE"),
    ("serial:/dev/x?baud", "'baud' is no setting: write KEY=VALUE"),
    ("serial:/dev/x?baud=9600&", "'' is no setting: write KEY=VALUE"),
    ("serial:/dev/x?baud=fast", "baud takes 1 to 20000000, not 'fast'"),
    ("serial:/dev/x?baud=0", "baud takes 1 to 20000000, not '0'"),
    ("serial:/dev/x?baud=-1", "baud takes 1 to 20000000, not '-1'"),
    ("serial:/dev/x?baud=", "baud takes 1 to 20000000, not ''"),
    ("serial:/dev/x?baud=99999999999", "baud takes 1 to 20000000, not '99999999999'"),
    ("serial:/dev/x?baud=1&baud=2", "baud is given twice"),
    ("serial:/dev/x?parity=odd", "'parity' is no setting: known are baud, flow, dtr and rts"),
    ("serial:/dev/x?flow=yes", "flow takes none, rtscts, not 'yes'"),
    (
      "serial:/dev/x?flow=xonxoff",
      "xonxoff takes the bytes 11 and 13 out of the line, and frames with them never arrive"
    ),
    ("serial:/dev/x?dtr=up", "dtr takes keep, on, off, pulse, not 'up'"),
    ("serial:/dev/x?rts=pulse", "rts takes keep, on, off, not 'pulse'"),
    (
      "serial:/dev/x?rts=on&flow=rtscts",
      "rts is the driver's own with flow=rtscts: leave rts out"
    ),
    ("unix:", "the path is missing"),
    (
      "unix:/" + String(repeating: "s", count: 107),
      "a socket's path has at most 107 bytes, this one has 108"
    ),
    ("tcp:", "the port is missing"), ("tcp:localhost", "the port is missing"),
    ("tcp:localhost:", "'' is no port: it is a number, 1 to 65535"),
    ("tcp:localhost:http", "'http' is no port: it is a number, 1 to 65535"),
    ("tcp:localhost:65536", "'65536' is no port: it is a number, 1 to 65535"),
    ("tcp::4000", "the host is missing"), ("tcp:::1:4000", "an IPv6 address stands in brackets"),
    ("tcp:[::1:4000", "'[::1' is no address in brackets"),
    ("tcp:[localhost]:4000", "only an IPv6 address stands in brackets"),
    ("tcp:a b:4000", "a host is ASCII, without blanks or brackets"),
    ("memory:", "the name is missing"),
  ])
  func `what is no device is refused with the part that is wrong and a hint`(
    text: String, reason: String
  ) throws {
    let refusal = try #require(throws: DeviceSpecError.self) { try DeviceSpec(text) }
    #expect(refusal.reason == reason)
    #expect(
      refusal.description == "cannot use device '\(text)': \(reason); write \(refusal.form)")
    let kind = text.prefix { $0 != ":" }
    let example = try #require(refusal.form.components(after: " as in ").first)
    if ["pty", "serial", "unix", "tcp", "memory"].contains(kind) {
      #expect(example.hasPrefix("\(kind):"))
    }
    #expect(try DeviceSpec(example).description == example, "the example itself is one")
  }

  @Test func `any text is read or refused, and what is read is read again from its description`()
    throws
  {
    var random = SeededGenerator(seed: 3)
    let parts = [
      "pty", "serial", "unix", "tcp", "memory", ":", ":", ":", "/dev/x", "?", "&", "=", "baud",
      "flow", "dtr", "rts", "keep", "on", "off", "pulse", "rtscts", "none", "9600", "[", "]",
      "::1", "localhost", "4000", "0", "\u{301}", "\u{200D}", "\0", "é", "🔑", "\r\n", " ",
      "\u{600}",
    ]
    var read = 0
    for _ in 0..<8_000 {
      let kind = parts[Int.random(in: 0..<5, using: &random)]
      let text = (0..<Int.random(in: 0...9, using: &random)).reduce("\(kind):") { text, _ in
        text + parts.randomElement(using: &random)!
      }
      guard let spec = try? DeviceSpec(text) else { continue }
      read += 1
      #expect(try DeviceSpec(spec.description) == spec, "\(text)")
    }
    #expect(read > 500)
    for _ in 0..<2_000 {
      let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? DeviceSpec(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension String {
  /// Those between and behind the separators.
  fileprivate func components(after separator: String) -> [String] {
    split(separator: separator).dropFirst().map { String($0.prefix { $0 != " " }) }
  }
}
