import AlertCore
import WireProtocol

/// Performs what a core brings about as far as a benchmark answers it: the batch that is to be
/// committed, and for each message the word of a sink that takes it.
struct AnswersAtOnce: EffectPerformer {
  var batch: CommitBatch?
  var inputs: [CoreInput] = []

  mutating func commit(_ batch: CommitBatch) { self.batch = batch }

  mutating func deliver(_ notification: Notification) {
    inputs.append(.answered(key: notification.key, error: nil))
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) {}
  func indicate(_ indication: Indication, to links: [LinkID]?) {}
  func answer(_ request: RequestID, _ answer: Answer) {}
  func tell(_ event: AuditEvent) {}
}
