import Sinks

/// A notification channel that ends here: what is measured is the way to a decision, and nobody is
/// told.
struct SilentSink: Sink {
  let name = "silent"
  let isTest = true

  func deliver(_ message: OutgoingMessage) {}
}
