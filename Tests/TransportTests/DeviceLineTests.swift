import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing
import Transport

/// All on real ptys.
@Suite final class DeviceLineTests {
  private let folder: ScratchDirectory
  private let device: Device
  private let journal: Journal
  private let line: DeviceLine

  init() throws {
    folder = try ScratchDirectory()
    device = Device(at: folder.path + "/device")
    journal = Journal()
    line = try DeviceLine(DeviceSpec(pty: device.name), handlers: journal.handlers)
  }

  deinit { line.stop() }

  @Test func `a device that is there at the start is opened before anything is read`() throws {
    try device.plug()
    try device.say([1, 2, 3])
    try line.start()
    #expect(try journal.bytes(3) == [1, 2, 3])
    try journal.await(.woke)
    #expect(!journal.all.contains(.opened))
  }

  /// R1, R2: nobody has to ask again.
  @Test func `a name that comes later is opened when it comes`() throws {
    try line.start()
    try journal.await(.unavailable("cannot open \(device.name): No such file or directory"))
    try device.plug()
    try journal.await(.opened)
    try device.say([4])
    #expect(try journal.bytes(1) == [4])
  }

  @Test func `a device in a folder that comes later is found as well`() throws {
    let late = Device(at: folder.path + "/late/device")
    let journal = Journal()
    let line = try DeviceLine(DeviceSpec(pty: late.name), handlers: journal.handlers)
    defer { line.stop() }
    try line.start()
    try journal.await(.unavailable("cannot open \(late.name): No such file or directory"))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/late", withIntermediateDirectories: false)
    try late.plug()
    try journal.await(.opened)
  }

  @Test func `a device survives that it is unplugged, under the name that stays`() throws {
    try device.plug()
    try line.start()
    for round: UInt8 in 0..<10 {
      try journal.await(.opened)
      try device.say([round])
      #expect(try journal.bytes(1) == [round])
      device.unplug()
      try journal.await(.gone(.hungUp))
      #expect(send([1]) == .closed)
      try device.plug()
    }
    try journal.await(.opened)
    try journal.await(.woke)
    #expect(send([7]) == .written)
    #expect(try device.hear(1) == [7])
  }

  @Test func `a name moved to another device is followed when the old one goes`() throws {
    try device.plug()
    let next = Device(at: folder.path + "/next")
    try next.plug()
    try line.start()
    try journal.await(.opened)
    #expect(unlink(device.name) == 0)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: next.name)
    try FileManager.default.createSymbolicLink(
      atPath: device.name, withDestinationPath: target)
    device.unplug()
    try journal.await(.opened)
    try next.say([9])
    #expect(try journal.bytes(1) == [9])
  }

  @Test func `a link that a killed device left behind is not followed to somebody else's pty`()
    throws
  {
    var killed: BareTerminal? = try BareTerminal()
    try FileManager.default.createSymbolicLink(
      atPath: device.name, withDestinationPath: try #require(killed).terminal.slavePath)
    try line.start()
    try journal.await(.opened)
    killed = nil
    try journal.await(.gone(.hungUp))
    // The kernel gives the number away again.
    let other = try BareTerminal()
    try journal.await(
      .unavailable("cannot open \(device.name): it still leads to the device that has gone"))
    let isFollowed = other.terminal.isOpen
    #expect(!isFollowed)
    try device.plug()
    try journal.await(.opened)
  }

  @Test func `a device that another holds is told once, and opened when it is free`() throws {
    try device.plug()
    do {
      let holder = try SerialLine(path: device.name)
      try line.start()
      try journal.await(
        .unavailable("cannot open \(device.name): another process holds it"))
      // Each event in the folder has it tried again.
      for n in 0..<20 {
        try Data().write(to: URL(filePath: "\(folder.path)/\(n)"))
      }
      _ = consume holder
    }
    try journal.await(.opened)
    #expect(!journal.all.contains { if case .unavailable = $0 { true } else { false } })
  }

  @Test func `what is no terminal is told once for each reason`() throws {
    let plain = URL(filePath: device.name)
    try Data().write(to: plain)
    try line.start()
    try journal.await(.unavailable("cannot open \(device.name): it is not a terminal"))
    try FileManager.default.removeItem(at: plain)
    try Data().write(to: URL(filePath: folder.path + "/another"))
    try journal.await(.unavailable("cannot open \(device.name): No such file or directory"))
    try device.plug()
    try journal.await(.opened)
    #expect(!journal.all.contains { if case .unavailable = $0 { true } else { false } })
  }

  @Test func `frames go out whole and in order, up to what the device is late by`() throws {
    try device.plug()
    try line.start()
    try journal.await(.opened)
    let frames = (0..<2_000).map { n in
      [UInt8](repeating: UInt8(n % 251), count: 1 + n * 37 % 256)
    }
    var whole: [[UInt8]] = []
    for frame in frames {
      switch send(frame) {
      case .written, .queued: whole.append(frame)
      case .dropped: break
      case .closed: Issue.record("the line is open")
      }
    }
    #expect(whole.count < frames.count, "nobody reads yet")
    let expected = whole.flatMap(\.self)
    #expect(try device.hear(expected.count) == expected)
  }

  @Test func `stop ends both threads while they block, and the device is free`() throws {
    try device.plug()
    try line.start()
    try journal.await(.woke)
    let began = BootClock.now()
    line.stop()
    #expect(BootClock.now() - began < .seconds(5))
    _ = try SerialLine(path: device.name)
    #expect(send([1]) == .closed)
    #expect(!journal.all.contains(.gone(.hungUp)), "a stop is no unplugging")
  }

  @Test func `stop ends the search for a device that never comes`() throws {
    try line.start()
    try journal.await(.unavailable("cannot open \(device.name): No such file or directory"))
    let began = BootClock.now()
    line.stop()
    #expect(BootClock.now() - began < .seconds(5))
    try device.plug()
    line.stop()
    #expect(journal.all.isEmpty)
  }

  @Test func `a line that was never started stops`() { line.stop() }

  @Test func `a stopped line is let go of, with its descriptors`() throws {
    try device.plug()
    weak var gone: DeviceLine?
    do {
      let journal = Journal()
      let line = try DeviceLine(DeviceSpec(pty: device.name), handlers: journal.handlers)
      gone = line
      try line.start()
      try journal.await(.woke)
      device.unplug()
      try journal.await(.gone(.hungUp))
      try device.plug()
      try journal.await(.woke)
      line.stop()
    }
    #expect(gone == nil)
  }

  private func send(_ bytes: [UInt8]) -> SendOutcome {
    bytes.withUnsafeBytes { line.send($0) }
  }
}
