import AlertCore
import Judge

/// The five messages: what people ask for, and what a disk holds of them.
extension MessageCommand {
  /// Nil for a request about something else.
  init?(_ userRequest: UserRequest) {
    switch userRequest {
    case .fillSlot(let slot, let contact, let hasText):
      self = .fill(
        MessageSlot(slot: slot, contact: Contact.id(contact), message: hasText ? "Call me" : ""))
    case .emptySlot(let slot): self = .empty(slot: slot)
    case .sendMessage(let slot, let key, _): self = .send(slot: slot, key: key)
    default: return nil
    }
  }
}

extension Batch {
  mutating func add(_ changes: [MessageChange]) {
    for change in changes {
      switch change {
      case .slot(let filled):
        slots.append((filled.slot, filled.message.isEmpty ? nil : Contact.place(filled.contact)))
      case .slotEmptied(let slot): slots.append((slot, nil))
      case .send(let send): sends.append(SendRow(send))
      case .sendRemoved, .links: break
      }
    }
  }
}

extension Batch.SendRow {
  init(_ send: MessageSend) {
    let state: State =
      switch send.state {
      case .decided, .waiting, .underWay: .running
      case .taken: .taken
      case .failed: .failed
      case .cancelled: .cancelled
      }
    self.init(
      name: send.id.wire, slot: send.slot, contact: send.recipient.place, state: state,
      decided: send.decidedWall)
  }
}
