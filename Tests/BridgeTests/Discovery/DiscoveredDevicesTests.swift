import SerialIO
import TestSupport
import Testing
import Transport

@testable import Bridge

/// Which of the devices that come and go a bridge serves.
@Suite struct DiscoveredDevicesTests {
  private var discovered = DiscoveredDevices(KeychainMatch(), limit: 8)

  private func device(
    _ serial: String?, node: Int = 0, product: String? = "fob keychain", vendor: UInt16 = 0x1209,
    isKeychain: Bool = false
  ) -> AttachedDevice {
    AttachedDevice(
      .port, systemPath: "/sys/devices/usb1/1-\(node)/ttyACM\(node)", node: "/dev/ttyACM\(node)",
      address: USBAddress(vendor: vendor, product: 1, serial: serial), product: product,
      isKeychain: isKeychain)
  }

  private func spec(_ serial: String?) -> DeviceSpec {
    DeviceSpec(.tty(USBAddress.keychain.with(serial: serial)))
  }

  private func served(_ effects: [DiscoveredDevices.Effect]) -> [DeviceSpec] {
    effects.compactMap { if case .serve(let spec) = $0 { spec } else { nil } }
  }

  @Test mutating func `a keychain is served once, however often it is plugged in`() {
    #expect(served(discovered.handle(.appeared(device("A")))) == [spec("A")])
    for node in 1...5 {
      #expect(discovered.handle(.gone(device("A", node: node - 1))) == [])
      #expect(discovered.handle(.appeared(device("A", node: node))) == [])
    }
    #expect(served(discovered.handle(.appeared(device("B", node: 9)))) == [spec("B")])
  }

  @Test mutating func `a second device with a serial number is said and not served`() {
    _ = discovered.handle(.appeared(device("A", node: 0)))
    #expect(
      discovered.handle(.appeared(device("A", node: 1))) == [
        .notice(
          .warning,
          "/dev/ttyACM1 is not used: it has the serial number A, as /dev/ttyACM0 has; unplug one,"
            + " or give it a number of its own")
      ])
    // The first goes: the line finds the other by itself.
    #expect(discovered.handle(.gone(device("A", node: 0))) == [])
  }

  @Test mutating func `one without a serial number is served by its ids, a second is said`() {
    #expect(served(discovered.handle(.appeared(device(nil)))) == [spec(nil)])
    let said = discovered.handle(.appeared(device(nil, node: 1)))
    #expect(served(said) == [] && said.count == 1)
  }

  @Test mutating func `more than a bridge serves are said and not served`() {
    for node in 0..<8 { _ = discovered.handle(.appeared(device("A\(node)", node: node))) }
    #expect(
      discovered.handle(.appeared(device("B", node: 8))) == [
        .notice(.error, "/dev/ttyACM8 is not used: a bridge serves at most 8 keychains")
      ])
  }

  @Test(arguments: ["tty:1209:0001:A", "usb:1209:0001:A"])
  func `what the bridge opens already is not opened again`(spec: String) throws {
    var discovered = DiscoveredDevices(KeychainMatch(), serving: [try DeviceSpec(spec)], limit: 8)
    #expect(discovered.handle(.appeared(device("A"))) == [])
  }

  /// pid.codes lends 1209:0001 to everybody.
  @Test func `keychains are what the rule, their product or a given id says`() {
    let match = KeychainMatch()
    #expect(match.takes(device("A")))
    #expect(!match.takes(device("A", product: "thermometer")))
    #expect(!match.takes(device("A", product: nil)))
    #expect(match.takes(device("A", product: "thermometer", isKeychain: true)))
    #expect(!match.takes(device("A", vendor: 0x1234)))
    #expect(match.takes(device("A", vendor: 0x1234, isKeychain: true)))
    let given = KeychainMatch(ids: [
      USBAddress(vendor: 0x1234, product: 1), USBAddress.keychain.with(serial: "T"),
    ])
    #expect(given.takes(device("A", product: nil, vendor: 0x1234)))
    #expect(given.takes(device("T", product: "thermometer")))
    #expect(!given.takes(device("U", product: "thermometer")))
  }

  /// Whatever comes and goes: each spec is served once, and every device that is not is said.
  @Test(arguments: 0..<UInt64(200))
  func `no keychain is served twice, and none is passed over in silence`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var discovered = DiscoveredDevices(KeychainMatch(), limit: 3)
    var there: [Int: AttachedDevice] = [:]
    var all: [DeviceSpec] = []
    for _ in 0..<100 {
      let node = Int.random(in: 0..<6, using: &random)
      if let device = there.removeValue(forKey: node) {
        #expect(discovered.handle(.gone(device)) == [])
        continue
      }
      let device = device(["A", "B", "C", "D", nil].randomElement(using: &random)!, node: node)
      let effects = discovered.handle(.appeared(device))
      let isTwin = there.values.contains { $0.spec == device.spec }
      there[node] = device
      all += served(effects)
      #expect(effects.isEmpty == (!isTwin && all.contains(device.spec) && served(effects) == []))
    }
    #expect(Set(all).count == all.count && all.count <= 3)
  }

  // MARK: Boards that may be keychains

  private func microbit(
    node: Int = 0, serial: String? = "9904360258824e45", product: UInt16 = 0x0204
  ) -> AttachedDevice {
    AttachedDevice(
      .port, systemPath: "/sys/devices/usb1/2-\(node)/ttyACM\(node)", node: "/dev/ttyACM\(node)",
      address: USBAddress(vendor: 0x0D28, product: product, serial: serial),
      product: "BBC micro:bit CMSIS-DAP")
  }

  @Test mutating func `a micro:bit is asked, and served once a keychain has answered`() {
    let board = microbit()
    #expect(discovered.handle(.appeared(board)) == [.ask(board)])
    #expect(served(discovered.answered(board, .keychain)) == [board.spec])
    // From now on it is known by its serial number.
    #expect(discovered.handle(.gone(board)) == [])
    #expect(discovered.handle(.appeared(microbit(node: 1))) == [])
  }

  @Test(
    arguments: [.silence, .failure(IOFailure("open", errno: 16, path: "x"))]
      as [KeychainInquiry.Answer])
  mutating func `a micro:bit without a keychain is said once, and asked at the next plugging`(
    answer: KeychainInquiry.Answer
  ) {
    let board = microbit()
    _ = discovered.handle(.appeared(board))
    let said = discovered.answered(board, answer)
    #expect(served(said) == [] && said.count == 1)
    #expect(discovered.answered(board, .keychain) == [], "it was asked once")
    #expect(discovered.handle(.gone(board)) == [])
    #expect(discovered.handle(.appeared(board)) == [.ask(board)])
  }

  @Test mutating func `an answer of a board that has gone meanwhile serves nothing`() {
    let board = microbit()
    _ = discovered.handle(.appeared(board))
    _ = discovered.handle(.gone(board))
    #expect(discovered.answered(board, .keychain) == [])
  }

  @Test(
    arguments: [
      (0x0204, nil), (0x0204, "0240000029164e45"), (0x0204, "9902"), (0x0204, "x9900"),
      (0x0205, "9900"),
    ] as [(UInt16, String?)])
  mutating func `any other board with the same debugger is not even asked`(
    product: UInt16, serial: String?
  ) {
    #expect(discovered.handle(.appeared(microbit(serial: serial, product: product))) == [])
  }
}
