import Glibc
import SerialIO
import TestSupport
import Testing
import Transport

@Suite struct HotplugTableTests {
  private var board = HotplugTable()

  private func keychain(
    _ serial: String?, socket: Int = 1, number: Int = 0
  ) -> AttachedDevice { PlugWorld.keychain(serial, socket, number: number) }

  /// Whatever is plugged, pulled, told twice or not at all: the board shows what is there, each
  /// device appears once, and none goes that had not appeared.
  @Test(arguments: 0..<UInt64(Soak.isOn ? 20_000 : 500))
  func `the board follows the sockets, and its changes follow the board`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var world = PlugWorld()
    var board = HotplugTable()
    var shown: [String: AttachedDevice] = [:]
    for _ in 0..<60 {
      world.step(&random)
      var events = world.takeEvents()
      if Int.random(in: 0..<4, using: &random) == 0 { events += events }
      let isLost = Int.random(in: 0..<8, using: &random) == 0
      if isLost {
        events.removeAll { _ in Bool.random(using: &random) }
        events.append(.all(world.all))
      }
      for change in events.flatMap({ board.handle($0) }) {
        switch change {
        case .appeared(let device):
          #expect(shown.updateValue(device, forKey: device.systemPath) == nil)
        case .gone(let device):
          #expect(shown.removeValue(forKey: device.systemPath) != nil)
        }
      }
      #expect(board.devices.sorted { $0.node < $1.node } == world.all)
      #expect(Set(shown.keys) == Set(world.all.map(\.systemPath)))
      for device in world.all {
        let found = try? board.only(device.address)
        #expect(found == device)
      }
    }
  }

  @Test mutating func `a device is known by its serial number, whatever its node`() throws {
    _ = board.handle(.seen(keychain("A", socket: 1, number: 0)))
    _ = board.handle(.seen(keychain("B", socket: 2, number: 1)))
    _ = board.handle(.seen(keychain("C", socket: 3, number: 2)))
    #expect(try board.only(.keychain.with(serial: "B")).node == "/dev/ttyACM1")
    _ = board.handle(.removed(systemPath: keychain("B", socket: 2, number: 1).systemPath))
    _ = board.handle(.seen(keychain("B", socket: 2, number: 7)))
    #expect(try board.only(.keychain.with(serial: "B")).node == "/dev/ttyACM7")
  }

  @Test mutating func `a replug whose removal was not told takes the place of the old port`() {
    let old = keychain("A", number: 0)
    let new = keychain("A", number: 1)
    #expect(board.handle(.seen(old)) == [.appeared(old)])
    #expect(board.handle(.seen(new)) == [.gone(old), .appeared(new)])
    #expect(board.handle(.removed(systemPath: old.systemPath)) == [])
    #expect(board.devices == [new])
  }

  @Test mutating func `another device under a node that is known takes its place`() {
    let old = keychain("A", socket: 1, number: 0)
    let new = keychain("B", socket: 2, number: 0)
    _ = board.handle(.seen(old))
    #expect(board.handle(.seen(new)) == [.gone(old), .appeared(new)])
  }

  @Test mutating func `what comes twice appears once, and a removal of nothing is nothing`() {
    let device = keychain("A")
    #expect(board.handle(.removed(systemPath: device.systemPath)) == [])
    #expect(board.handle(.seen(device)) == [.appeared(device)])
    #expect(board.handle(.seen(device)) == [])
    #expect(board.handle(.all([device])) == [])
    #expect(board.handle(.removed(systemPath: device.systemPath)) == [.gone(device)])
    #expect(board.handle(.removed(systemPath: device.systemPath)) == [])
  }

  @Test mutating func `every plugging has a number of its own`() throws {
    let device = keychain("A")
    _ = board.handle(.seen(device))
    let first = try #require(board.number(of: device))
    _ = board.handle(.seen(device))
    #expect(board.number(of: device) == first)
    _ = board.handle(.removed(systemPath: device.systemPath))
    #expect(board.number(of: device) == nil)
    _ = board.handle(.seen(device))
    #expect(try #require(board.number(of: device)) > first)
  }

  @Test mutating func `without a serial number exactly one device is meant`() throws {
    _ = board.handle(.seen(keychain("A", socket: 1, number: 0)))
    #expect(try board.only(.keychain).address.serial == "A")
    _ = board.handle(.seen(keychain("B", socket: 2, number: 1)))
    expect(
      .keychain, ENOTUNIQ,
      "several are plugged in; name one: tty:1209:0001:A, tty:1209:0001:B")
  }

  @Test mutating func `what is not there is said, with what is`() {
    expect(
      .keychain.with(serial: "A"), ENODEV,
      "no USB device with these ids and the serial number A is plugged in")
    expect(.keychain, ENODEV, "no USB device with these ids is plugged in")
    _ = board.handle(.seen(keychain("B")))
    expect(
      .keychain.with(serial: "A"), ENODEV,
      "no USB device with these ids and the serial number A is plugged in; plugged in: B")
    expect(
      USBAddress(vendor: 0x1209, product: 2), ENODEV, "no USB device with these ids is plugged in")
  }

  @Test(arguments: [nil, "A"])
  mutating func `devices that no serial number tells apart are named by their nodes`(
    serial: String?
  ) {
    _ = board.handle(.seen(keychain(serial, socket: 1, number: 0)))
    _ = board.handle(.seen(keychain(serial, socket: 2, number: 1)))
    expect(
      .keychain.with(serial: serial), ENOTUNIQ,
      "/dev/ttyACM0, /dev/ttyACM1 cannot be told apart by a serial number: unplug all but one, or"
        + " name one by serial:PATH")
  }

  private func expect(_ address: USBAddress, _ code: Int32, _ reason: String) {
    #expect(
      throws: IOFailure("find", errno: code, path: "\(address)", reason: reason)
    ) { try board.only(address) }
  }
}
