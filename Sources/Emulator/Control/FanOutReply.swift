import Control
import FobBase
import Synchronization

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
