import Control
import Emulator
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@Suite final class FleetControlTests {
  private let folder: ScratchDirectory
  private let fleet: KeychainFleet
  private let client: ControlClient

  init() throws {
    let folder = try ScratchDirectory()
    self.folder = folder
    fleet = try KeychainFleet(
      (0..<3).map { index in
        EmulatorConfiguration(
          serial: 10 + index, line: DeviceSpec(.unix(path: folder.path("\(index).sock"))))
      }, controlPath: folder.path("control"))
    try fleet.start()
    client = try ControlClient(path: folder.path("control"))
  }

  deinit { fleet.stop() }

  @Test func `a request names one keychain, and that one answers as if it were alone`() throws {
    #expect(try ask(#"{"do":"press","serial":11}"#).event == "1.2")
    let states = try [10, 11, 12].map { try ask(#"{"do":"state","serial":\#($0)}"#) }
    #expect(states.map(\.device) == ["800000000000000a", "800000000000000b", "800000000000000c"])
    #expect(states[1].serial == nil)
    #expect(states.allSatisfy { $0.ok && $0.keychains == nil })
    #expect(states[1].unacked ?? 0 > states[0].unacked ?? 0)
  }

  @Test func `a request to all is answered by each with its serial`() throws {
    let answer = try ask(#"{"do":"press","all":true}"#)
    #expect(answer.ok)
    #expect(answer.keychains?.map(\.serial) == [10, 11, 12])
    #expect(answer.keychains?.map(\.event) == ["1.2", "1.2", "1.2"])
    #expect(try ask(#"{"do":"state","all":true}"#).keychains?.count == 3)
  }

  @Test func `where one of all refuses, the answer says how many and which`() throws {
    #expect(try ask(#"{"do":"unplug","serial":12}"#).ok)
    let answer = try ask(#"{"do":"unplug","all":true}"#)
    #expect(!answer.ok)
    #expect(answer.error == "1 of 3 keychains refused")
    #expect(answer.keychains?.map(\.ok) == [true, true, false])
    #expect(answer.keychains?[2].error == "it is unplugged: replug it")
  }

  @Test(arguments: [
    (
      #"{"do":"press"}"#,
      #"3 keychains are here, serials 10 to 12: say which with "serial", or "all":true"#
    ),
    (
      #"{"do":"press","serial":9}"#, "no keychain here has the serial 9, only serials 10 to 12"
    ),
    (#"{"do":"press","serial":10,"all":true}"#, #"either "serial" or "all":true, not both"#),
    (#"{"do":"press","serial":"ten"}"#, #""serial" must be a whole number, 0 to 4294967295"#),
    (#"{"do":"press_every","serial":10}"#, "mean time"),
  ])
  func `whom it is for has to be said, and the refusal says how`(
    request: String, error: String
  ) throws {
    let answer = try ask(request)
    #expect(!answer.ok)
    #expect(answer.error?.contains(error) == true, "\(answer)")
  }

  @Test func `one subscriber hears all, each line with its serial`() throws {
    let listener = try ControlClient(path: folder.path("control"))
    #expect(try listener.request(#"{"do":"subscribe","all":true}"#) == #"{"ok":true}"#)
    #expect(try ask(#"{"do":"press","all":true}"#).ok)
    var heard: Set<Int> = []
    for line in listener.lines(before: BootClock.now() + .seconds(10)) {
      let event = try JSONDecoder().decode(Heard.self, from: Data(line.utf8))
      if event.kind == "pressed" { heard.insert(event.serial) }
      if heard.count == 3 { break }
    }
    #expect(heard == [10, 11, 12])
  }

  @Test func `a fleet presses by itself for as long as it is told to`() throws {
    let pressed = Gathered<String>()
    let subscriptions = fleet.keychains.map { keychain in
      let serial = keychain.configuration.serial
      return keychain.subscribe { event in
        if event.kind == "pressed" { pressed.put("\(serial) \(event.event ?? "")") }
      }
    }
    #expect(subscriptions.allSatisfy { $0 != nil })
    #expect(try ask(#"{"do":"press_every","ms":20,"seed":4,"all":true}"#).ok)
    try pressed.wait("presses of each") {
      ["10 ", "11 ", "12 "].allSatisfy { serial in
        pressed.all.count { $0.hasPrefix(serial) } >= 3
      }
    }
    #expect(Set(pressed.all).count == pressed.all.count)
    #expect(try ask(#"{"do":"press_every","ms":0,"all":true}"#).ok)
  }

  @Test func `one that cannot start leaves none behind`() throws {
    let paths = [folder.path("new.sock"), folder.path("0.sock")]
    let second = try KeychainFleet(
      paths.enumerated().map { index, path in
        EmulatorConfiguration(serial: UInt32(index), line: DeviceSpec(.unix(path: path)))
      }, controlPath: folder.path("second"))
    let failure = #expect(throws: IOFailure.self) { try second.start() }
    #expect(failure?.path == paths[1])
    #expect(!FileManager.default.fileExists(atPath: paths[0]))
    #expect(!FileManager.default.fileExists(atPath: folder.path("second")))
  }

  private func ask(_ line: String) throws -> Reply {
    try JSONDecoder().decode(Reply.self, from: Data(try client.request(line).utf8))
  }

  private struct Heard: Decodable {
    let serial: Int
    let kind: String?
  }

  private struct Reply: Decodable {
    let ok: Bool
    let serial: Int?
    let event: String?
    let device: String?
    let unacked: Int?
    let error: String?
    let keychains: [Reply]?
  }
}
