import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

/// A micro:bit as its USB plug shows it: a folder for its drive and a pty for its port. An image
/// that was written to the end there erases the store and boots.
final class FakeMicrobit {
  let drive: String
  let line: String
  private let daplink: DAPLink
  private let thread: BlockingThread

  static let details = """
    # DAPLink Firmware - see https://mbed.com/daplink
    Unique ID: 9900000037024e45007320110000002100000000097969901
    HIC ID: 97969901
    Daplink Mode: Interface
    Interface Version: 0243

    """

  /// What is at its port before an image was copied.
  enum Program {
    case keychain
    /// As on a board fresh from the shop: the port is there, and silent.
    case another
    /// The test itself puts something there.
    case none
  }

  /// - Parameters:
  ///   - takesImages: false for one that says in FAIL.TXT why it does not.
  init(
    in folder: ScratchDirectory, details: String = FakeMicrobit.details, runs: Program = .keychain,
    takesImages: Bool = true
  ) throws {
    let drive = folder.path("MICROBIT")
    self.drive = drive
    line = folder.path("port")
    try FileManager.default.createDirectory(atPath: drive, withIntermediateDirectories: true)
    try Data(details.utf8).write(to: URL(filePath: drive + "/DETAILS.TXT"))
    let daplink = try DAPLink(drive: drive, line: line, takesImages: takesImages)
    switch runs {
    case .keychain: try daplink.boot()
    case .another: try daplink.fallSilent()
    case .none: break
    }
    self.daplink = daplink
    thread = try BlockingThread(name: "daplink") { daplink.serve() }
  }

  deinit {
    daplink.stop.signal()
    _ = thread.join(within: .seconds(10))
    daplink.keychain.withLock { $0.take() }?.stop()
  }

  /// Presses button A, and waits until the firmware has stored it.
  func press() throws {
    let keychain = try #require(daplink.keychain.withLock { $0 })
    _ = try keychain.perform(.press(hold: .milliseconds(30)))
  }

  /// What stands on the drive beside its own files.
  var images: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: drive)) ?? []
    return names.filter { $0.hasSuffix(".hex") }
  }
}

/// The board's debugger, on a thread of its own.
private final class DAPLink: Sendable {
  let keychain = Mutex<EmulatedKeychain?>(nil)
  let stop: EventSignal
  private let silent = Mutex<SilentPort?>(nil)
  private let drive: String
  private let line: String
  private let takesImages: Bool
  private let written: OwnedDescriptor

  init(drive: String, line: String, takesImages: Bool) throws {
    self.drive = drive
    self.line = line
    self.takesImages = takesImages
    stop = try EventSignal()
    written = OwnedDescriptor(
      owning: inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), path: drive)
    try #require(inotify_add_watch(written.number, drive, UInt32(IN_CLOSE_WRITE)) >= 0)
  }

  /// Boots the keychain's firmware with an erased store.
  func boot() throws {
    keychain.withLock { $0.take() }?.stop()
    silent.withLock { $0 = nil }
    let booted = try EmulatedKeychain(EmulatorConfiguration(linkPath: line, bounceSeed: nil))
    try booted.start()
    keychain.withLock { $0 = booted }
  }

  func fallSilent() throws {
    let port = try SilentPort(at: line)
    silent.withLock { $0 = port }
  }

  func serve() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      try? Syscall.awaitEither(written.number, stop.descriptor)
      let count = read(written.number, &buffer, buffer.count)
      guard count > 0 else { return }
      // inotify(7): the name stands at the end of each event, filled with zeros.
      guard String(decoding: buffer[..<count], as: UTF8.self).contains(".hex") else { continue }
      if takesImages {
        try? boot()
      } else {
        try? Data("The interface firmware FAILED to reset/halt the target MCU\r\n".utf8)
          .write(to: URL(filePath: drive + "/FAIL.TXT"))
      }
    }
  }
}

/// A serial port behind which nothing speaks, under a name.
private final class SilentPort: Sendable {
  private let link: StableLink
  private let terminal: PseudoTerminal

  init(at path: String) throws(IOFailure) {
    let terminal = try PseudoTerminal()
    link = try StableLink(at: path, to: terminal.slavePath)
    self.terminal = terminal
  }
}
