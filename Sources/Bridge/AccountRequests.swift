import AlertCore
import Control
import FobBase
import Storage

/// Requests at the control socket that are about one account.
struct AccountRequests {
  typealias Request = BridgeControl.Request

  /// What log and history name for what is asked here.
  static let who = "control-socket"

  let bridge: AlertBridge
  var store: AlertStore { bridge.store }

  private struct CommandAnswer: Encodable {
    let ok: Bool
    let state: EmergencyState
    let durable: Bool
    var error: String?
  }

  struct Rows<Row: Encodable>: Encodable {
    let ok = true
    let rows: [Row]
    let more: Int64?
  }

  private struct StatusAnswer: Encodable {
    let ok = true
    let status: CoreStatus
    let more: Int64?
  }

  func answer(_ asked: Request, _ reply: ControlReply) {
    switch asked.do {
    case "status": sendStatus(after: asked.after ?? 0, reply)
    case "presses":
      rows(reply) { try store.presses(after: asked.after ?? 0, limit: ControlLimits.pageRows) }
    case "incidents": rows(reply) { try incidents(after: max(0, asked.after ?? 0)) }
    case "disarm":
      guard let pin = asked.pin else {
        reply.fail("disarm needs \"pin\", four digits")
        return
      }
      bridge.disarm(pin: pin, by: Self.who) { Self.send($0, reply) }
    case "cancel": perform(.cancel, reply)
    case "silence": perform(.silence, reply)
    case "quit": perform(.quit, reply)
    case "resume": perform(.resume, reply)
    case "acknowledge":
      guard let contact = asked.contact else {
        reply.fail("acknowledge needs \"contact\", the id of the contact who has it in hand")
        return
      }
      perform(.acknowledge(contact), reply)
    case "end": perform(.endUnowned, reply)
    case "checkins": sendCheckIns(asked, reply)
    case "complete": complete(asked, reply)
    case "messages": sendMessages(reply)
    case "message": sendMessage(asked, reply)
    case "slot": changeSlot(asked, reply)
    case "exercises": exercises(asked, reply)
    case "affirmations": sendAffirmations(reply)
    case "affirmation": affirmation(asked, reply)
    case "reviews": sendReviews(asked, reply)
    case "review": review(asked, reply)
    case "pair", "unpair": pair(asked, reply)
    default:
      reply.fail(
        "'\(asked.do)' is not known; one of \(BridgeControl.requests.joined(separator: ", "))")
    }
  }

  private func perform(_ userCommand: UserCommand, _ reply: ControlReply) {
    bridge.perform(userCommand, by: Self.who) { Self.send($0, reply) }
  }

  private static func send(_ answer: Answer, _ reply: ControlReply) {
    reply.send(
      CommandAnswer(
        ok: answer.refusal == nil, state: answer.state, durable: answer.isDurable,
        error: answer.refusal?.description))
  }

  private func sendStatus(after: Int64, _ reply: ControlReply) {
    let status = bridge.status
    let first = Int(clamping: max(0, after))
    let (end, isOver) = first.addingReportingOverflow(Limits.statusDevices)
    let isLast = isOver || end >= max(status.devices.count, status.links.count)
    reply.send(
      StatusAnswer(
        status: status.part(from: first, count: Limits.statusDevices),
        more: isLast ? nil : Int64(end)))
  }

  /// As many incidents as fit into an answer: an incident is as long as its presses make it.
  private func incidents(after: Int64) throws -> StoredPage<Incident> {
    var rows: [Incident] = []
    var bytes = 0
    var next: Int64? = after
    while let from = next, bytes < ControlLimits.pageBytes {
      let page = try store.incidents(after: from, limit: ControlLimits.pageLongRows)
      for incident in page.rows { bytes += try JSONLine.encode(incident).count }
      rows += page.rows
      next = page.next
    }
    return StoredPage(rows: rows, next: next)
  }

  private func rows<Row: Encodable & Sendable>(
    _ reply: ControlReply, _ read: () throws -> StoredPage<Row>
  ) {
    do {
      let page = try read()
      reply.send(Rows(rows: page.rows, more: page.next))
    } catch {
      reply.fail("\(error)")
    }
  }
}
