import AlertCore
import Foundation
import GRDB
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Storage

/// Out of a folder and into another.
@Suite struct StateArchiveTests {
  private let folder: StateFolder
  private let target: StateFolder

  init() throws {
    folder = try StateFolder()
    target = try StateFolder()
  }

  private func export(_ folder: StateFolder) throws -> String {
    var text = ""
    try StateExport.write(directory: folder.path) { text += $0 }
    return text
  }

  private func refusal(of document: String, into folder: StateFolder) -> StorageFailure? {
    do {
      try StateImport.read(Data(document.utf8), named: "state.json", into: folder.path)
      return nil
    } catch {
      return error as? StorageFailure
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `what is exported, imported and exported again is the same to the byte`(seed: UInt64) throws
  {
    let count = try RealState.fill(folder, seed: seed)
    let first = try export(folder)
    #expect(first.count > 20 * count)
    try StateImport.read(Data(first.utf8), named: "state.json", into: target.path)
    #expect(try export(target) == first)
    let (old, new) = (try folder.store(), try target.store())
    #expect(try old.incidents() == new.incidents())
    #expect(try old.account() == new.account())
    #expect(try old.load().identities == new.load().identities)
    #expect(try old.load().devices == new.load().devices)
    #expect(try old.load().checkIns == new.load().checkIns)
    #expect(try new.load().checkIns.series.count > 1)
    #expect(try old.lastLogID() == new.lastLogID())
    let next = try old.commit(.ofEveryKind(1_000))
    #expect(try new.commit(.ofEveryKind(1_000)) == next)
  }

  @Test func `a document has a row a line, and is JSON as a whole`() throws {
    try folder.store().commit(.ofEveryKind(1))
    let text = try export(folder)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["format"] as? String == "fob-state")
    #expect(object?["schema"] as? Int == 6)
    #expect(
      text.split(separator: "\n").contains { $0.hasPrefix("[1,1768452439000000,\"delivered") })
  }

  @Test func `a folder is exported while its owner writes, and what comes out is one moment`()
    throws
  {
    let store = try folder.store()
    try store.commit(.ofEveryKind(1))
    var text = ""
    var n: UInt32 = 1
    try StateExport.write(directory: folder.path) { piece in
      text += piece
      n += 1
      try store.commit(.ofEveryKind(n))
    }
    #expect(n > 20)
    try StateImport.read(Data(text.utf8), named: "state.json", into: target.path)
    let found = try target.store()
    #expect(try found.incidents().count == 1)
    #expect(try found.lastLogID() == 1)
    #expect(try found.presses().count == 1)
    #expect(try store.presses().count == Int(n))
  }

  @Test func `a folder whose owner was killed is exported with all that was committed`() throws {
    let store = try folder.store()
    for n in 1...20 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    let copy = try folder.leftByKill()
    #expect(try export(copy) == export(folder))
  }

