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
      case .hello: tell(.hello, in: &body)
      case .heartbeat: tell(.heartbeat, in: &body)
      case .firmwareInfo: tell(.firmwareInfo, in: &body)
      case .ledSet(let payload):
        payload.withUnsafeBytes { keychain!.setLight($0, &board) }
      }
    return isAnswered ? body.withBytes { Array($0) } : nil
  }

  private func tell(_ type: MessageType, in body: inout FrameBody) -> Bool {
    keychain!.tell(type, in: &body, isLinked: isLinked, &board)
  }
}
