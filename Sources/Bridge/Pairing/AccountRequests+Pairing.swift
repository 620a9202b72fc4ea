import Control
import FobBase
import WireProtocol

/// Pairing at the control socket.
extension AccountRequests {
  private struct PairingAnswer: Encodable {
    let ok: Bool
    let device: String
    var error: String?
    var warning: String?
  }

  /// Pairs the keychain that `device` or its `label` names, or the only one that is there; `unpair`
  /// ends that.
  func pair(_ asked: Request, _ reply: ControlReply) {
    let bridge = bridge
    let label: LabelCode?
    do throws(LabelCode.Refusal) {
      label = try asked.label.map { text throws(LabelCode.Refusal) in try LabelCode(text) }
    } catch {
      reply.fail("\"label\": \(error)")
      return
    }
    let linked = Set(bridge.lines.compactMap { $0.isOpen ? $0.device : nil })
    guard let name = asked.device ?? label?.device.text ?? (linked.count == 1 ? linked.first : nil)
    else {
      reply.fail(
        linked.isEmpty
          ? "no keychain is on a line of this core now"
          : "\"device\" is one of \(linked.sorted().joined(separator: ", "))")
      return
    }
    guard name.utf8.count == 16, let number = UInt64(name, radix: 16) else {
      reply.fail("\"device\" has 16 hexadecimal digits")
      return
    }
    let answer: @Sendable (PairingRefusal?) -> Void = { refusal in
      reply.send(
        PairingAnswer(ok: refusal == nil, device: name, error: refusal?.description))
    }
    let device = DeviceID(rawValue: number)
    if asked.do == "pair", let label {
      bridge.pair(device, by: label, pin: asked.pin, by: Self.who, answer: answer)
    } else if asked.do == "pair" {
      bridge.pair(device, pin: asked.pin, by: Self.who, answer: answer)
    } else {
      bridge.unpair(device, pin: asked.pin, by: Self.who) { refusal in
        guard let warning = refusal?.warning else { return answer(refusal) }
        reply.send(PairingAnswer(ok: true, device: name, warning: warning))
      }
    }
  }
}
