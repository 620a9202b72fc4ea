import AlertCore
import Control

/// The five messages at the control socket.
extension BridgeControl {
  func sendMessages(_ reply: ControlReply) {
    reply.send(
      Rows(
        rows: MessageSlotView.all(bridge.messages, bridge.completeSlots, bridge.account),
        more: nil))
  }

  /// Sends a slot's message.
  func sendMessage(_ asked: Request, _ reply: ControlReply) {
    guard let slot = asked.slot, let key = asked.key else {
      reply.fail("message needs \"slot\", 1 to 5, and \"key\", of your choice")
      return
    }
    bridge.perform(.message(.send(slot: slot, key: key), isProven: false), by: Self.who) {
      [bridge] answer in
      let send = answer.refusal == nil ? bridge.messages.send(askedBy: key, slot: slot) : nil
      reply.send(
        SendAnswer(
          ok: answer.refusal == nil, message: send.map { MessageSendView($0) },
          durable: answer.isDurable, error: answer.refusal?.description))
    }
  }

  private struct SendAnswer: Encodable {
    let ok: Bool
    let message: MessageSendView?
    let durable: Bool
    let error: String?
  }
}
