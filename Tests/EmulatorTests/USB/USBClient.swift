import FobBase
import Glibc
import SerialIO
import Testing
import USB

/// The kernel's half of USB/IP over a socket: imports a device, sends URBs, reads what is answered.
/// No thread: it reads while a test waits for something.
final class USBClient {
  struct Gone: Error {}

  struct Unasked: Error { let sequence: UInt32 }

  struct Answer {
    var sequence: UInt32
    /// 3: RET_SUBMIT, 4: RET_UNLINK.
    var code: UInt32
    var status: Int32
    var data: [UInt8]
  }

  private(set) var record: USBIPDeviceRecord?
  private let socket: OwnedDescriptor
  private var sequence: UInt32 = 0
  /// Of the URBs that are not answered yet, whether they bring data.
  private var waiting: [UInt32: Bool] = [:]
  private var input: [UInt8] = []
  /// What is to be sent in one piece.
  private var held: [UInt8]?

  /// Connects, and imports nothing yet.
  init(_ address: DeviceSpec) throws {
    socket = try UnixSocket.connect(path: try #require(address.path))
  }

  /// Those that can be imported; the server closes behind the list.
  func deviceList() throws -> [USBIPDeviceRecord] {
    try send(USBIPRequest.deviceList.bytes)
    let head = try take(12)
    var found: [USBIPDeviceRecord] = []
    for _ in 0..<head[11] {
      let record = try #require(try take(312).withUnsafeBytes { USBIPDeviceRecord($0) })
      _ = try take(4 * Int(record.interfaces))
      found.append(record)
    }
    return found
  }

  /// False where the server refuses.
  func importDevice(_ busID: String) throws -> Bool {
    try send(USBIPRequest.importDevice(busID: busID).bytes)
    return try readImport()
  }

  /// The reply to an import that was asked for.
  func readImport() throws -> Bool {
    guard try take(8)[7] == 0 else { return false }
    record = try take(312).withUnsafeBytes { USBIPDeviceRecord($0) }
    return true
  }

  /// The sequence number.
  @discardableResult
  func submit(
    _ endpoint: UInt32, isIn: Bool, _ length: Int = 0, setup: SetupPacket = SetupPacket(),
    data: [UInt8] = []
  ) throws -> UInt32 {
    sequence += 1
    waiting[sequence] = isIn
    let length = UInt32(isIn ? length : data.count)
    try send(
      words([1, sequence, deviceID, isIn ? 1 : 0, endpoint, 0, length, 0, 0, 0]) + setup.bytes
        + data)
    return sequence
  }

  /// The sequence number of the unlinking, which is what is answered now.
  func unlink(_ victim: UInt32) throws -> UInt32 {
    sequence += 1
    waiting[sequence] = false
    try send(words([2, sequence, deviceID, 0, 0, victim, 0, 0, 0, 0, 0, 0]))
    return sequence
  }

  /// An URB that is sent by hand will bring data.
  func expect(_ sequence: UInt32) { waiting[sequence] = true }

  /// A control transfer whose answer nobody reads; false where the socket does not take it within
  /// 200 ms.
  func trySubmit(_ setup: SetupPacket) throws -> Bool {
    let events = try Syscall.poll(
      socket.number, for: POLLOUT, until: BootClock.now() + .milliseconds(200))
    if events != 0 { try submit(0, isIn: true, Int(setup.length), setup: setup) }
    return events != 0
  }

  /// Nil at the deadline.
  /// - Throws: ``Gone`` at the end of the connection.
  func next(until deadline: Instant) throws -> Answer? {
    while true {
      if let answer = try parse() { return answer }
      guard try Syscall.poll(socket.number, for: POLLIN, until: deadline) != 0 else { return nil }
      try receive()
    }
  }

  /// Sends all that `body` has to send in one piece.
  func together<Result>(_ body: () throws -> Result) throws -> Result {
    held = []
    let result = try body()
    let bytes = held ?? []
    held = nil
    try send(bytes)
    return result
  }

  /// - Throws: ``Gone`` at the end of the connection.
  func send(_ bytes: [UInt8]) throws {
    guard held == nil else {
      held! += bytes
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count: Int?
      do {
        count = try rest.withUnsafeBytes { try socket.send($0) }
      } catch { throw Gone() }
      rest = rest.dropFirst(count ?? 0)
      guard count == nil else { continue }
      let deadline = BootClock.now() + .seconds(10)
      try #require(
        try Syscall.poll(socket.number, for: POLLOUT, until: deadline) != 0, "it takes nothing")
    }
  }

  private var deviceID: UInt32 { record?.deviceID ?? 0 }

  private func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(word >> (24 - 8 * $0) & 255) } }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    let deadline = BootClock.now() + .seconds(10)
    while input.count < count {
      let events = try Syscall.poll(socket.number, for: POLLIN, until: deadline)
      try #require(events != 0, "no reply in 10 s")
      try receive()
    }
    defer { input.removeFirst(count) }
    return Array(input[..<count])
  }

  private func receive() throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try? bytes.withUnsafeMutableBytes { try socket.read(into: $0) }
    guard let count, count > 0 else { throw Gone() }
    input += bytes[..<count]
  }

  private func parse() throws -> Answer? {
    guard input.count >= 48 else { return nil }
    func word(_ at: Int) -> UInt32 { (0..<4).reduce(0) { $0 << 8 | UInt32(input[at + $1]) } }
    let (code, number) = (word(0), word(4))
    guard let brings = waiting[number] else { throw Unasked(sequence: number) }
    let length = code == 3 && brings ? Int(word(24)) : 0
    guard input.count >= 48 + length else { return nil }
    let answer = Answer(
      sequence: number, code: code, status: Int32(bitPattern: word(20)),
      data: Array(input[48..<48 + length]))
    input.removeFirst(48 + length)
    waiting[number] = nil
    return answer
  }
}
