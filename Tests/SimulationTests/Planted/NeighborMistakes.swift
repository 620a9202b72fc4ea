import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes about what the accounts of one process share.
struct NeighborMistakes {
  private let mistake: PlantedMistake
  private var hosts: [SimulatedHost] = []
  /// What each account had before the last transaction that it shared, where another's rows were
  /// first in it.
  private var before: [Int: StoredState] = [:]
  /// Requests that no person has made have numbers from here on.
  private static let unasked: UInt64 = 1 << 60

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  mutating func passes(_ input: CoreInput, to account: inout Int, of hosts: [SimulatedHost]) {
    self.hosts = hosts
    if mistake == .eventAtNeighbor, case .event = input { account = (account + 1) % hosts.count }
  }

  mutating func hears(_ input: CoreInput, _ host: SimulatedHost) {
    guard case .userCommand(let request, let command, let who) = input,
      request.rawValue < Self.unasked
    else { return }
    switch (mistake, command) {
    case (.endReachesNeighbor, .disarm), (.acknowledgedForNeighbor, .acknowledge):
      for neighbor in hosts where neighbor !== host {
        guard let run = neighbor.run else { continue }
        run.later.append(
          .userCommand(RequestID(rawValue: request.rawValue | Self.unasked), command, by: who))
      }
    default: break
    }
  }

  mutating func decided(_ output: inout CoreOutput, _ host: SimulatedHost) {
    switch mistake {
    case .endReachesNeighbor, .acknowledgedForNeighbor:
      output.answers.removeAll { $0.0.rawValue >= Self.unasked }
    case .lightReachesNeighbor:
      guard let lines = host.run?.process.lines, !hosts.isEmpty else { return }
      for index in output.indications.indices {
        output.indications[index].links = lines.indices.map { LinkID(rawValue: $0) }
      }
    case .sharedRowsLost:
      guard let works = host.run?.process.commits.works else { return }
      for work in works { before[work.host.index] = nil }
      for work in works.dropFirst() { before[work.host.index] = work.host.tables.state }
    default: break
    }
  }

  func recovers(_ stored: inout StoredState, _ host: SimulatedHost) {
    switch mistake {
    case .sharedRowsLost: stored = before[host.index] ?? stored
    case .neighborsRowsRead:
      guard host.index > 0, !hosts.isEmpty else { return }
      stored.current = hosts[host.index - 1].tables.state.current
    default: break
    }
  }
}
