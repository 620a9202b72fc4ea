import Control
import FobBase

/// The control socket's side of the emulator: one JSON object asks, one answers.
struct EmulatorControl: Sendable {
  let mailbox: Mailbox

  func handle(_ request: ControlRequest, _ reply: ControlReply) {
    switch EmulatorRequest.read(request) {
    case .failure(let refusal): reply.fail(refusal.description)
    case .success(.subscribe(let light)): stream(light: light, reply)
    case .success(.tap): mailbox.tap.answer(reply)
    case .success(.command(let command)):
      mailbox.post(command) { result in
        switch result {
        case .success(let answer): Self.send(answer, reply)
        case .failure(let refusal): reply.fail(refusal.description)
        }
      }
    }
  }

  private static func send(_ answer: EmulatorAnswer, _ reply: ControlReply) {
    switch answer {
    case .done, .lightTrace: reply.send(Done())
    case .event(let number):
      reply.send(Committed(event: number.text, number: number.rawValue))
    case .state(let state): reply.send(Shown(state: state))
    }
  }

  private func stream(light: Bool, _ reply: ControlReply) {
    let hearing = Hearing()
    let stream = reply.stream { hearing.end() }
    let isBegun = hearing.begin {
      let subscription = EventSubscription(mailbox.feed, light: light) { event in
        hearing.passing { stream.send(event) }
      }
      if subscription != nil { stream.send(Done()) }
      return subscription
    }
    guard !isBegun else { return }
    stream.send(Failed(error: "too many subscribers: let one go first"))
    stream.end()
  }

  private struct Done: Encodable {
    let ok = true
  }

  private struct Failed: Encodable {
    let ok = false
    let error: String
  }

  private struct Committed: Encodable {
    let ok = true
    let event: String
    let number: UInt64
  }

  /// The state's own fields beside `ok`.
  private struct Shown: Encodable {
    let state: EmulatorState

    private enum Key: CodingKey { case ok }

    func encode(to encoder: any Encoder) throws {
      try state.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(true, forKey: .ok)
    }
  }
}
