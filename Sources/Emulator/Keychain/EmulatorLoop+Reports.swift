import Firmware
import FobBase
import SerialIO
import WireProtocol

/// What the emulator tells: the firmware's own trace, and the light as an eye sees it.
extension EmulatorLoop {
  /// Tells what has happened since the last call.
  func tell() {
    tellTrace()
    if board.light.next != nextLight {
      for edge in board.light.edges(from: nextLight) {
        publish(.light, at: edge.at) { $0.led = edge.isOn }
      }
      nextLight = board.light.next
    }
    guard keychain != nil, transport.hostIsPresent, news.session != session else { return }
    session = news.session
    isLinked = true
    publish(.linked)
  }

  private func tellTrace() {
    guard keychain != nil, news.nextTrace != nextTrace, let trace = keychain?.trace else { return }
    let lost = trace.first > nextTrace ? trace.first - nextTrace : 0
    if lost > 0 {
      publish(.traceLost) { $0.lost = lost }
      nextTrace = trace.first
    }
    while let entry = trace[nextTrace] {
      nextTrace &+= 1
      tell(entry, at: board.hostInstant(entry.clock))
    }
  }

  private func tell(_ entry: TraceEntry, at instant: Instant) {
    switch entry.code {
    case .edgeClosed: publish(.closed, at: instant)
    case .edgeOpen: publish(.opened, at: instant)
    case .eventCommitted: tellCommit(EventNumber(rawValue: entry.argument), at: instant)
    case .eventWritten: publish(.written, of: EventNumber(rawValue: entry.argument), at: instant)
    case .eventAcked:
      tellAcked(EventNumber(rawValue: entry.argument), at: instant)
    case .stateShown: tellShown(entry.argument, at: instant)
    case .booted:
      publish(.booted, at: instant) { event in
        event.boot = keychain?.bootCounter
        event.cause = ResetCause(rawValue: UInt8(truncatingIfNeeded: entry.argument)).map {
          "\($0)"
        }
      }
    case .storeFailed: publish(.storeFailed, at: instant)
    case .damaged: publish(.damagedFrame, at: instant)
    }
  }

  private func tellCommit(_ number: EventNumber, at instant: Instant) {
    let identity = keychain?.record(of: number, &board)?.identity
    publish(.committed, at: instant) { event in
      event.event = number.text
      event.number = number.rawValue
      event.kind = identity?.kind.map { "\($0)" }
    }
    guard let identity, identity.kind == .pressed else { return }
    presses.committed(number, firstEdge: board.hostInstant(identity.clock))
  }

  private func tellShown(_ argument: UInt64, at instant: Instant) {
    shown = ShownState(rawValue: UInt8(truncatingIfNeeded: argument))
    shownDetail = UInt8(truncatingIfNeeded: argument >> 8)
    publish(.shown, at: instant) { event in
      event.shown = shown.map { "\($0)" }
      event.detail = shownDetail
      event.sounder = argument >> 16 & 1 == 1
    }
  }
}
