import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// A testbed of umockdev: /sys, /dev and udev's events made up for every program that is started
/// with its `environment`. It ends with this object.
final class Testbed {
  private static let wrapper = "/usr/bin/umockdev-wrapper"

  private let process = Process()
  private let toBed = Pipe()
  private let fromBed = Pipe()
  private let folder: String

  init() throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.wrapper),
      "install Debian's packages umockdev, gir1.2-umockdev-1.0 and python3-gi")
    // A bed that has died is an error to report.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = URL(filePath: Self.wrapper)
    process.arguments = [
      "/usr/bin/python3", Repository.root.appending(path: "scripts/umockdev-testbed.py").path,
    ]
    process.standardInput = toBed
    process.standardOutput = fromBed
    try process.run()
    folder = try Self.line(from: fromBed)
  }

  deinit {
    // Not by closing the pipe: what another test starts meanwhile may have inherited it.
    try? toBed.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
    process.waitUntilExit()
  }

  var environment: [String: String] {
    ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": folder]
  }

  /// - Parameters:
  ///   - socket: 1 to 9.
  ///   - target: the pty, or the link to it, that the node leads to.
  func plug(_ serial: String, into socket: Int, as node: String, leadingTo target: String) throws {
    try tell("add 1-\(socket) \(serial) \(node) \(target)")
  }

  func unplug(_ node: String) throws { try tell("remove \(node)") }

  private func tell(_ words: String) throws {
    try toBed.fileHandleForWriting.write(contentsOf: Data((words + "\n").utf8))
    try #require(try Self.line(from: fromBed) == "done")
  }

  private static func line(from pipe: Pipe) throws -> String {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let deadline = BootClock.now() + .seconds(30)
    var line: [UInt8] = []
    while line.last != 0x0A {
      var byte: UInt8 = 0
      try #require(
        try Syscall.poll(descriptor, for: POLLIN, until: deadline) != 0
          && read(descriptor, &byte, 1) == 1, "the testbed does not answer")
      line.append(byte)
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }
}
