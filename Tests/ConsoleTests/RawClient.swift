import FobBase
import Foundation
import Glibc
import SerialIO
import Testing

/// One connection, written to and read from byte by byte: what a client that means harm would send
/// goes out as it is.
final class RawClient: Sendable {
  struct Response: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func json<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(body))
    }
  }

  private let socket: OwnedDescriptor

  /// - Parameter receiveBuffer: bytes that the kernel may hold for a client that does not read.
  init(port: Int, at host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
    let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    socket = OwnedDescriptor(owning: number, path: "port \(port)")
    if var size = receiveBuffer {
      setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    try #require(inet_pton(AF_INET, host, &address.sin_addr) == 1)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try Syscall.run("connect to", "port \(port)") {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, length) }
      }
    }
  }

  var descriptor: Int32 { socket.number }

  /// The address by which this host would reach that one: nothing is sent.
  static func addressTowards(_ host: String) throws -> String {
    let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    try #require(inet_pton(AF_INET, host, &address.sin_addr) == 1)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        try Syscall.run("connect", host) { connect(number, pointer, length) }
        try Syscall.run("getsockname", host) { getsockname(number, pointer, &length) }
      }
    }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    try #require(
      inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(INET_ADDRSTRLEN)) != nil)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try Syscall.run("write", socket.path) {
        rest.withUnsafeBytes {
          Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Empty at the end; throws after 20 s of silence.
  func receive(_ count: Int = 65_536) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = try Syscall.run("read", socket.path) { recv(socket.number, &bytes, count, 0) }
    return Array(bytes.prefix(received))
  }

  /// Gives up the connection at once, as a client that is killed does.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads one whole answer, to the end of the connection.
  func response() throws -> Response {
    var bytes: [UInt8] = []
    while true {
      let more = (try? receive()) ?? []
      if more.isEmpty { break }
      bytes += more
    }
    return try #require(Self.parse(bytes), "no answer: \(String(decoding: bytes, as: UTF8.self))")
  }

  private static func parse(_ bytes: [UInt8]) -> Response? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else {
      return nil
    }
    let lines = String(decoding: bytes[..<headEnd], as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] =
        parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    var body = Array(bytes[(headEnd + 4)...])
    if headers["transfer-encoding"] == "chunked" { body = unchunked(body) }
    return Response(status: status, headers: headers, body: body)
  }

  static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    var chunks = Chunks()
    return chunks.take(bytes)
  }
}

/// Undoes the chunked transfer coding, as it comes: a part of a chunk is passed on.
struct Chunks {
  private var line: [UInt8] = []
  /// Of the chunk that is under way.
  private var left = 0

  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      if left > 0 {
        let part = rest.prefix(left)
        body += part
        left -= part.count
        rest = rest.dropFirst(part.count)
      } else {
        // The size, and before it the end of the last chunk.
        let byte = rest.removeFirst()
        if byte != 10 {
          if byte != 13 { line.append(byte) }
        } else if !line.isEmpty {
          left = Int(String(decoding: line, as: UTF8.self), radix: 16) ?? 0
          line = []
        }
      }
    }
    return body
  }
}

/// What blocks runs on a thread of its own: the few of Swift's pool are the server's.
func blocking<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    thread.stackSize = 1 << 20
    thread.start()
  }
}
