import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes of a bridge elsewhere, and of its core's end.
struct FeedMistakes {
  private let mistake: PlantedMistake
  /// Of each post, what its events are acked by.
  private var posts: [Int: [EventAck]] = [:]
  /// Of each line of each run of a bridge.
  private var sequences: [String: Int64] = [:]

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  mutating func posted(_ batch: CheckedFeed, as post: Int) {
    posts[post] = batch.inputs.compactMap(\.ack)
  }

  mutating func takes(_ batch: CheckedFeed) -> Bool {
    guard mistake == .leapDropped else { return true }
    let line = "\(batch.bridge) \(batch.line)"
    let last = sequences[line] ?? batch.sequence
    guard batch.sequence <= last + 1 else { return false }
    sequences[line] = max(last, batch.sequence)
    return true
  }

  mutating func answered(_ post: Int, _ acks: inout [EventAck]?) {
    let all = posts.removeValue(forKey: post) ?? []
    switch mistake {
    case .overdueAcked where acks != nil, .failedPostAcked where acks == nil: acks = all
    default: break
    }
  }

  func follows(_ change: inout RemoteCoreState.Change) {
    if mistake == .silentCoreShown, change == .withhold { change = .nothing }
  }
}
