package import Capture
package import FobBase

/// The outcome of one case, with what was done and heard.
package struct CaseOutcome: Sendable {
  /// The result of a case. The texts are for people.
  package enum Verdict: Hashable, Sendable {
    case passed
    /// Says what the device did, or failed to do.
    case failed(String)
    /// Says why this rig cannot test the case.
    case notTested(String)
    /// An earlier case has ended the run, or it was stopped.
    case notRun(String)
  }

  /// The case that this is the outcome of.
  package let tested: ConformanceCase
  /// A failed case may be the rig's fault: its text says so.
  package let verdict: Verdict
  /// The actions and findings of the case, one line each; empty where the case was not run.
  package let steps: [String]
  /// How long it ran, on the rig's clock.
  package let took: Interval
  /// Both directions of the line, for ``capture(application:)``.
  package let packets: [CapturedPacket]
  /// True if it failed because nothing at all was heard: the run ends with it.
  package var isSilent = false

  /// True for what the device or the rig did wrong.
  package var isFailed: Bool { if case .failed = verdict { true } else { false } }
  /// True only where every step was done and right.
  package var isPassed: Bool { verdict == .passed }

  /// Why the case did not pass; nil where it did.
  package var reason: String? {
    switch verdict {
    case .passed: nil
    case .failed(let reason), .notTested(let reason), .notRun(let reason): reason
    }
  }

  /// The verdict in a word or two, for a list.
  package var word: String {
    switch verdict {
    case .passed: "passed"
    case .failed: "FAILED"
    case .notTested: "not tested"
    case .notRun: "not run"
    }
  }
}

extension CaseOutcome {
  /// Both directions of the line as a pcapng file.
  package func capture(application: String) -> [UInt8] {
    var writer = PcapngWriter()
    var bytes = writer.begin(application: application)
    for packet in packets { bytes += writer.append(packet) ?? [] }
    return bytes
  }

  /// The name of its capture: the case's id, with `-` for `/`.
  package var fileName: String {
    tested.id.replacing("/", with: "-") + ".pcapng"
  }
}
