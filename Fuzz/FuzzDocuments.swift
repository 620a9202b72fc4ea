import AlertCore
import FobBase
import Foundation
import NMEA
import SystemCrypto
import Transport
import WireProtocol
import Yams

@testable import Bench
@testable import Bridge
@testable import Conformance
@testable import Console
@testable import Control
@testable import Emulator
@testable import SerialIO
@testable import Sinks
@testable import Storage
@testable import fob

/// Any bytes as each document that people and programs hand in: nothing may trap, and what is taken
/// keeps to its limits. FOB_FUZZ names one of them; Fuzz/seeds has a folder for each.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private typealias Reader = @Sendable ([UInt8]) -> Void

private let documents: [(name: String, read: Reader)] = [
  ("control", readControl), ("vcards", readVCards), ("scenario", readScenario),
  ("sinks", readSinks), ("state", readState), ("bench", readBench), ("qmp", readQMP),
  ("specs", readSpecs), ("attach", readAttach), ("feed", readFeed), ("bodies", readBodies),
  ("rules", readRules), ("keys", readKeys), ("mqtt", readMQTT), ("dc09", readDC09),
  ("hex", readHex),
]

private let chosen: Reader = {
  let names = documents.map(\.name)
  let folders = (try? FileManager.default.contentsOfDirectory(atPath: "Fuzz/seeds")) ?? []
  precondition(folders.sorted() == names.sorted(), "Fuzz/seeds has a folder for each document")
  let name = ProcessInfo.processInfo.environment["FOB_FUZZ"]
  guard let document = documents.first(where: { $0.name == name }) else {
    fatalError("FOB_FUZZ is one of \(names.joined(separator: ", "))")
  }
  return document.read
}()

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Lines of a control socket, cut differently, then read as the keychain's and the bridge's.
@Sendable private func readControl(_ bytes: [UInt8]) {
  var whole = LineSplitter(limit: 256)
  whole.append(bytes)
  var pieces = LineSplitter(limit: 256)
  var items: [LineSplitter.Item] = []
  for byte in bytes {
    pieces.append([byte])
    while let item = pieces.next() { items.append(item) }
  }
  var same = 0
  while let item = whole.next() {
    precondition(same < items.count && items[same] == item, "how a line was cut changed it")
    same += 1
    guard case .line(let line) = item, JSONLine.isObject(line) else { continue }
    _ = try? JSONLine.decode(AddressedRequest.self, from: line)
    _ = try? JSONLine.decode(ControlVerdict.self, from: line)
  }
  precondition(same == items.count)
}

@Sendable private func readVCards(_ bytes: [UInt8]) {
  let account = Account(name: "Owner", country: "DE", contacts: [])
  let found = ContactImport(VCards.people(in: text(bytes)), account)
  precondition(found.people.count + found.wrong.count <= 1_024)
  for person in found.people {
    precondition(!person.name.isEmpty && person.name.utf8.count <= 100)
    precondition(person.draft(choosing: nil)?.numbers.filter(\.chosen).count == 1)
  }
}

/// Options of the command line are ArgumentParser's to read, which takes a millisecond.
@Sendable private func readScenario(_ bytes: [UInt8]) {
  let read = try? ScenarioReader.read(text(bytes), path: "a.yaml", parsing: { _ in })
  guard let scenario = read else { return }
  precondition(!scenario.steps.isEmpty)
}

@Sendable private func readSinks(_ bytes: [UInt8]) {
  _ = try? YAMLDecoder().decode(SinkConfiguration.self, from: text(bytes))
}

@Sendable private func readState(_ bytes: [UInt8]) {
  guard let document = try? StateDocument(Data(bytes)) else { return }
  precondition(document.rows.count == StateTable.all.count)
}

@Sendable private func readBench(_ bytes: [UInt8]) {
  guard let result = try? BenchFile.decode(bytes, name: "a.json") else { return }
  // It takes a thousand times as long as to read.
  if bytes.reduce(0, { $0 &* 31 &+ $1 }) == 0 { _ = BenchSummary(result) }
}

@Sendable private func readQMP(_ bytes: [UInt8]) {
  _ = try? JSONDecoder().decode(QMPMessage.self, from: Data(bytes))
  _ = try? JSONDecoder().decode(QMPMessage.Answer<QMPNothing>.self, from: Data(bytes))
}

/// What stands on a command line: a line's place, an actuator, a place on earth.
@Sendable private func readSpecs(_ bytes: [UInt8]) {
  let text = text(bytes)
  if let spec = try? DeviceSpec(text) {
    precondition(
      (try? DeviceSpec(spec.description)) == spec, "\(spec) is not read as it is written")
  }
  if let spec = try? ActuatorSpec(text) {
    precondition((try? ActuatorSpec(spec.description)) == spec)
  }
  // A file is opened, and a pipe waited for, only when a keychain begins.
  _ = try? GPSSource(text)
}

