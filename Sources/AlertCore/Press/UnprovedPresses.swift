import FobBase
import WireProtocol

/// The presses that came without proof in the name of a paired keychain, as long as a copy with its
/// proof may come: somebody on the wire can take a tag away, and the keychain sends on.
struct UnprovedPresses: Sendable {
  /// As many as a keychain keeps; whoever makes up more finds the oldest forgotten.
  private static let most = Limits.deviceEvents

  private var identities: [EventIdentity] = []

  /// Logs that this press is not proved.
  mutating func note(
    _ identity: EventIdentity, at now: Timestamp, _ incident: IncidentID?,
    _ output: inout CoreOutput
  ) {
    if identities.count == Self.most { identities.removeFirst() }
    identities.append(identity)
    output.note(AuditEvent(.pressUnproved, at: now, of: identity), incident)
  }

  /// A copy came with its proof.
  /// - Returns: false where the press was proved before, or was forgotten.
  mutating func take(_ identity: EventIdentity) -> Bool {
    guard !identities.isEmpty, let index = identities.firstIndex(of: identity) else {
      return false
    }
    identities.remove(at: index)
    return true
  }
}
