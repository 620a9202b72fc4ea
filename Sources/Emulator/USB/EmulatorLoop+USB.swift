import Firmware
import FobBase
import USB
import WireProtocol

/// What a simulated board answers to vendor requests.
extension EmulatorLoop {
  /// Nil where there is no answer: the board has no power, or does not do it now.
  func answer(_ question: KeychainQuestion) -> [UInt8]? {
    guard keychain != nil else { return nil }
    var body = FrameBody()
    let isAnswered =
      switch question {
      case .hello: keychain!.tell(.hello, in: &body, &board)
      case .heartbeat: keychain!.tell(.heartbeat, in: &body, &board)
      case .firmwareInfo: keychain!.tell(.firmwareInfo, in: &body, &board)
      case .ledSet(let payload):
        payload.withUnsafeBytes { keychain!.setLight($0, &board) }
      }
    return isAnswered ? body.withBytes { Array($0) } : nil
  }
}
