import FobBase
import Glibc
import SerialIO
import USB

/// The board as a USB device on a server's bus. The keychain's own thread reads the URBs of the
/// host that has imported it, and writes the answers, without another thread in between.
///
/// The USB part has its power from the bus: it answers while the board is off, too, and tells the
/// host that by SERIAL_STATE.
final class USBTransport: DeviceTransport {
  /// The most bytes of answers that wait for the host; beyond it no URB is read.
  private static let maxUnsent = 65_536
  private static let maxReads = 16

  let spec: DeviceSpec
  /// Answers vendor requests; nil means STALL.
  var answer: (KeychainQuestion) -> [UInt8]? = { _ in nil }
  private let server: USBIPServer
  private let socket: USBSocket
  private var host: OwnedDescriptor?
  private var device: KeychainUSBDevice
  private var reader: USBIPCommandReader
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
  /// The part of the last read that is not handled yet.
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Always readable: polled in place of the socket while input waits.
  private let again: EventSignal
  /// Why the last connection ended, if the host violated USB/IP.
  private var lastFailure: USBIPFailure?
  private(set) var isPluggedIn = false

  init(_ port: USBPort, serial: String) throws(IOFailure) {
    let identity = port.kind.identity(of: serial)
    let record = port.record(of: identity)
    spec = port.spec(serial: serial)
    server = port.server
    socket = try USBSocket(record)
    device = KeychainUSBDevice(KeychainDescriptors(identity, speed: port.speed))
    reader = USBIPCommandReader(deviceID: record.deviceID)
    again = try EventSignal()
    again.signal()
    try plugIn()
  }

  deinit {
    pullOut()
    buffer.deallocate()
  }

  var usbState: USBState? {
    USBState(
      busID: socket.record.busID, speed: "\(device.descriptors.speed)",
      imported: hostNumber >= 0, configured: device.configuration != 0,
      line: device.lineCoding.text, dtr: device.dtr, rts: device.rts,
      refused: lastFailure?.description)
  }

  var hostIsPresent: Bool { device.hostIsPresent }

  var descriptor: Int32 {
    guard isPluggedIn else { return -1 }
    switch host {
    case .some(let host): return !input.isEmpty && mayAnswer ? again.descriptor : host.number
    case .none: return socket.signal.descriptor
    }
  }

  func polled(isPowered: Bool, mayRead: Bool, waitsToWrite: Bool) -> pollfd {
    let isSending = !device.answers.isEmpty && hostNumber >= 0
    let events = (mayAnswer ? POLLIN : 0) | (isSending ? POLLOUT : 0)
    return pollfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  func plugIn() throws(IOFailure) {
    try server.add(socket)
    socket.use(true)
    isPluggedIn = true
  }

  func pullOut() {
    guard isPluggedIn else { return }
    isPluggedIn = false
    server.remove(socket)
    socket.use(false)
    drop()
  }

  func board(isPowered: Bool) {
    guard device.isPowered != isPowered else { return }
    device.isPowered = isPowered
    flush()
  }

  /// One look never sees a host leave and another come, so that the leaving is told.
  func look() {
    guard isPluggedIn else { return }
    if hostNumber < 0 { welcome() }
    guard hostNumber >= 0 else { return }
    do {
      try receive()
      flush()
    } catch {
      lastFailure = error as? USBIPFailure
      drop()
    }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = device.read(buffer)
    flush()
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = device.write(bytes)
    flush()
    return count
  }

  private var hostNumber: Int32 {
    switch host {
    case .some(let host): host.number
    case .none: -1
    }
  }

  private var mayAnswer: Bool { device.answers.count <= Self.maxUnsent }

  private func welcome() {
    guard let next = socket.takeConnection() else { return }
    host = consume next
    lastFailure = nil
    reader = USBIPCommandReader(deviceID: socket.record.deviceID)
  }

  /// Ends the connection. Another host can come before this one has noticed the end.
  private func drop() {
    device.disconnect()
    input = UnsafeRawBufferPointer(start: nil, count: 0)
    socket.release()
    host = nil
  }

  /// - Throws: `USBIPFailure` for a violation of USB/IP; `IOFailure` once the host has gone.
  private func receive() throws {
    for _ in 0..<Self.maxReads {
      guard try takeInput(), try readInput() else { return }
    }
  }

  /// False if input has to wait.
  private func takeInput() throws(USBIPFailure) -> Bool {
    let wasPresent = device.hostIsPresent
    while !input.isEmpty {
      guard mayAnswer else { return false }
      guard let command = try reader.next(&input) else { break }
      if let request = device.take(command) {
        device.answer(request, with: answer(request.question))
      }
      if wasPresent && !device.hostIsPresent { return false }
    }
    return true
  }

  /// False if there is nothing to read now.
  private func readInput() throws(IOFailure) -> Bool {
    switch host {
    case .some(let host):
      guard let count = try host.read(into: buffer) else { return false }
      guard count > 0 else { throw IOFailure("read", errno: ECONNRESET, path: host.path) }
      input = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      return true
    case .none: return false
    }
  }

  /// Sends answers; a host that has gone is noticed by the next look.
  private func flush() {
    guard !device.answers.isEmpty else { return }
    switch host {
    case .some(let host):
      device.answers.send { bytes in ((try? host.send(bytes)) ?? nil) ?? 0 }
    case .none: break
    }
  }
}
