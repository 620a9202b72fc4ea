import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes about the five messages.
struct MessageMistakes {
  private let mistake: PlantedMistake

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  func recovers(_ stored: inout StoredState) {
    switch mistake {
    case .messagesForgotten: stored.messages.sends.removeAll { !$0.state.isOver }
    case .messageSentAnew:
      for index in stored.messages.sends.indices
      where stored.messages.sends[index].state == .taken {
        stored.messages.sends[index].state = .waiting
        stored.messages.sends[index].endedWall = nil
      }
    default: break
    }
  }

  func hears(_ host: SimulatedHost) {
    switch mistake {
    case .secondMessageSent: host.run?.core.messages.over = []
    case .emptySlotBelieved: host.run?.core.detector.ownSlots = PanicSlots(rawValue: 0b1_1111)
    default: break
    }
  }

  func decided(_ output: inout CoreOutput, _ host: SimulatedHost) {
    guard mistake == .messageOvertakesAlarm, let run = host.run, run.core.messages.isSending,
      !output.events.contains(where: { $0.transition != nil })
    else { return }
    for index in run.core.messages.running.indices
    where run.core.messages.running[index].send.state != .underWay {
      run.core.messages.running[index].due = run.core.messages.running[index].decidedAt
    }
    output.deliveries =
      run.core.messages.takeDue(
        at: run.core.messages.running[0].decidedAt, answerWithin: .seconds(60), &output,
        isBehind: { _ in false }) + output.deliveries
  }
}
