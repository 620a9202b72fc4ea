import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes about check-ins.
struct CheckInMistakes {
  private let mistake: PlantedMistake

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  func recovers(_ stored: inout StoredState) {
    switch mistake {
    case .openCheckInsForgotten: stored.checkIns.checkIns.removeAll { $0.state == .open }
    case .answerForgotten: reopen(.completed, &stored)
    case .escalationForgotten where stored.current?.state.isOpen != true:
      reopen(.escalated, &stored)
    default: break
    }
  }

  private func reopen(_ state: CheckIn.State, _ stored: inout StoredState) {
    for index in stored.checkIns.checkIns.indices
    where stored.checkIns.checkIns[index].state == state {
      stored.checkIns.checkIns[index].state = .open
      stored.checkIns.checkIns[index].round += 1
      // One that was answered has time again, as one that somebody restores.
      if state == .completed {
        stored.checkIns.checkIns[index].runsOut += 3_600_000_000
      }
    }
  }

  func hears(_ input: inout CoreInput, _ host: SimulatedHost) {
    switch (mistake, input) {
    case (.zoneIgnored, .zoneTable): input = .zoneTable(.utc)
    case (.checkInHurried, _):
      guard let run = host.run else { return }
      for index in run.core.checkIns.asked.indices {
        run.core.checkIns.asked[index].checkIn.runsOut = run.core.checkIns.asked[index].checkIn.due
      }
    default: break
    }
  }

  func decided(_ output: inout CoreOutput, _ host: SimulatedHost) {
    guard mistake == .dueHidesAlarm, host.run?.core.checkIns.open.isEmpty == false else { return }
    for index in output.indications.indices where output.indications[index].indication.isOpen {
      output.indications[index].indication = Indication(state: .due, detail: 1)
    }
  }
}

extension Indication {
  fileprivate var isOpen: Bool {
    switch state {
    case .countdown, .sending, .accepted, .acknowledged, .failed: true
    default: false
    }
  }
}
