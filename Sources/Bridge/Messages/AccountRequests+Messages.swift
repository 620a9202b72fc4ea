import AlertCore
import Control

/// The five messages at the control socket.
extension AccountRequests {
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

  private struct SlotAnswer: Encodable {
    let ok: Bool
    let slot: MessageSlotView?
    let durable: Bool
    let error: String?
  }

  /// Puts what is asked in place of what a slot holds, or nothing.
  func changeSlot(_ asked: Request, _ reply: ControlReply) {
    let filled = asked.slot.map { slot in
      MessageSlot(
        slot: slot, contact: asked.contact, name: asked.name ?? "", number: asked.number ?? "",
        message: asked.message ?? "", addsPosition: asked.position ?? false)
    }
    let command: MessageCommand
    switch (asked.act, filled) {
    case ("fill", let filled?): command = .fill(filled)
    case ("empty", let filled?) where filled == MessageSlot(slot: filled.slot):
      command = .empty(slot: filled.slot)
    default:
      reply.fail(
        "slot needs \"act\", fill or empty, and \"slot\", 1 to 5; fill alone takes a recipient and"
          + " a message")
      return
    }
    bridge.message(command, pin: asked.pin, by: Self.who) { [bridge] answer in
      let slots = MessageSlotView.all(bridge.messages, bridge.completeSlots, bridge.account)
      let isDone = answer.refusal == nil
      reply.send(
        SlotAnswer(
          ok: isDone, slot: isDone ? asked.slot.map { slots[$0 - 1] } : nil,
          durable: answer.isDurable, error: answer.refusal?.description))
    }
  }
}
