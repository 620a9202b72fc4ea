import AlertCore
import Control

/// The affirmations at the control socket.
extension AccountRequests {
  private struct List: Encodable {
    let ok = true
    let rows: [Affirmation]
    let current: Int?
    let schedule: AffirmationSchedule
  }

  private struct Shown: Encodable {
    let ok: Bool
    let affirmation: Affirmation?
    let durable: Bool
    var error: String?
  }

  func sendAffirmations(_ reply: ControlReply) {
    let all = bridge.affirmations
    reply.send(
      List(rows: all.lines, current: all.settings.current, schedule: all.settings.schedule))
  }

  /// Says which line is shown; with `act` it shows another one first, or changes the lines.
  func affirmation(_ asked: Request, _ reply: ControlReply) {
    let command: AffirmationCommand
    switch (asked.act, asked.id, asked.text) {
    case (nil, nil, nil):
      reply.send(Shown(ok: true, affirmation: bridge.affirmations.current, durable: true))
      return
    case ("next", nil, nil): command = .next
    case ("previous", nil, nil): command = .previous
    case ("select", let id?, nil): command = .select(id)
    case ("delete", let id?, nil): command = .remove(id)
    case ("add", nil, let text?): command = .add(text)
    default:
      reply.fail("\"act\" is next, previous, select or delete with \"id\", or add with \"text\"")
      return
    }
    bridge.perform(.affirmation(command), by: Self.who) { [bridge] answer in
      reply.send(
        Shown(
          ok: answer.refusal == nil, affirmation: bridge.affirmations.current,
          durable: answer.isDurable, error: answer.refusal?.description))
    }
  }
}