@Sendable private func readAttach(_ bytes: [UInt8]) {
  let ports = VHCIPort.read(text(bytes))
  if let free = VHCIPort.free(for: 3, in: ports) { precondition(free.isFree) }
}

@Sendable private func readFeed(_ bytes: [UInt8]) {
  guard let batch = try? JSONDecoder().decode(FeedBatch.self, from: Data(bytes)) else { return }
  guard let checked = try? batch.checked() else { return }
  precondition(checked.inputs.count == batch.inputs.count)
}

/// A request's body, held against the shape of every operation.
@Sendable private func readBodies(_ bytes: [UInt8]) {
  guard let value = try? JSONValue(Data(bytes)) else { return }
  for shape in shapes { try? shape.check(value) }
}

/// When check-ins fall due: what is taken has its moments in order, each with its own name.
@Sendable private func readRules(_ bytes: [UInt8]) {
  guard let rule = try? JSONDecoder().decode(Recurrence.self, from: Data(bytes)) else { return }
  var wall = Int64.min
  for moment in rule.occurrences(after: wall, count: 3, in: .utc) {
    precondition(moment.due > wall && rule.occurrence(moment.key, in: .utc) == moment)
    wall = moment.due
  }
}

/// The file of a core's keys, and that in which they move. No passphrase is tried: it takes long.
@Sendable private func readKeys(_ bytes: [UInt8]) {
  let text = text(bytes)
  if let table = KeyTable(text) {
    precondition(KeyTable(table.text)?.text == table.text, "keys are not read as they are written")
  }
  if let seal = KeyTransfer.seal(in: text) {
    precondition(seal.salt.count == 16 && seal.nonce.count == 12)
  }
}

private let shapes: [JSONSchema] = OperationTable.standard.operations.compactMap { operation in
  switch operation.form {
  case .json(let schema, _), .text(_, let schema): schema
  case .nothing, .button: nil
  }
}

/// A command that came by a broker.
@Sendable private func readMQTT(_ bytes: [UInt8]) {
  guard let command = MQTTCommand(bytes) else { return }
  precondition(MQTTCommand.Word.allCases.contains(command.command))
  precondition(command.incident.utf8.count <= bytes.count)
}

/// What a receiver sends, whole and cut: each answer is the same, whatever the key.
@Sendable private func readDC09(_ bytes: [UInt8]) {
  let cipher = ZeroIVCipher(key: Array("0123456789ABCDEF".utf8))
  var (whole, pieces) = (DC09FrameReader(), DC09FrameReader())
  let answers = whole.read(bytes).compactMap { try? DC09Answer.read($0, by: cipher).get() }
  let same = bytes.flatMap { pieces.read([$0]) }
    .compactMap { try? DC09Answer.read($0, by: cipher).get() }
  precondition(answers == same, "how an answer was cut changed it")
  let place = try? DC09Place(account: "12AB")
  for answer in answers {
    precondition((0...9_999).contains(answer.sequence))
    if let wall = answer.wall { precondition(DC09Time.wall(DC09Time.text(wall).utf8) == wall) }
    guard let place else { continue }
    let start = Instant(microseconds: 0)
    var exchange = DC09Exchange(
      DC09Message(place: place, content: .linkTest, sequence: 7), isEncrypted: true, at: start)
    _ = exchange.begin(at: start, wall: 0)
    let effect = exchange.hear(.success(answer), at: start, wall: answer.wall ?? 0)
    precondition(effect != .delivered || answer.isEncrypted && answer.sequence == 7)
  }
}

/// An image of firmware, as it is, and with each line made a record of the right length and
/// checksum, since a fuzzer seldom hits those.
@Sendable private func readHex(_ bytes: [UInt8]) {
  checkHex(bytes)
  let records = bytes.split(separator: UInt8(ascii: "\n")).map { line in
    var record = Array(line.prefix(258))
    record += [UInt8](repeating: 0, count: max(0, 3 - record.count))
    record.insert(UInt8(record.count - 3), at: 0)
    record.append(0 &- record.reduce(0, &+))
    return ":\(Hex.text(record))\n"
  }
  checkHex(Array((records.joined() + ":00000001FF").utf8))
}

private func checkHex(_ bytes: [UInt8]) {
  guard let hex = try? IntelHex(bytes) else { return }
  precondition(hex.bytes.count <= bytes.count / 2)
  let count = hex.records.reduce(0) { $0 + Int($1.last - $1.start) + 1 }
  precondition(count >= hex.bytes.count, "each byte stands in a line")
  _ = hex.text(at: MicrobitMemory.endOfVectors)
  for version in Microbit.Version.allCases {
    let memory = MicrobitMemory(version)
    guard (try? memory.check(hex)) != nil else { continue }
    precondition(hex.word(at: 4).map { $0 % 2 == 1 && hex.bytes[$0 - 1] != nil } ?? false)
    precondition(hex.bytes.keys.allSatisfy { memory.program.contains($0) })
  }
}
