import AlertCore
import Bridge
import Capture
import Control
import Emulator
import FobBase
import SerialIO
import Synchronization

/// What happens in a `fob run` that has a view: whoever tells it stores it here, within bounds, and
/// goes on. The view's thread takes copies of it.
final class RunJournal: Sendable {
  private struct State {
    var lines: [TimelineLine] = []
    /// Lines since the view was opened, those that are not kept any more included.
    var sinceOpening = 0
    var isOpen = false
    var incidents = 0
    /// The presses that have opened the last of them.
    var openers: [String] = []
    var press: PressStages?
    /// What each account has told of its last incident, by the contact's id.
    var told: [AccountNumber: [RunState.Telling]] = [:]
    var keychain: RunState.Keychain?
    var frames: [String] = []
    var typedDigits: Int?
    var showsKeys = false
  }

  private static let maxLines = 256
  private static let maxFrames = 64
  private static let maxTold = 64
  private static let maxOpeners = 64

  private let began: Instant
  private let state = Mutex(State())
  /// The tap's alone: while it describes frames, nobody else waits.
  private let splitters = Mutex(FrameSplitters(skipsBeginning: true))
  /// Signalled when there is something new.
  let news: EventSignal

  /// - Parameter began: what time 0 of the lines is.
  init(began: Instant) throws(IOFailure) {
    self.began = began
    news = try EventSignal()
  }

  /// Stores a line, always.
  /// - Returns: whether a view shows it, so that it must not be printed.
  func keep(_ line: TimelineLine) -> Bool {
    let isOpen = state.withLock { state in
      state.lines = state.lines.suffix(Self.maxLines - 1) + [line]
      if state.isOpen { state.sinceOpening += 1 }
      return state.isOpen
    }
    if isOpen { news.signal() }
    return isOpen
  }

  /// Words that would go to the terminal from elsewhere in this process.
  func keep(_ words: String, isError: Bool) {
    for line in words.split(separator: "\n") {
      _ = keep(
        TimelineLine(
          at: (BootClock.now() - began).microseconds / 1_000, who: isError ? "error" : "fob",
          what: String(line), tone: isError ? .bad : .plain))
    }
  }

  /// On the bridge's event thread.
  func note(_ event: BridgeEvent) {
    if case .stages(let stages) = event { state.withLock { $0.press = stages } }
    if let (auditEvent, account) = event.logged { note(auditEvent, of: account) }
    news.signal()
  }

  private func note(_ auditEvent: AuditEvent, of account: AccountNumber) {
    let detail = auditEvent.detail ?? ""
    let (what, tone): (String, Timeline.Tone)
    switch auditEvent.name {
    case .incidentOpened:
      return state.withLock { state in
        state.told[account] = []
        // An alarm that has gone to another account was opened there by the same press.
        if let event = auditEvent.event {
          let opener = "\(event) of \(auditEvent.device ?? "")"
          guard !state.openers.contains(opener) else { return }
          state.openers = state.openers.suffix(Self.maxOpeners - 1) + [opener]
        }
        state.incidents += 1
      }
    case .notified: (what, tone) = ("sent, \(detail)", .plain)
    case .delivered: (what, tone) = ("received, \(detail)", .good)
    case .deliveryFailed: (what, tone) = ("FAILED, \(detail)", .bad)
    case .withdrawn: (what, tone) = ("withdrawn", .plain)
    case .acknowledged: (what, tone) = ("has it in hand", .good)
    default: return
    }
    guard let contact = auditEvent.contact else { return }
    let telling = RunState.Telling(contact: contact, what: what, tone: tone)
    state.withLock { state in
      let told = state.told[account, default: []]
      if let known = told.firstIndex(where: { $0.contact == contact }) {
        state.told[account]?[known] = telling
      } else if told.count < Self.maxTold {
        state.told[account, default: []].append(telling)
      }
    }
  }

  /// On the keychain's thread.
  func note(_ keychain: RunState.Keychain) {
    let isNew = state.withLock { state in
      defer { state.keychain = keychain }
      return state.keychain != keychain
    }
    if isNew { news.signal() }
  }

  /// On the tap's thread.
  func note(_ chunks: [TapChunk], lost: Int) {
    let text = FrameText(hasColour: false, showsFields: false, showsRaw: false)
    var lines = splitters.withLock { splitters in
      chunks.flatMap { chunk in
        splitters.cut(
          chunk.bytes, device: chunk.device, direction: chunk.to == .host ? .toHost : .toDevice,
          at: Instant(microseconds: chunk.at))
      }
    }.flatMap { text.lines($0, since: began, line: nil, comment: nil) }
    if lost > 0 { lines.append("\(lost) pieces of the line were lost here") }
    state.withLock { [lines] in $0.frames = ($0.frames + lines).suffix(Self.maxFrames) }
    news.signal()
  }

  /// How many digits of a PIN are typed; nil: none is asked for.
  func typing(_ digits: Int?) {
    state.withLock { $0.typedDigits = digits }
    news.signal()
  }

  /// All keys are listed in place of what else there is.
  func showKeys(_ isSo: Bool) {
    state.withLock { $0.showsKeys = isSo }
    news.signal()
  }

  // MARK: The view

  func open() { state.withLock { $0.isOpen = true } }

  /// Lines are printed again from now on.
  func close() { state.withLock { $0.isOpen = false } }

  /// All that is known here.
  /// - Parameter account: whose alarm is shown.
  func fill(_ run: inout RunState, of account: AccountNumber) {
    let state = state.withLock { $0 }
    run.press = state.press
    run.keychain = state.keychain
    (run.told, run.happened) = (state.told[account] ?? [], state.lines)
    run.frames = state.frames
    (run.typedDigits, run.showsKeys) = (state.typedDigits, state.showsKeys)
  }

  /// What is left to be said when the view has gone.
  /// - Returns: the last lines, how many there were before them since the view was opened, and how
  ///   many incidents were opened, of whichever account.
  func rest(_ most: Int) -> (last: [TimelineLine], before: Int, incidents: Int) {
    state.withLock { state in
      let last = state.lines.suffix(min(most, state.sinceOpening))
      return (Array(last), state.sinceOpening - last.count, state.incidents)
    }
  }
}
