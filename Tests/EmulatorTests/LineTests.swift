import Emulator
import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// The same conversation on every kind of line, from the firmware to a host's reader thread.
@Suite struct LineTests {
  enum Kind: String, CaseIterable, Sendable {
    case pty, unix, tcp, memory, serial
  }

  /// Where both ends of a line are.
  private struct Ends {
    let keychain: DeviceSpec
    /// Nil where the keychain's own tells it.
    var host: DeviceSpec?
    var modem: NullModem?

    init(_ kind: Kind, in folder: ScratchDirectory) throws {
      switch kind {
      case .pty: keychain = DeviceSpec(pty: folder.path("keychain"))
      case .unix: keychain = DeviceSpec(.unix(path: folder.path("socket")))
      case .tcp: keychain = DeviceSpec(.tcp(host: "127.0.0.1", port: 0))
      case .memory: keychain = DeviceSpec(.memory(name: folder.path))
      case .serial:
        let modem = try NullModem()
        let settings = SerialSettings(baud: 250_000)
        keychain = DeviceSpec(.serial(path: modem.paths[0], settings))
        host = DeviceSpec(.serial(path: modem.paths[1], settings))
        self.modem = modem
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `a keychain and a host talk, part and meet again, and every press is heard`(
    kind: Kind
  ) throws {
    let folder = try ScratchDirectory()
    let ends = try Ends(kind, in: folder)
    let rig = try Rig(in: folder, line: ends.keychain)
    let spec = ends.host ?? rig.keychain.line
    let noticesHost = kind != .serial

    let host = try LineHost(spec)
    try rig.wait(for: .linked)
    let first = try rig.press()
    try rig.wait(for: .acked(first))
    #expect(try rig.state().host)

    #expect(try rig.keychain.perform(.unplug) == .done)
    if noticesHost { try host.await(.gone) }
    #expect(try !rig.state().plugged)
    #expect(try !rig.state().host)
    let second = try rig.press()
    #expect(host.hearings(of: second) == 0)
    #expect(try rig.keychain.perform(.replug) == .done)
    try rig.wait(for: .linked)
    try rig.wait(for: .acked(second))
    #expect(rig.keychain.line == (ends.host == nil ? spec : ends.keychain), "the same name")

    host.leave()
    if noticesHost {
      _ = try rig.events.first("its leaving") { $0.name == .hostClosed }
      #expect(try !rig.state().host)
    }
    let third = try rig.press()
    let next = try LineHost(spec)
    try rig.wait(for: .linked)
    try rig.wait(for: .acked(third))
    #expect(next.hearings(of: third) >= 1)
    #expect(next.hearings(of: first) == 0 && next.hearings(of: second) == 0, "acked is forgotten")
    #expect(try rig.state().unacked == 0 || rig.kinds().contains("released"))
    next.leave()
  }

  @Test(arguments: [Kind.unix, .tcp, .memory])
  func `a second host is turned away and told once, and comes in when the first has left`(
    kind: Kind
  ) throws {
    let folder = try ScratchDirectory()
    let rig = try Rig(in: folder, line: try Ends(kind, in: folder).keychain)
    let spec = rig.keychain.line
    let first = try LineHost(spec)
    try rig.wait(for: .linked)
    let second = try LineHost(spec)
    let reason = "cannot use \(spec): it closed the line at once; another host may have it"
    try second.await(.unavailable(reason))
    try rig.wait(for: .acked(try rig.press()))
    // Turned away again and again, a second apart.
    try second.await(.opened, times: 2)
    try second.await(.gone, times: 2)
    first.leave()
    _ = try rig.events.wait("the second host") { events in
      events.count { $0.name == .linked } == 2 ? true : nil
    }
    try rig.wait(for: .acked(try rig.press()))
    #expect(second.count(.unavailable(reason)) == 1)
    second.leave()
  }

  @Test(arguments: [Kind.unix, .tcp, .memory])
  func `a keychain that is not there yet is told once and found when it comes`(kind: Kind) throws {
    let folder = try ScratchDirectory()
    var line = try Ends(kind, in: folder).keychain
    if kind == .tcp {
      let free = try Rig(in: folder, line: line)
      line = free.keychain.line
      free.keychain.stop()
    }
    let host = try LineHost(line)
    _ = try host.changes.first("its absence") { if case .unavailable = $0 { true } else { false } }
    let rig = try Rig(in: folder, line: line)
    try rig.wait(for: .linked)
    #expect(host.changes.all.count { if case .unavailable = $0 { true } else { false } } == 1)
    host.leave()
  }

  @Test func `a host that hangs up in the middle of a frame leaves nothing to the next`() throws {
    let folder = try ScratchDirectory()
    let rig = try Rig(in: folder, line: try Ends(.unix, in: folder).keychain)
    let bytes: [UInt8] = [0, 4, 0x10, 1]
    for _ in 0..<5 {
      // Turned away, with a broken pipe, for as long as the keychain has not heard of the last end.
      while true {
        let half = try UnixSocket.connect(path: folder.path("socket"))
        if (try? bytes.withUnsafeBytes { try half.send($0) }) == bytes.count { break }
        sched_yield()
      }
    }
    let host = try LineHost(rig.keychain.line)
    try rig.wait(for: .linked)
    try rig.wait(for: .acked(try rig.press()))
    host.leave()
  }

  @Test(arguments: [Kind.unix, .tcp, .memory])
  func `stopped, nobody listens any more`(kind: Kind) throws {
    let folder = try ScratchDirectory()
    let rig = try Rig(in: folder, line: try Ends(kind, in: folder).keychain)
    let spec = rig.keychain.line
    #expect(rig.keychain.stop())
    let host = try LineHost(spec)
    _ = try host.changes.first("a refusal") { if case .unavailable = $0 { true } else { false } }
    #expect(host.count(.opened) == 0)
    host.leave()
    if kind == .unix { #expect(access(folder.path("socket"), F_OK) != 0) }
  }

  @Test func `a state names the line as a host gives it`() throws {
    let folder = try ScratchDirectory()
    let rig = try Rig(in: folder, line: DeviceSpec(.unix(path: folder.path("socket"))))
    let state = try rig.state()
    #expect(state.link == "unix:\(folder.path)/socket")
    #expect(state.pty == nil && state.plugged && !state.host)
  }
}
