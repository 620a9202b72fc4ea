import FobBase
import WireProtocol

/// Links, positions and heartbeats of keychains.
extension AlertCore {
  mutating func linkUp(
    _ link: LinkID, _ hello: Hello, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let earlier = book.device(on: link)
    engine.age.linkUp(hello.deviceID, hello, at: now)
    let up = AuditEvent(.linkUp, at: now, device: hello.deviceID)
    let isTold = tell(up, .link, of: link, at: now, &output)
    book.linkUp(link, hello, isKept: isTold, at: now, &output)
    if let earlier, earlier != hello.deviceID { hasLeft(earlier, at: now) }
    lights.lineChanged(link, isUp: true)
    endMovedLight(of: hello.deviceID)
  }

  mutating func linkDown(
    _ link: LinkID, _ reason: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let device = book.linkDown(link)
    lights.lineChanged(link, isUp: false)
    if let device {
      hasLeft(device, at: now)
      endMovedLight(of: device)
    }
    let down = AuditEvent(.linkDown, at: now, device: device, .failure(reason))
    tell(down, .link, of: link, at: now, &output)
  }

  /// The line is down or has another keychain now.
  private mutating func hasLeft(_ device: DeviceID, at now: Timestamp) {
    detector.lineLost(device)
    if book.entries[device]?.link == nil { engine.age.linkDown(device, at: now) }
  }

  mutating func heard(
    _ fix: PositionFix, from link: LinkID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    book.heard(fix, from: link, at: now)
    guard let device = book.device(on: link), !book.isOnSeveralLines(device),
      let position = Position(fix, at: now)
    else { return }
    engine.located(device, position, at: now, &output)
  }

  mutating func heard(
    _ beat: Heartbeat, from link: LinkID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let device = book.heard(beat, from: link, at: now, &output) else { return }
    if let doubt = engine.age.heard(beat, of: device, at: now) {
      tell(doubt, at: now, &output)
    } else if engine.history.disarmed != nil, !engine.age.isMissing(device, at: now) {
      engine.forgetEvidence(of: device, &output)
    }
  }

  /// Logs a doubt. Each boot gets at most one: it is kept for as long as that boot lasts.
  mutating func tell(_ doubt: PressAge.Doubt, at now: Timestamp, _ output: inout CoreOutput) {
    book.doubt(doubt.device, boot: doubt.bootNonce, &output)
    engine.forgetEvidence(of: doubt.device, &output)
    output.note(AuditEvent(.bootDoubted, at: now, device: doubt.device, .doubt(doubt.reason)))
  }
}
