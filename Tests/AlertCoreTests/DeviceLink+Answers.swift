import FobBase
import WireProtocol

extension DeviceLink {
  /// What `keychain` answers while it opens its session and proves it; nil: nothing.
  mutating func answer(_ request: HostRequest, at now: Instant) -> WireFrame? {
    switch request {
    case .hello(let session):
      var answer = Hello.from(keychain)
      answer.session = session
      return frame(answer, at: now)
    case .challenge(let challenge):
      return prove(challenge, device: keychain, bootCounter: 1, bootNonce: 9, at: now).map {
        frame($0, at: now)
      }
    default: return nil
    }
  }
}
