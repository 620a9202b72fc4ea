import AlertCore
import FobBase
import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// One request that was let through and has its operation's shapes.
struct Call: Sendable {
  let api: API
  /// Of the caller's account.
  let core: any Core
  let request: Request
  let channel: any Channel
  /// The parameters in the path, by the operation's names.
  let parameters: [String: String]
  let query: [String: String]
  let caller: Caller?
  let body: Body
  /// The account that a visitor asks for, once it is known.
  var visited = AccountNumber.first

  struct Body: Sendable {
    var type = ""
    var bytes = Data()
    /// The empty object if the body had no JSON.
    var json = JSONValue.object([:])

    /// The bytes of a text file, without the byte order mark that some editors write.
    var file: Data { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes }
    var text: String { String(decoding: file, as: UTF8.self) }
  }

  var who: String { caller?.name ?? "" }

  /// By what wrong PINs are counted: the caller's credential, wherever the caller is.
  var source: PINSource {
    switch caller?.credential {
    case .session(let id): .session(id)
    case .token(let id): .token(id)
    case nil: .visitor
    }
  }

  /// Whose work the threads do for it.
  var owner: WorkOwner {
    guard let caller else { return .visitor(of: visited) }
    return .account(caller.account ?? .first)
  }

  /// The address of the other end, for clients of whom nothing else is known; never logged.
  var peer: PeerAddress { PeerAddress(channel.remoteAddress) }

  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: bytesOfJSON)
    } catch {
      throw Problem(.unprocessableContent, "wrongShape", "the body is not of this operation")
    }
  }

  private var bytesOfJSON: Data { body.bytes.isEmpty ? Data("{}".utf8) : body.bytes }

  /// The limit in the query, 50 if there is none.
  var limit: Int { query["limit"].flatMap { Int($0) } ?? ConsoleLimits.defaultRows }

  // MARK: Asking the core

  /// Hands a command to the core, and waits until its effect is durable.
  func perform(_ userCommand: UserCommand) async throws -> Response {
    try await answer { core.perform(userCommand, by: who, answer: $0) }
  }

  /// As `perform`, on the thread that hashes PINs.
  func change(_ change: AccountChange, pin: String?) async throws -> Answer {
    let (core, who, source) = (core, who, source)
    return try await whereTheyHash {
      core.change(change, pin: pin, by: who, source: source, answer: $0)
    }
  }

  /// As `change`, for what decides whether an alarm starts.
  func checkIn(_ command: CheckInCommand, pin: String?) async throws -> Answer {
    let (core, who, source) = (core, who, source)
    return try await whereTheyHash {
      core.checkIn(command, pin: pin, by: who, source: source, answer: $0)
    }
  }

  /// As `change`, of the five messages.
  func message(_ command: MessageCommand, pin: String?) async throws -> Answer {
    let (core, who, source) = (core, who, source)
    return try await whereTheyHash {
      core.message(command, pin: pin, by: who, source: source, answer: $0)
    }
  }

  /// Asks the core on the thread that hashes PINs.
  func whereTheyHash(
    _ ask: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
  ) async throws -> Answer {
    try await durableAnswer { put in
      let isTaken = api.pins.put(of: owner) { ask(put) }
      guard isTaken else { throw Problem.busy("PINs") }
    }
  }

  func answer(
    _ ask: (@escaping @Sendable (Answer) -> Void) throws -> Void
  ) async throws -> Response {
    Reply.json(Done(try await durableAnswer(ask)))
  }

  /// - Throws: `Problem` for a refusal, or if the effect is not durable.
  func durableAnswer(
    within patience: Interval = ConsoleLimits.durable,
    _ ask: (@escaping @Sendable (Answer) -> Void) throws -> Void
  ) async throws -> Answer {
    let waiting = Waiting<Answer>()
    try ask { waiting.put($0) }
    guard let answer = await waiting.get(within: patience) else {
      throw Problem.notDurable(core.status.state)
    }
    if let refusal = answer.refusal { throw problem(refusal) }
    guard answer.isDurable else { throw Problem.notDurable(answer.state) }
    return answer
  }

  func problem(_ refusal: UserCommand.Refusal) -> Problem {
    var problem = Problem(refusal)
    if refusal == .pinBlocked, let wait = core.pinWait(for: source) {
      problem.retryAfterSeconds = wait.roundedUpSeconds
    }
    return problem
  }

  /// Reads the disk on the thread for records.
  func reading<Value: Sendable>(
    _ read: @escaping @Sendable (any Core) throws -> Value
  ) async throws -> Value {
    let core = core
    return try await api.records.run(of: owner) { try read(core) }
  }
}

extension Interval {
  /// For Retry-After: seconds, at least 1.
  var roundedUpSeconds: Int { Int(max(1, (microseconds + 999_999) / 1_000_000)) }
}

/// The durable result of a user command.
struct Done: Encodable {
  let state: EmergencyState
  let durable = true
  /// What is still missing for it to be of use, for people.
  let warning: String?

  init(_ answer: Answer, warning: String? = nil) {
    state = answer.state
    self.warning = warning
  }
}
