import AlertCore
import Capture
import FobBase
import SerialIO
import WireProtocol

extension LinkEvent {
  /// The event for the bridge's watchers; nil if its device is unknown, or if a trace entry
  /// completes no press.
  func told(
    of spec: DeviceSpec, _ device: DeviceID?, _ stages: StageRecorder
  ) -> (BridgeEvent, LineThrottle.Matter)? {
    switch self {
    case .light(let light): return device.map { (.led(device: $0.text, light), .light) }
    case .position(let fix): return device.map { (.located(device: $0.text, fix), .position) }
    case .traced(let entry, let device, let fit):
      return stages.traced(entry, of: device, fit: fit).map { (.stages($0), .stages) }
    case .versionTrouble(let text): return (.notice(.error, "\(spec): \(text)"), .version)
    case .rejected(let reject):
      let text = "\(spec) did not understand \(MessageNames.name(of: reject.rejectedType))"
      return (.notice(.warning, text), .rejected)
    case .noise(let noise): return (.notice(.warning, "\(spec): \(noise.words)"), .noise)
    // Told to whoever asked for it.
    case .pairing, .offer: return nil
    case .unproved:
      let text =
        "\(spec) does not prove that it is the keychain that is paired: its presses count, and"
        + " nothing else of it"
      return (.notice(.error, text), .unproved)
    case .contest(let contest):
      return (.notice(.warning, "\(spec): \(contest.words)"), .contest)
    case .unanswered:
      let text = "\(spec) is open, but nothing answers HELLO: is it a keychain, and is it on?"
      return (.notice(.warning, text), .unanswered)
    }
  }
}

extension NoiseSummary {
  fileprivate var words: String {
    var parts: [String] = []
    if damagedFrames > 0 { parts.append("damaged frames: \(damagedFrames)") }
    if echoedFrames > 0 { parts.append("frames of our own: \(echoedFrames)") }
    return "line noise, \(bytes) bytes passed over; \(parts.joined(separator: ", "))"
  }
}

extension ConflictSummary {
  fileprivate var words: String {
    let times = contradictions == 1 ? "once" : "\(contradictions) times"
    let what =
      isForeign
      ? "its answers name another host's session, \(times): does another program use the line?"
      : "its answers contradict each other, \(times): boot, clock or HELLO are not of one run."
    return what + " New sessions are paced; presses count all the same"
  }
}
