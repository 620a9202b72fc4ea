public import WireProtocol

/// The bench of this process, as the API uses it: emulated keychains, lines, measurements and
/// conformance. Answers are JSON in the shapes of the OpenAPI document.
///
/// The methods are called on a thread of the console's own and may take long, except `watch`, and
/// `control`, which answers by a callback.
public protocol Workbench: Sendable {
  /// The bench's events, which are recorded from the first call of this or of `snapshot` on; never
  /// waits.
  func watch() -> BenchFeed

  /// Keychains, light patterns and lines as they are now.
  func snapshot() -> [UInt8]

  /// How long presses have taken, stage by stage, since this process began.
  func latency() -> [UInt8]

  /// The last bytes of the lines since the first `watch` or `snapshot`, as a pcapng file.
  /// - Parameter device: a keychain's id or a line's spec, to have that one alone; nil: all.
  func capture(of device: String?) -> [UInt8]

  /// Passes a request to an emulated keychain's control, as its control socket would.
  /// - Parameters:
  ///   - device: sixteen hexadecimal digits.
  ///   - request: one JSON object.
  ///   - answer: called once, on any thread, with the socket's answer; it must not wait.
  func control(
    _ device: String, _ request: [UInt8],
    answer: @escaping @Sendable (Result<[UInt8], WorkbenchRefusal>) -> Void)

  /// The label of an emulated keychain that has its key from the factory.
  /// - Parameter device: sixteen hexadecimal digits.
  func label(of device: String) throws(WorkbenchRefusal) -> LabelCode

  // MARK: Conformance

  /// The present or the last run, and the chapters that can be run.
  func conformance() -> [UInt8]

  /// Begins a run on the production firmware in memory.
  /// - Parameters:
  ///   - chapters: by name; empty: all.
  ///   - isQuick: leaves out cases that take long on a real device.
  func judge(chapters: [String], isQuick: Bool) throws(WorkbenchRefusal)

  /// Ends the present run, if there is one, before its next case.
  func stopJudging()

  /// The report of the last run; throws while there is none.
  func conformanceReport(_ form: WorkbenchReport) throws(WorkbenchRefusal) -> [UInt8]
}

/// The form of a conformance report.
public enum WorkbenchReport: String, Sendable, CaseIterable { case json, junit }

/// Why the bench refuses a request.
public enum WorkbenchRefusal: Error, Equatable, Sendable {
  /// Nothing of this name is here.
  case unknown(String)
  /// A field of the request has an impossible value.
  case invalid(field: String, String)
  /// The request contradicts the present state.
  case refused(String)
}
