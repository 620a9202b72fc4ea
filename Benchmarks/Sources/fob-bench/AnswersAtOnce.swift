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

extension AlertCore {
  /// Performs what it brought about, and what comes of the answers.
  mutating func settle(_ output: inout CoreOutput, at now: Timestamp) {
    var answers = AnswersAtOnce()
    while !output.isEmpty {
      output.perform(by: &answers)
      output.removeAll()
      if let batch = answers.batch { step(.committed(batch.number), at: now, into: &output) }
      for answer in answers.inputs { step(answer, at: now, into: &output) }
      answers = AnswersAtOnce()
    }
  }
}
