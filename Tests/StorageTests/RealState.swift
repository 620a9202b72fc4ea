import FobBase
import Storage
import TestSupport
import WireProtocol

@testable import AlertCore

/// State as a core makes it of random presses, user commands and answers.
enum RealState {
  /// - Returns: how many batches were committed.
  @discardableResult
  static func fill(_ folder: StateFolder, seed: UInt64, batches: Int = 60) throws -> Int {
    try fill([folder.store()], seed: seed, batches: batches)
  }

  /// The same into several stores.
  @discardableResult
  static func fill(_ stores: [AlertStore], seed: UInt64, batches: Int = 60) throws -> Int {
    var random = SeededGenerator(seed: seed)
    let account = Account(
      name: "Owner \"\u{1F511}\"\n", contacts: [.first], pinHash: "$6$", places: [])
    for store in stores { try store.setAccount(account) }
    var core = AlertCore(account: account, at: .second(1))
    var count = 0
    for n in 1...UInt32(batches) {
      let now = Timestamp.second(Int64(n) * 3)
      var inputs: [CoreInput] = [.wake]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: inputs = [.userCommand(RequestID(rawValue: UInt64(n)), .disarm)]
      case 1: inputs = [.userCommand(RequestID(rawValue: UInt64(n)), .resume)]
      case 2: inputs = [.event(LinkID(rawValue: 0), .merged(n), happenedAt: nil)]
      default: inputs = [.event(LinkID(rawValue: 0), .press(n), happenedAt: 1...5)]
      }
      while !inputs.isEmpty {
        var output = CoreOutput()
        core.step(inputs.removeFirst(), at: now, into: &output)
        if let batch = output.commit {
          count += 1
          var changes = batch.changes
          changes.devices[.bench(n % 3)] = DeviceRecord(batteryPercent: UInt8(n))
          changes.checkIns += CheckInChange.random(&random)
          for incident in changes.incidents.keys.sorted(by: { $0.wire < $1.wire }) {
            changes.track.append(TrackPoint(incident: incident, at: now, position: .sample))
          }
          for store in stores { try store.commit(changes) }
          inputs.append(.committed(batch.number))
        }
        for message in output.deliveries {
          let isTaken = Bool.random(using: &random)
          inputs.append(.answered(key: message.key, error: isTaken ? nil : "“refused”\t\u{0}"))
        }
      }
    }
    return count
  }
}
