import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport

/// A USB/IP server of a few lines, which knows three requests and nothing of `Sources/USB`: lists
/// its devices, gives one away, and answers GET_DESCRIPTOR until the importer is satisfied.
final class FakeUSBIPServer: Sendable {
  struct Device: Sendable {
    let busID: String
    let serial: String
    var speed: UInt8 = 2
    var isTaken = false
  }

  let path: String
  private let devices: [Device]
  private let seen = Seen()
  private let listener: Int32
  /// The socket stands in it for as long as the server.
  private let folder: ScratchDirectory

  init(_ devices: [Device], in folder: ScratchDirectory) throws {
    path = folder.path("usbip")
    self.devices = devices
    self.folder = folder
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
    let thread = Thread { [listener, devices, seen] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.serve(client, devices) { text in seen.requests.withLock { $0.append(text) } }
        close(client)
      }
    }
    thread.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// What was asked for, in order: `list`, and the bus ids that were imported.
  var requests: [String] { seen.requests.withLock { $0 } }

  /// Outlives the server while its thread does.
  private final class Seen: Sendable {
    let requests = Mutex<[String]>([])
  }

  private static func serve(_ client: Int32, _ devices: [Device], _ note: (String) -> Void) {
    guard let head = read(8, from: client) else { return }
    if head[3] == 5 {
      note("list")
      var reply: [UInt8] = [1, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 0, UInt8(devices.count)]
      for device in devices { reply += record(device) + [2, 2, 1, 0, 10, 0, 0, 0] }
      return send(reply, to: client)
    }
    guard let name = read(32, from: client) else { return }
    let busID = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    note(busID)
    guard let device = devices.first(where: { $0.busID == busID && !$0.isTaken }) else {
      return send([1, 0x11, 0, 3, 0, 0, 0, 1], to: client)
    }
    send([1, 0x11, 0, 3, 0, 0, 0, 0] + record(device), to: client)
    while let submit = read(48, from: client) {
      let data = descriptor(of: device, setup: Array(submit[40...]))
      let header: [UInt8] =
        [0, 0, 0, 3] + submit[4..<8] + [UInt8](repeating: 0, count: 16)
        + [0, 0, 0, UInt8(data.count)] + [UInt8](repeating: 0, count: 20)
      send(header + data, to: client)
    }
  }

  private static func descriptor(of device: Device, setup: [UInt8]) -> [UInt8] {
    switch (setup[3], setup[2]) {
    case (1, _): return [18, 1, 0, 2, 2, 0, 0, 64, 9, 0x12, 1, 0, 0, 1, 1, 2, 3, 1]
    case (3, 0): return [4, 3, 9, 4]
    default:
      let text = device.serial.utf8.flatMap { [$0, 0] as [UInt8] }
      return [UInt8(text.count + 2), 3] + text
    }
  }

  private static func record(_ device: Device) -> [UInt8] {
    let name = Array(device.busID.utf8)
    let number = UInt8(device.busID.split(separator: "-").last.flatMap { UInt8($0) } ?? 1)
    return [UInt8](repeating: 0, count: 256) + name
      + [UInt8](repeating: 0, count: 32 - name.count)
      + [0, 0, 0, 1, 0, 0, 0, number, 0, 0, 0, device.speed, 0x12, 9, 0, 1, 1, 0, 2, 0, 0, 1, 1, 2]
  }

  private static func read(_ count: Int, from client: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func send(_ bytes: [UInt8], to client: Int32) {
    _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
