import AlertCore

/// Puts deliberate mistakes into a world of two cores, for tests of the search.
protocol LeadMutationHook: AnyObject {
  /// The store has looked whose a batch is, or a later epoch: whether it passes.
  func fences(_ passes: inout Bool)
  /// A core has handed a batch to its thread; true: it takes it for durable at once.
  func isDurableAtOnce() -> Bool
  /// A core hears how its batch has ended.
  func heard(_ end: inout LeadServer.End)
  /// A core has asked what became of a batch without an answer: whether it is durable.
  func settled(_ written: inout WrittenBatch?)
  /// A notification channel is about to look whether the lead is proved.
  func carries(_ isProved: inout Bool)
}
