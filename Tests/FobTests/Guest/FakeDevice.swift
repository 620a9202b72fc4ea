import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import Testing

/// A device at the other end of the kernel's USB/IP, made of raw bytes and not of the package's own
/// device: a serial port with the keychain's identity that does one mischief.
final class FakeDevice: Sendable {
  let serial: String
  let mischief: Mischief
  private let requests = Atomic(0)
  private let socket: Int32
  private let thread = Mutex<BlockingThread?>(nil)

  /// Plugged in at once.
  init(_ mischief: Mischief, serial: String, number: UInt32) throws {
    self.mischief = mischief
    self.serial = serial
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    socket = ends[0]
    defer { close(ends[1]) }
    thread.withLock { $0 = try? BlockingThread(name: "device") { [self] in serve() } }
    _ = try KernelPort.plug(
      socket: ends[1], device: number, controller: Int(number % 8))
  }

  /// How many requests of the kernel it has had.
  var count: Int { requests.load(ordering: .relaxed) }

  func unplug() {
    shutdown(socket, Int32(SHUT_RDWR))
    if let thread = thread.withLock({ $0.take() }), thread.join(within: .seconds(10)) {
      close(socket)
    } else {
      Issue.record("the device's thread does not end")
    }
  }

  // MARK: USB/IP

  private static let submit: UInt32 = 1
  private static let unlink: UInt32 = 2
  private static let stall = UInt32(bitPattern: -EPIPE)
  private static let overflow = UInt32(bitPattern: -EOVERFLOW)
  private static let connectionReset = UInt32(bitPattern: -ECONNRESET)

  private struct Request {
    let header: [UInt8]

    func word(_ at: Int) -> UInt32 {
      header[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    var command: UInt32 { word(0) }
    var number: UInt32 { word(4) }
    var isInput: Bool { word(12) == 1 }
    var endpoint: UInt32 { word(16) }
    /// Of an unlink: the request that is taken back.
    var victim: UInt32 { word(20) }
    var length: Int { Int(word(24)) }
    var setup: [UInt8] { Array(header[40..<48]) }
  }

  /// Between two packets that nobody asked it to send: a hundred a second is more than a keychain
  /// says, and leaves an emulated processor time for the rest.
  private static let pace = Interval.milliseconds(10)

  private func serve() {
    var parked: Set<UInt32> = []
    var waiting: [Request] = []
    var next = BootClock.now()
    while true {
      // Answered one at a time, so that the kernel can take back those behind it meanwhile.
      if !waiting.isEmpty {
        let isReadable = (try? Syscall.poll(socket, for: POLLIN, until: next)) ?? 0 != 0
        if BootClock.now() >= next {
          let first = waiting.removeFirst()
          reply(to: first, unasked(first))
          next = BootClock.now() + Self.pace
        }
        if !isReadable { continue }
      }
      guard let header = receive(48) else { return }
      let request = Request(header: header)
      requests.add(1, ordering: .relaxed)
      guard request.command == Self.submit else {
        let count = waiting.count
        waiting.removeAll { $0.number == request.victim }
        let wasParked = parked.remove(request.victim) != nil || waiting.count < count
        reply(4, request.number, status: wasParked ? Self.connectionReset : 0)
        continue
      }
      if !request.isInput, request.length > 0, receive(request.length) == nil { return }
      switch answer(request) {
      case .never: parked.insert(request.number)
      case .later: waiting.append(request)
      case let answer: reply(to: request, answer)
      }
    }
  }

  private func reply(to request: Request, _ answer: Answer) {
    switch answer {
    case .never, .later: break
    case .stall: reply(3, request.number, status: Self.stall)
    case .overflow:
      reply(
        3, request.number, status: Self.overflow, actual: request.length,
        [UInt8](repeating: 0x55, count: request.length))
    case .bytes(let bytes):
      // Of what is sent the length counts, of what is received what came.
      reply(
        3, request.number, status: 0, actual: request.isInput ? bytes.count : request.length,
        request.isInput ? bytes : [])
    }
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      let more = bytes.withUnsafeMutableBytes { read(socket, $0.baseAddress! + have, count - have) }
      guard more > 0 else { return nil }
      have += more
    }
    return bytes
  }

  private func reply(
    _ command: UInt32, _ number: UInt32, status: UInt32, actual: Int = 0, _ data: [UInt8] = []
  ) {
    let words = [command, number, 0, 0, 0, status, UInt32(actual), 0, 0, 0, 0, 0]
    let bytes = words.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> $0 & 0xFF) } } + data
    _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  // MARK: What it answers

  private enum Answer {
    case bytes([UInt8])
    case stall
    /// More than was asked for, as a host controller reports it.
    case overflow
    case never
    /// At the device's own pace.
    case later
  }

  private func answer(_ request: Request) -> Answer {
    switch (request.endpoint, request.isInput) {
    case (0, _): control(request)
    case (_, false):
      switch mischief {
      case .stalledData: .stall
      case .silentOutput: .never
      default: .bytes([])
      }
    case (1, true): input(request)
    default: .never
    }
  }

  private func input(_ request: Request) -> Answer {
    switch mischief {
    case .stalledData: .stall
    case .noise, .emptyPackets, .overflow: .later
    default: .never
    }
  }

  /// What it sends by itself.
  private func unasked(_ request: Request) -> Answer {
    switch mischief {
    case .overflow: .overflow
    case .noise: .bytes((0..<min(64, request.length)).map { _ in .random(in: 0...255) })
    default: .bytes([])
    }
  }

  private func control(_ request: Request) -> Answer {
    let setup = request.setup
    let length = Int(setup[6]) | Int(setup[7]) << 8
    if setup[0] & 0x60 != 0 {
      switch mischief {
      case .stalledRequests: return .stall
      case .silentRequests where setup[0] & 0x40 != 0: return .never
      case .shortAnswers where request.isInput: return .bytes([])
      default:
        // SET_LINE_CODING and SET_CONTROL_LINE_STATE are taken; of a vendor's it knows none.
        return setup[0] == 0x21 ? .bytes([]) : .stall
      }
    }
    switch (setup[0], setup[1]) {
    case (0x80, 0x06):
      guard mischief != .garbageDescriptors else {
        return .bytes((0..<length).map { _ in .random(in: 0...255) })
      }
      let isLong = mischief == .wrongDescriptorLengths
      guard
        let whole = FakeDescriptors(serial: serial, hasWrongLengths: isLong)
          .descriptor(type: setup[3], index: setup[2])
      else { return .stall }
      return .bytes(Array(whole.prefix(length)))
    case (0x80, 0x00), (0x81, 0x00), (0x82, 0x00): return .bytes([0, 0])
    case (0x00, 0x09), (0x01, 0x0B), (0x02, 0x01): return .bytes([])
    default: return .stall
    }
  }
}