  @Test func `a folder that has state is refused and left alone`() throws {
    try folder.store().commit(.ofEveryKind(1))
    try target.store().commit(.ofEveryKind(2))
    let before = try export(target)
    let document = try export(folder)
    let failure = try #require(refusal(of: document, into: target))
    #expect(
      failure.description
        == "cannot import into \(target.file): there is state already, in table event;"
        + " name an empty folder with --state, or move this one aside")
    #expect(try export(target) == before)
  }

  @Test func `a folder that another process holds is refused`() throws {
    try folder.store().commit(.ofEveryKind(1))
    let text = try export(folder)
    let holder = try target.store()
    #expect(throws: IOFailure.self) {
      try StateImport.read(Data(text.utf8), named: "state.json", into: target.path)
    }
    #expect(try holder.lastLogID() == 0)
  }

  @Test func `where there is no state there is no export`() throws {
    let failure = #expect(throws: StorageFailure.self) { try export(folder) }
    #expect(failure?.reason == "no state is there")
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test(arguments: ReleasedTests.versions)
  func `a folder of an older version is exported once this one has opened it`(version: Int) throws {
    try folder.plant(released: version)
    let failure = #expect(throws: StorageFailure.self) { try export(folder) }
    #expect(failure?.reason == "an older version has written it")
    _ = try folder.store()
    let document = try export(folder)
    #expect(refusal(of: document, into: target) == nil)
    #expect(try export(target) == document)
  }

  @Test func `a document of schema 3 is read, and what is exported then is of schema 6`() throws {
    let old = try Data(
      contentsOf: Repository.root.appending(path: "Tests/StorageTests/Released/state-3.json"))
    try StateImport.read(old, named: "state.json", into: folder.path)
    let lines = try folder.store().log(after: 0, limit: 1_000)
    #expect(lines.count == 41)
    let changes = lines.filter { $0.name == "stateChanged" || $0.contact != nil }
    #expect(changes.count == 30)
    #expect(
      changes.allSatisfy { $0.name == "acknowledged" || $0.facts?.read?.words == $0.detail })
    let stored = try folder.outside().read { db in
      try Int.fetchOne(db, sql: "SELECT COUNT(facts) FROM log")
    }
    #expect(stored == 0, "a line is kept as it was written")
    let new = try export(folder)
    #expect(new.contains("\"schema\":6"))
    try StateImport.read(Data(new.utf8), named: "state.json", into: target.path)
    #expect(try export(target) == new)
    #expect(try target.store().log(after: 0, limit: 1_000) == lines)
  }

  @Test(arguments: [4, 5])
  func `a document of schema 4 or 5 is read with its facts, as the first account`(
    schema: Int
  ) throws {
    let old = try Data(
      contentsOf: Repository.root.appending(
        path: "Tests/StorageTests/Released/state-\(schema).json"))
    try StateImport.read(old, named: "state.json", into: folder.path)
    let store = try folder.store()
    let lines = try store.log(after: 0, limit: 1_000)
    #expect(lines.count == 43)
    #expect(lines.filter { $0.detail != nil }.allSatisfy { $0.facts?.read != nil })
    #expect(try store.load().checkIns == StoredCheckIns())
    #expect(try store.incidents().map(\.state) == [.noEmergency, .emergencySent])
    #expect(try store.accounts() == [.first])
  }

  @Test(arguments: [
    ("\"fob-state\"", "\"fob-plan\"", "its format is not fob-state"),
    (
      "\"schema\":6", "\"schema\":7",
      "a newer version wrote it (schema 7, this one reads 3 to 6)"
    ),
    (
      "\"schema\":6", "\"schema\":2",
      "an older version wrote it (schema 2, this one reads 3 to 6)"
    ),
    (
      "\"schema\":6", "\"schema\":3",
      "table account with columns id, body is not where it belongs"
    ),
    ("\"schema\":6", "\"schema\":5", "table account with columns id, body is not where"),
    ("[1,\"settings\",", "[1,\"setting\",", "companion, row 3: kind is none that this version has"),
    ("\"nagEvery\\\":7", "\"nagEvery\\\":0", "row 3: a setting of check-ins is out of its range"),
    ("\"limit\\\":30", "\"limit\\\":3", "companion, row 2: a value of the series is out of its"),
    ("[1,\"series\",\"1\"", "[1,\"series\",\"2\"", "row 2: its body is of another series"),
    ("[1,1,\"20261125T0900\"", "[1,1,\"20261125T0901\"", "row 1: its body is of another check-in"),
    ("\"open\",", "\"shut\",", "occurrence, row 1: its body is of another check-in"),
    ("\"nagged\\\":3", "\"nagged\\\":-3", "row 1: a value of the check-in is out of its range"),
    ("{\\\"type\\\"", "{\\\"type\\\":7,\\\"x\\\"", "table log, row 1: its facts cannot be read"),
    (
      "\"name\":\"device\"", "\"name\":\"keys\"",
      "table device with columns id, body, account is not"
    ),
    ("]}\n]}", "]},{\"name\":\"x\"}]}", "it has more tables than this version"),
    (
      "[1,1768452439000000,\"delivered\"", "[1,\"x\",\"delivered\"",
      "log, row 1: wall is not a whole"
    ),
    ("[1,1768452439000000,", "[1,1.5,", "table log, row 1: wall is not a whole number"),
    (
      "[1,1768452439000000,", "[0,1768452439000000,",
      "table log, row 1: its id is not within 1 to 9007199254740991"
    ),
    ("[1,1768452439000000,", "[1,1768452439000000,null,", "table log, row 1: name may not be null"),
    (",\"raise 1\",", ",", "table log, row 1: it is no list of 12 values"),
    (",\"raise 1\",", ",\"raise 1\",null,", "table log, row 1: it has too many values"),
    ("\"EMERGENCY_ENDED\"", "\"NO_EMERGENCY\"", "incident, row 1: its body is of another incident"),
    ("\"0b0b", "\"0c0b", "table event, row 1: its payload is of another event"),
    ("\"0b0b", "\"gg0b", "table event, row 1: payload is not in hexadecimal"),
    ("\"press\"", "\"prize\"", "table incident_list, row 2: list is neither press nor alias"),
    (
      "[1,1768452439000000,",
      "[1,1,\"a\",null,null,null,null,null,null,null,null,null],\n[1,17684524,",
      "table log, row 2: UNIQUE constraint failed: log.id"
    ),
  ])
  func `a row that does not fit is named, with a hint, and nothing is imported`(
    part: String, other: String, words: String
  ) throws {
    try folder.store().commit(.ofEveryKind(1))
    let text = try export(folder)
    let place = try #require(text.range(of: part), "\(part) is not in \(text)")
    let document = text.replacingCharacters(in: place, with: other)
    let failure = try #require(refusal(of: document, into: target))
    #expect(failure.description.contains(words), "\(failure)")
    #expect(failure.description.hasPrefix("cannot import state.json: "))
    #expect(failure.remedy == "nothing was imported; export the state again and import that")
    if FileManager.default.fileExists(atPath: target.file) {
      let store = try target.store()
      #expect(try store.incidents().isEmpty)
      #expect(try store.lastLogID() == 0)
    }
  }

  @Test func `no damage to a document makes the import trap, or leave half of it`() throws {
    try RealState.fill(folder, seed: 9, batches: 6)
    let whole = Array(try export(folder).utf8)
    var random = SeededGenerator(seed: 10)
    var refused = 0
    for round in 0..<(Soak.isOn ? 4_000 : 300) {
      var bytes = whole
      switch round % 3 {
      case 0: bytes.removeLast(.random(in: 1..<whole.count, using: &random))
      case 1:
        for _ in 0...round % 8 {
          bytes[.random(in: 0..<bytes.count, using: &random)] = .random(
            in: 0 ... .max, using: &random)
        }
      default:
        let letters = Array("[]{}\",:0-\\null".utf8)
        bytes = (0..<200).map { _ in letters.randomElement(using: &random)! }
      }
      let victim = try StateFolder()
      do {
        let rows = try StateImport.read(Data(bytes), named: "state.json", into: victim.path)
        #expect(try export(victim).split(separator: "\n").count > rows)
      } catch let failure as StorageFailure {
        refused += 1
        #expect(failure.remedy != nil, "\(failure)")
        if FileManager.default.fileExists(atPath: victim.file) {
          #expect(try victim.store().lastLogID() == 0)
        }
      }
    }
    #expect(refused > 200)
  }

  @Test func `a document that is too long, too deep or empty is refused`() {
    let deep = String(repeating: "[", count: 100_000)
    for text in ["", "{}", "[]", "null", deep, "{\"format\":\"fob-state\",\"tables\":\(deep)"] {
      #expect(refusal(of: text, into: target)?.path == "state.json")
    }
    let long = Data(count: StateImport.longest + 1)
    let failure = #expect(throws: StorageFailure.self) {
      try StateImport.read(long, named: "state.json", into: target.path)
    }
    #expect(failure?.reason == "it is longer than 256 MiB")
  }
}
