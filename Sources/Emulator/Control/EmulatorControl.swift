import Control
import FobBase
import Synchronization

/// Answers the control socket's requests for one keychain or many: one JSON object in, one out.
struct EmulatorControl: Sendable {
  private struct Target: Sendable {
    let serial: UInt32
    let device: String
    let commandQueue: CommandQueue
  }

  private let targets: [Target]

  /// - Parameter keychains: at least one, the serial numbers differ.
  init(_ keychains: [EmulatedKeychain]) {
    precondition(!keychains.isEmpty, "somebody has to answer")
    targets = keychains.map {
      Target(
        serial: $0.configuration.serial, device: $0.configuration.deviceID.text,
        commandQueue: $0.commandQueue)
    }
  }

  func handle(_ request: ControlRequest, _ reply: ControlReply) {
    do throws(CommandRefusal) {
      let asked = try AddressedRequest.read(request).get()
      let isOne = asked.address != .all
      let targets = try targets(of: asked.address)
      switch asked.request {
      case .subscribe(let light): stream(targets, isOne, light: light, reply)
      case .tap: targets[0].commandQueue.tap.answer(reply, only: isOne ? targets[0].device : nil)
      case .command(let command) where isOne:
        targets[0].commandQueue.post(command) { reply.send(AnswerJSON(result: $0)) }
      case .command(let command):
        let call = FanOutReply(targets.count, reply)
        for (index, target) in targets.enumerated() {
          target.commandQueue.post(command) {
            call.put(AnswerJSON(serial: target.serial, result: $0), at: index)
          }
        }
      }
    } catch {
      reply.fail(error.description)
    }
  }

  private func targets(
    of address: AddressedRequest.Address
  ) throws(CommandRefusal) -> [Target] {
    switch address {
    case .all: return targets
    case .unsaid:
      guard targets.count == 1 else {
        throw CommandRefusal(
          "\(targets.count) keychains are here, \(serials): say which with \"serial\", or"
            + " \"all\":true")
      }
      return targets
    case .serial(let serial):
      guard let target = targets.first(where: { $0.serial == serial }) else {
        throw CommandRefusal("no keychain here has the serial \(serial), only \(serials)")
      }
      return [target]
    }
  }

  private var serials: String {
    let first = targets[0].serial
    return targets.count == 1
      ? "\(first)" : "serials \(first) to \(targets[targets.count - 1].serial)"
  }

  private func stream(
    _ targets: [Target], _ isOne: Bool, light: Bool, _ reply: ControlReply
  ) {
    let subscriptionSet = SubscriptionSet()
    let stream = reply.stream { subscriptionSet.end() }
    let isBegun = subscriptionSet.begin {
      var subscriptions: [EventSubscription] = []
      for target in targets {
        let serial = isOne ? nil : target.serial
        let subscription = EventSubscription(target.commandQueue.feed, light: light) { event in
          subscriptionSet.passing { stream.send(LabelledEvent(serial: serial, event: event)) }
        }
        guard let subscription else { return nil }
        subscriptions.append(subscription)
      }
      stream.send(AnswerJSON(result: .success(.done)))
      return subscriptions
    }
    guard !isBegun else { return }
    stream.send(
      AnswerJSON(result: .failure(CommandRefusal("too many subscribers: let one go first"))))
    stream.end()
  }
}

/// A client's subscriptions, one for each keychain. The client gets the answer first, and then
/// every event from that moment on.
final class SubscriptionSet: Sendable {
  private let subscriptions = Mutex<[EventSubscription]>([])

  /// False if a keychain has too many subscribers.
  func begin(_ subscribe: () -> [EventSubscription]?) -> Bool {
    subscriptions.withLock { subscriptions in
      guard let begun = subscribe() else { return false }
      subscriptions = begun
      return true
    }
  }

  func passing(_ send: () -> Void) {
    subscriptions.withLock { _ in send() }
  }

  func end() {
    // Released outside the lock: a subscription holds the stream, which ends with it.
    let ended = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    _ = consume ended
  }
}

/// One request to many keychains: answered once, when the last of them has answered.
final class FanOutReply: Sendable {
  private struct State {
    var lines: [AnswerJSON?]
    var missing: Int
  }

  private struct Answers: Encodable {
    let ok: Bool
    let keychains: [AnswerJSON]
    var error: String?
  }

  private let state: Mutex<State>
  private let reply: ControlReply

  init(_ count: Int, _ reply: ControlReply) {
    state = Mutex(State(lines: Array(repeating: nil, count: count), missing: count))
    self.reply = reply
  }

  func put(_ line: AnswerJSON, at index: Int) {
    let lines: [AnswerJSON]? = state.withLock { state in
      state.lines[index] = line
      state.missing -= 1
      return state.missing == 0 ? state.lines.compactMap(\.self) : nil
    }
    guard let lines else { return }
    let refused = lines.count { !$0.isGood }
    reply.send(
      Answers(
        ok: refused == 0, keychains: lines,
        error: refused == 0 ? nil : "\(refused) of \(lines.count) keychains refused"))
  }
}
