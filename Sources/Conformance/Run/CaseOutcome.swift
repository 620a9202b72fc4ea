package import Capture
package import FobBase

/// What became of one case.
package struct CaseOutcome: Sendable {
  package enum Verdict: Hashable, Sendable {
    case passed
    /// What the device did, or did not.
    case failed(String)
    /// Why it cannot be found out on this rig.
    case notTested(String)
    /// An earlier case has ended the run, or it was stopped.
    case notRun(String)
  }

  package let tested: ConformanceCase
  package let verdict: Verdict
  package let steps: [String]
  /// On the rig's clock.
  package let took: Interval
  /// Both directions of the line.
  package let packets: [CapturedPacket]
  /// It failed because nothing at all was heard.
  package var isSilent = false

  package var isFailed: Bool { if case .failed = verdict { true } else { false } }
  package var isPassed: Bool { verdict == .passed }

  /// Of a case that did not pass.
  package var reason: String? {
    switch verdict {
    case .passed: nil
    case .failed(let reason), .notTested(let reason), .notRun(let reason): reason
    }
  }

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

  /// Of its capture.
  package var fileName: String {
    tested.id.replacing("/", with: "-") + ".pcapng"
  }
}
