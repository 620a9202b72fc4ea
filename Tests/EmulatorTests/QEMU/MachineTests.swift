import Emulator
import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// QEMU as a child: what it is asked, what it refuses, and that it is gone in the end.
@Suite(.serialized) struct MachineTests {
  private let scratch: ScratchDirectory
  private let store: String

  init() throws {
    scratch = try ScratchDirectory()
    store = scratch.path("store")
    let file = try Syscall.open(store, O_RDWR | O_CREAT, mode: 0o600)
    #expect(ftruncate(file.number, off_t(LM3S6965.storeSize)) == 0)
  }

  @Test func `the firmware boots and speaks in QEMU, and is gone with its owner`() throws {
    var board: LM3S6965? = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    let pid = try #require(board?.machine.process.pid)
    #expect(kill(pid, 0) == 0)
    try board?.setBattery(millivolts: 3_700)
    try board?.boot(.powerOn)
    #expect(try BoardWire(#require(board).machine).event().detail == ResetCause.powerOn.rawValue)
    board = nil
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test
  func `a firmware in QEMU that resets itself stands still until it is booted with its cause`()
    throws
  {
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    try board.boot(.powerOn)
    _ = try BoardWire(board.machine).event()
    // SYSRESETREQ in AIRCR, as the firmware itself would write it.
    try board.machine.pin("writel 0xE000ED0C 0x05FA0004", "reset")
    var cause: ResetCause?
    try BoardWire(board.machine).wait {
      cause = board.takeOwnReset()
      return cause != nil
    }
    #expect(cause == .software)
    _ = board.machine.read(uart: 0)
    try board.reset(.software)
    let booted = try BoardWire(board.machine).event {
      $0.identity.number.boot == 2 && $0.detail != 0
    }
    #expect(booted.detail == ResetCause.software.rawValue)
  }

  @Test func `what QEMU refuses is said with the operation and its words, in QEMU`() throws {
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    let pin = #expect(throws: IOFailure.self) { try board.machine.pin("no_such", "wiggle") }
    #expect(pin?.description.hasPrefix("cannot wiggle the board in QEMU: QEMU refuses") == true)
    #expect(try board.machine.human("info status").contains("paused"))
    let missing = #expect(throws: IOFailure.self) {
      try LM3S6965(firmware: "/no/such.elf", store: store)
    }
    #expect(missing?.description.contains("/no/such.elf") == true)
    let absent = #expect(throws: IOFailure.self) {
      try QEMUProcess.find("no-such-qemu", package: "some-package")
    }
    #expect(absent?.description.contains("apt-get install some-package") == true)
  }

  @Test func `a QEMU that is killed says so at the next call, and why`() throws {
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    kill(board.machine.process.pid, SIGKILL)
    let failure = #expect(throws: IOFailure.self) {
      while true { try board.setButton(closed: true) }
    }
    #expect(failure?.errno == ECONNRESET)
    #expect(failure?.description.contains("was ended by signal 9") == true)
    #expect(board.machine.lastWords == "it was ended by signal 9")
  }

  @Test func `each change of the light is heard while QEMU runs`() throws {
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    try board.setBattery(millivolts: 3_900)
    let begun = BootClock.now()
    try board.boot(.powerOn)
    var edges: [LightEdge] = []
    try BoardWire(board.machine).wait {
      edges += board.takeLight()
      return edges.count >= 4
    }
    #expect(edges.prefix(4).map(\.isOn) == [true, false, true, false])
    #expect(edges.allSatisfy { $0.at >= begun && $0.at <= BootClock.now() })
  }

  /// The receiver talks faster than the firmware listens, as where a busy host lets QEMU's
  /// processor stand still and its lines go on: the queue fills while its interrupt is cleared.
  @Test func `noise costs the firmware in QEMU nothing of what its receiver says then`() throws {
    var random = SeededGenerator(seed: 1)
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    try board.setBattery(millivolts: 3_900)
    try board.boot(.powerOn)
    let wire = BoardWire(board.machine)
    _ = try wire.event()
    for round in 0..<25 {
      for _ in 0..<6 {
        let noise = [UInt8](repeating: 0x55, count: .random(in: 1...150, using: &random))
        try board.machine.write(noise, uart: 1)
        // By the board's own clock, so that it has taken what it takes.
        let written = try wire.clock()
        while try wire.clock() < written + 4_000 {}
      }
      // A change of quality is told at once.
      let hasFix = round % 2 == 0
      let place =
        hasFix ? "5128.66800,N,00000.09000,W,1,09,0.90,46.0,M,47.0,M" : ",,,,0,00,99.99,,,,"
      let sentence = "GPGGA,1200\(10 + round).00,\(place),,"
      let sum = String(sentence.utf8.reduce(0 as UInt8, ^), radix: 16, uppercase: true)
      let digits = sum.utf8.count < 2 ? "0" + sum : sum
      try board.machine.write(Array("\r\n$\(sentence)*\(digits)\r\n".utf8), uart: 1)
      let quality = try wire.hear { (fix: PositionFix) in
        (fix.quality != .none) == hasFix ? fix.quality : nil
      }
      #expect((quality != .none) == hasFix)
    }
  }
}
