import AlertCore
import Control

/// The check-ins at the control socket.
extension AccountRequests {
  func sendCheckIns(_ asked: Request, _ reply: ControlReply) {
    guard ["all", "overview", nil].contains(asked.view) else {
      reply.fail("\"view\" is all or overview")
      return
    }
    var query = CheckInQuery()
    query.isOverview = asked.view != "all"
    let first = Int(clamping: max(0, asked.after ?? 0))
    let rows = bridge.checkIns.list(query, at: bridge.wall).dropFirst(first)
      .prefix(ControlLimits.pageRows + 1).map { CheckInView($0) }
    let end = first + ControlLimits.pageRows
    reply.send(
      Rows(
        rows: Array(rows.prefix(ControlLimits.pageRows)),
        more: rows.count > ControlLimits.pageRows ? Int64(end) : nil))
  }

  /// Answers the one that is named, else the one that fell due first.
  func complete(_ asked: Request, _ reply: ControlReply) {
    let checkIn: CheckIn.ID
    switch (asked.series, asked.key) {
    case (let series?, let text?):
      guard let key = OccurrenceKey(text: text) else {
        reply.fail("\"key\" names one of the series, as in 20261125T0900")
        return
      }
      checkIn = CheckIn.ID(series: series, key: key)
    case (nil, nil):
      guard let oldest = bridge.status.checkIns.next else {
        reply.fail("no check-in can be answered now")
        return
      }
      checkIn = CheckIn.ID(series: oldest.series, key: oldest.key)
    default:
      reply.fail("complete needs both \"series\" and \"key\", or neither")
      return
    }
    let command = CheckInCommand.complete(checkIn, comment: asked.comment ?? "")
    bridge.perform(.checkIn(command, isProven: false), by: Self.who) {
      Self.send($0, of: checkIn, reply)
    }
  }

  private struct CompleteAnswer: Encodable {
    let ok: Bool
    let series: Int
    let key: OccurrenceKey
    let state: EmergencyState
    let durable: Bool
    var error: String?
  }

  private static func send(_ answer: Answer, of checkIn: CheckIn.ID, _ reply: ControlReply) {
    reply.send(
      CompleteAnswer(
        ok: answer.refusal == nil, series: checkIn.series, key: checkIn.key, state: answer.state,
        durable: answer.isDurable, error: answer.refusal?.description))
  }
}
