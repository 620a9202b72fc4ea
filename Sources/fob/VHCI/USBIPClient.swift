import FobBase
import Glibc
import SerialIO
import USB

/// Talks to a USB/IP server, one connection for each question.
struct USBIPClient {
  /// How long a server may take for one question.
  static let patience = Interval.seconds(5)

  private let server: DeviceSpec
  private let patience: Interval

  /// - Throws: `Failure` for a spec that is no socket.
  init(_ server: DeviceSpec, patience: Interval = Self.patience) throws(Failure) {
    switch server.kind {
    case .tcp, .unix: break
    default:
      throw Failure(
        .usage, "\(server) is no USB/IP server; write tcp:HOST:PORT or unix:PATH")
    }
    self.server = server
    self.patience = patience
  }

  /// What the server has to give.
  func devices() throws(Failure) -> [USBIPDeviceRecord] {
    var list = USBIPDeviceList()
    let socket = try connect()
    try hold(&list, over: socket)
    return list.devices
  }

  /// A device whose URBs the socket carries from now on.
  struct Imported: ~Copyable {
    let socket: OwnedDescriptor
    let record: USBIPDeviceRecord
    /// Nil for a device that has none, or does not tell.
    let serial: String?
  }

  func imported(_ busID: String) throws(Failure) -> Imported {
    var request = USBIPImport(busID: busID)
    let socket = try connect()
    try hold(&request, over: socket)
    guard let record = request.device else {
      throw Failure(.ioError, "\(server) did not give \(busID)")
    }
    var question = USBIPSerialNumber(deviceID: record.deviceID)
    try hold(&question, over: socket)
    return Imported(socket: socket, record: record, serial: question.text)
  }

  private func connect() throws(Failure) -> OwnedDescriptor {
    do throws(IOFailure) {
      switch server.kind {
      case .unix(let path):
        let socket = try UnixSocket.connect(path: path, patience: patience)
        try unlimitSending(of: socket)
        return socket
      case .tcp(let host, let port):
        let never = try EventSignal()
        let socket = try TCPConnector(host: host, port: port).connect(
          cancel: never.descriptor, until: BootClock.now() + patience)
        // It would be let go of, and its number be another file's, in the middle of the wait.
        _ = consume never
        return socket
      default: throw IOFailure("connect to", errno: EINVAL, path: "\(server)")
      }
    } catch {
      guard error.errno == ECONNREFUSED || error.errno == ENOENT else { throw Failure(error) }
      throw Failure(
        .unreachable, "\(error); nobody gives USB devices there: fob emulate --usb \(server)")
    }
  }

  /// A limit meant for connect(2) would break the kernel's connection after that time.
  private func unlimitSending(of socket: borrowing OwnedDescriptor) throws(IOFailure) {
    let number = socket.number
    var forever = timeval()
    try Syscall.run("set up", socket.path) {
      setsockopt(
        number, SOL_SOCKET, SO_SNDTIMEO, &forever, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private func hold(
    _ talk: inout some USBIPConversation, over socket: borrowing OwnedDescriptor
  ) throws(Failure) {
    let deadline = BootClock.now() + patience
    do {
      while true {
        try send(talk.takeRequest(), over: socket, until: deadline)
        guard talk.wanted > 0 else { return }
        try talk.take(try read(talk.wanted, from: socket, until: deadline))
      }
    } catch let error as IOFailure {
      throw Failure(error)
    } catch USBIPReplyError.refused {
      throw Failure(
        .refused, "\(server) refuses: the device is not there any more, or somebody else has it")
    } catch {
      throw Failure(.ioError, "\(server) is no USB/IP server as fob knows it: \(error)")
    }
  }

  private func send(
    _ bytes: [UInt8], over socket: borrowing OwnedDescriptor, until deadline: Instant
  ) throws(IOFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken = try rest.span.withUnsafeBytes { (raw) throws(IOFailure) in try socket.send(raw) }
      rest = rest.dropFirst(taken ?? 0)
      if taken == nil { try awaitReady(POLLOUT, of: socket, until: deadline) }
    }
  }

  private func read(
    _ count: Int, from socket: borrowing OwnedDescriptor, until deadline: Instant
  ) throws(IOFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      var span = bytes.mutableSpan
      let got = try span.withUnsafeMutableBytes { (raw) throws(IOFailure) in
        try socket.read(into: UnsafeMutableRawBufferPointer(rebasing: raw[have...]))
      }
      if got == 0 {
        throw IOFailure(
          "read from", errno: ECONNRESET, path: socket.path,
          reason: "it ended the connection in the middle of an answer")
      }
      have += got ?? 0
      if got == nil { try awaitReady(POLLIN, of: socket, until: deadline) }
    }
    return bytes
  }

  private func awaitReady(
    _ event: Int32, of socket: borrowing OwnedDescriptor, until deadline: Instant
  ) throws(IOFailure) {
    guard try Syscall.poll(socket.number, for: event, until: deadline) != 0 else {
      throw IOFailure(
        "talk to", errno: ETIMEDOUT, path: socket.path, reason: "it does not answer in time")
    }
  }
}
