/// The bench of this process, as the API asks it: emulated keychains, the lines, what is measured
/// and judged. What is answered is JSON in the shapes of the document.
///
/// What is not said to be called back is called on a thread of the console's own, and may take
/// long.
public protocol Workbench: Sendable {
  /// What happens. From the first call of this or of `snapshot` on the bench hears and keeps it;
  /// never waits.
  func watch() -> BenchFeed

  /// Keychains, light patterns and lines as they are now.
  func snapshot() -> [UInt8]

  /// How long presses have taken, stage by stage, since this process began.
  func latency() -> [UInt8]

  /// What went over the lines since the bench is heard, the last of it, as a pcapng file.
  /// - Parameter device: a keychain's id, or a line's spec: what concerns it alone; nil: all.
  func capture(of device: String?) -> [UInt8]

  /// Asks an emulated keychain of this process what its control socket is asked.
  /// - Parameters:
  ///   - device: sixteen hexadecimal digits.
  ///   - request: one JSON object.
  ///   - answer: called once, on any thread, with the answer of the socket; it must not wait.
  func control(
    _ device: String, _ request: [UInt8],
    answer: @escaping @Sendable (Result<[UInt8], WorkbenchRefusal>) -> Void)

  // MARK: Conformance

  /// The run that goes on or the last one, and what there is to be run.
  func conformance() -> [UInt8]

  /// Begins a run of the production firmware in memory.
  /// - Parameters:
  ///   - chapters: by name; empty: all.
  ///   - isQuick: without the cases that take long on a real device.
  func judge(chapters: [String], isQuick: Bool) throws(WorkbenchRefusal)

  /// Ends the run that goes on, if one does, before its next case.
  func stopJudging()

  /// The report of the last run.
  func conformanceReport(_ form: WorkbenchReport) throws(WorkbenchRefusal) -> [UInt8]
}

/// How a report of conformance is written.
public enum WorkbenchReport: String, Sendable, CaseIterable { case json, junit }

/// Why the bench does not do what it is asked.
public enum WorkbenchRefusal: Error, Equatable, Sendable {
  /// There is no such thing here.
  case unknown(String)
  /// A part of what was asked for cannot be.
  case invalid(field: String, String)
  /// It contradicts what is.
  case refused(String)
}
