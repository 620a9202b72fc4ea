import AlertCore
import Control
import FobBase
import Storage

/// The reviews at the control socket, for whoever has the PIN.
extension AccountRequests {
  private struct Reviewed: Encodable {
    let ok: Bool
    let review: ReviewView?
    let durable: Bool
    let error: String?
  }

  /// Those that were begun in a week, or all; the latest first.
  func sendReviews(_ asked: Request, _ reply: ControlReply) {
    let week = asked.week.flatMap { ISOWeek(text: $0) }
    guard (week == nil) == (asked.week == nil) else {
      reply.fail("\"week\" is one of the calendar, as in 2026-W48")
      return
    }
    bridge.prove(pin: asked.pin, by: Self.who) { [bridge] answer in
      if let refusal = answer.refusal {
        reply.fail("\(refusal)")
        return
      }
      let zone = bridge.checkIns.zone ?? .utc
      let rows = bridge.reviews.reviews.values.map { ReviewSummary($0, in: zone) }
        .filter { week == nil || ISOWeek($0.day) == week }.sorted { $0.id > $1.id }
      reply.send(Rows(rows: rows, more: nil))
    }
  }

  /// Shows a review, after `act` was done with it.
  func review(_ asked: Request, _ reply: ControlReply) {
    let command: ReviewCommand
    switch (asked.act, asked.id) {
    case (nil, let id?): return showReview(id, asked, reply)
    case ("begin", nil):
      let incident = asked.incident.flatMap { IncidentID($0) }
      let stored = incident.flatMap { try? store.incident($0) }
      guard asked.incident == nil || stored != nil else {
        reply.fail("\"incident\" is the id of one of the alarms")
        return
      }
      command = .begin(incident)
    case ("save", let id?):
      guard let step = asked.step, let text = asked.text else {
        reply.fail("save needs \"step\", 1 to 4, and \"text\"")
        return
      }
      command = .save(id, step: step, text: text, version: asked.seen ?? 0)
    case ("complete", let id?): command = .complete(id)
    case ("delete", let id?): command = .delete(id)
    default:
      reply.fail("write \"id\", with \"act\" save, complete or delete; or \"act\" begin alone")
      return
    }
    bridge.review(command, pin: asked.pin, by: Self.who) { [bridge] answer in
      let isDone = answer.refusal == nil
      let review = (asked.id ?? answer.made).flatMap { bridge.reviews.reviews[$0] }
      let view = review.map { ReviewView($0, in: bridge.checkIns.zone ?? .utc) }
      reply.send(
        Reviewed(
          ok: isDone, review: isDone ? view : nil, durable: answer.isDurable,
          error: answer.refusal?.description))
    }
  }

  private func showReview(_ id: Int, _ asked: Request, _ reply: ControlReply) {
    bridge.prove(pin: asked.pin, by: Self.who) { [bridge] answer in
      let review = bridge.reviews.reviews[id]
      let refusal = answer.refusal ?? (review == nil ? .unknownReview : nil)
      let view = review.map { ReviewView($0, in: bridge.checkIns.zone ?? .utc) }
      reply.send(
        Reviewed(
          ok: refusal == nil, review: refusal == nil ? view : nil, durable: answer.isDurable,
          error: refusal?.description))
    }
  }
}
