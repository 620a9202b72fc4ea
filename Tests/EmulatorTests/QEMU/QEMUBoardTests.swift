import Emulator
import Firmware
import FobBase
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// The same commands, events and lines as on the simulated board, with the firmware in QEMU.
@Suite(.serialized) struct QEMUBoardTests {
  /// Where the host's processors are all taken, QEMU's may stand still longer than a finger stays.
  private static let longHold = Interval.milliseconds(500)

  private static let boards = BoardFirmware.Board.allCases

  @Test(arguments: boards)
  func `a press in QEMU is answered with its number and arrives on a real pty`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .linked)
    let number = try rig.press(hold: Self.longHold)
    let record = try host.event(number)
    #expect(record.identity.kind == .pressed)
    #expect(record.identity.deviceID == .bench(7))
    try rig.wait(for: .acked(number))
    _ = try rig.events.first("the state") { $0.name == .shown && $0.shown == "sending" }
    let names = rig.events.all.filter { $0.event == number.text }.map(\.name)
    #expect(names == [.committed, .written, .acked])
  }

  @Test(arguments: boards)
  func `without a host a press in QEMU is kept and comes when one is there`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    let number = try rig.press(hold: Self.longHold)
    #expect(try !rig.state().host)
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    #expect(try host.event(number).identity.kind == .pressed)
  }

  @Test(arguments: boards)
  func `a press in QEMU survives a power cut and is sent again`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(storeName: "store", board: board.inQEMU())
    let number = try rig.press(hold: Self.longHold)
    #expect(try rig.keychain.perform(.powerCut(.milliseconds(1))) == .done)
    try rig.wait(for: .ready)
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    let record = try host.event(number)
    #expect(record.identity.kind == .pressed)
    #expect(record.flags.contains(.replayed))
    #expect(try host.linked().resetCause == .powerOn)
  }

  @Test(arguments: boards)
  func `the reset pin, and a battery that sags, are causes that the firmware tells in QEMU`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    #expect(try rig.keychain.perform(.reset) == .done)
    _ = try rig.events.first("the reset pin") { $0.cause == "resetPin" && $0.boot == 2 }
    #expect(
      try rig.keychain.perform(.sag(millivolts: 1_300, for: .milliseconds(100))) == .done)
    _ = try rig.events.first("the brown-out") { $0.name == .brownOut }
    _ = try rig.events.first("its boot") { $0.cause == "brownOut" && $0.boot == 3 }
  }

  @Test(arguments: boards)
  func `the board in QEMU measures the battery's curve and hears the GPS receiver`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(
      gps: .stationary(latitude: 514_778_000, longitude: -15_000), batteryPercent: 60,
      board: board.inQEMU())
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    let expected = BatteryGauge.millivolts(percent: 60)
    _ = try host.reports.wait("a heartbeat with \(expected) mV") { reports in
      for case .heartbeat(let beat) in reports where beat.millivolts == expected { return beat }
      return nil
    }
    let fix = try host.reports.wait("a fix") { reports in
      for case .position(let fix) in reports where fix.quality == .good { return fix }
      return nil
    }
    #expect(fix.latitude == 514_778_000 && fix.longitude == -15_000)
    _ = try rig.keychain.perform(.battery(percent: 4))
    _ = try rig.events.first("the low battery") { $0.kind == "batteryCritical" }
    #expect(try rig.state().latitude == 514_778_000)
  }

  @Test(arguments: boards)
  func `what QEMU's board has no part for is refused with the reason`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    for command: EmulatorCommand in [
      .clockDrift(ppm: 5), .clockJump(.seconds(1)), .failStore(true),
    ] {
      let refusal = #expect(throws: CommandRefusal.self) { try rig.keychain.perform(command) }
      #expect(refusal?.description.contains("only the simulated board's") == true)
    }
  }

  @Test(arguments: boards)
  func `bytes lost on the way cost no press in QEMU`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    _ = try rig.keychain.perform(.fault(WireFault(.drop, .rate(0.02), to: .both)))
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    let numbers = try (0..<5).map { _ in try rig.press(hold: Self.longHold) }
    for number in numbers { #expect(try host.event(number).identity.kind == .pressed) }
    #expect(Set(numbers).count == 5)
  }

  @Test(arguments: boards)
  func `a host that never reads does not stop a board in QEMU`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try Rig(board: board.inQEMU())
    let host = try SerialLine(path: rig.keychain.linkPath).intoDescriptor()
    for _ in 0..<10 { _ = try rig.press(hold: Self.longHold) }
    #expect(try rig.state().host)
    #expect(host.number >= 0)
  }

  @Test func `a missing firmware is named by the start of a board in QEMU`() throws {
    let failure = #expect(throws: IOFailure.self) {
      try Rig(board: .qemu(firmware: "/no/such.elf"))
    }
    #expect(failure?.description.contains("/no/such.elf") == true)
  }

  @Test(arguments: boards)
  func `two keychains in QEMU cannot have one store`(
    _ board: BoardFirmware.Board
  ) throws {
    let directory = try ScratchDirectory()
    let rig = try Rig(in: directory, storeName: "store", board: board.inQEMU())
    let failure = #expect(throws: IOFailure.self) {
      try Rig(
        in: directory, line: DeviceSpec(pty: directory.path("other")), storeName: "store",
        board: board.inQEMU())
    }
    #expect(failure?.description.contains("another emulator holds it") == true)
    #expect(try rig.state().powered)
  }
}

extension BoardFirmware.Board {
  /// As an emulated keychain has it.
  fileprivate func inQEMU() throws -> EmulatorConfiguration.Board {
    let kind: QEMUBoardKind =
      switch self {
      case .lm3s6965evb: .lm3s6965evb
      case .microbit: .microbit
      }
    return .qemu(kind, firmware: try BoardFirmware.keychain(self).path())
  }
}
