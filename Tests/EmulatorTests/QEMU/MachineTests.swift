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
    #expect(try event(from: #require(board)).detail == ResetCause.powerOn.rawValue)
    board = nil
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test
  func `a firmware in QEMU that resets itself stands still until it is booted with its cause`()
    throws
  {
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    try board.boot(.powerOn)
    _ = try event(from: board)
    // SYSRESETREQ in AIRCR, as the firmware itself would write it.
    try board.machine.pin("writel 0xE000ED0C 0x05FA0004", "reset")
    var cause: ResetCause?
    try wait(board) {
      cause = board.takeOwnReset()
      return cause != nil
    }
    #expect(cause == .software)
    _ = board.machine.read(uart: 0)
    try board.reset(.software)
    let booted = try event(from: board) { $0.identity.number.boot == 2 && $0.detail != 0 }
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
    try wait(board) {
      edges += board.takeLight()
      return edges.count >= 4
    }
    #expect(edges.prefix(4).map(\.isOn) == [true, false, true, false])
    #expect(edges.allSatisfy { $0.at >= begun && $0.at <= BootClock.now() })
  }

  /// The first event that fits.
  private func event(
    from board: LM3S6965, _ fits: (EventRecord) -> Bool = { _ in true }
  ) throws -> EventRecord {
    var decoder = FrameDecoder()
    var found: EventRecord?
    try wait(board) {
      let bytes = board.machine.read(uart: 0)
      bytes.withUnsafeBytes { bytes in
        var rest = bytes
        while found == nil, let outcome = decoder.next(&rest) {
          guard outcome == .frame else { continue }
          decoder.withBody { body in
            guard body[1] == MessageType.event.rawValue, body.count >= 4 + EventRecord.size,
              let record = EventRecord(UnsafeRawBufferPointer(rebasing: body[4...])), fits(record)
            else { return }
            found = record
          }
        }
      }
      return found != nil
    }
    return try #require(found)
  }

  private func wait(_ board: LM3S6965, _ isSo: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      board.machine.drain()
      if try isSo() { return }
      try #require(BootClock.now() < deadline, "not within 20 s: \(board.machine.process.output)")
      var polled = board.machine.descriptors.map { pollfd(fd: $0, events: 1, revents: 0) }
      _ = try Syscall.poll(&polled, count: polled.count, until: deadline)
    }
  }
}
