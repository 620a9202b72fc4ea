import FobBase

/// What waits for the thread of a `StatePublisher`.
struct StateInbox: Sendable {
  struct Press: Sendable {
    let topic: String
    let text: String
    let at: Instant
  }

  var presses: [Press] = []
  /// Nil is one that cannot be read.
  var commands: [MQTTCommand?] = []
  var outcomes: [MQTTCommand.Outcome] = []
  /// What was told must be told again.
  var isNew = false
  var isStopping = false
  /// What the broker has refused last, and who is told.
  var refusal: String?
  var onTrouble: (@Sendable (_ trouble: String?) -> Void)?
  /// How often something came that is more urgent than the rest of what is kept.
  private(set) var urgent: UInt64 = 0

  /// How many presses, commands or answers may wait.
  private static let limit = 64

  mutating func renew() {
    isNew = true
    urgent += 1
  }

  mutating func stop() {
    isStopping = true
    urgent += 1
  }

  mutating func add(_ press: Press) {
    if presses.count < Self.limit { presses.append(press) }
    urgent += 1
  }

  mutating func add(_ command: MQTTCommand?) {
    if commands.count < Self.limit { commands.append(command) }
    urgent += 1
  }

  mutating func add(_ outcome: MQTTCommand.Outcome) {
    if outcomes.count < Self.limit { outcomes.append(outcome) }
  }
}
