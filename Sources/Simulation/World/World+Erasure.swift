import AlertCore
import Judge

/// What is left of an owner who erases the account.
extension World {
  /// Looks through disk and core, where somebody erases the account.
  func lookForOwner(_ host: SimulatedHost) {
    guard schedule.setting.hasErasure, let run = host.run else { return }
    let (core, tables) = (run.core, host.tables)
    let stored = tables.state
    let contacts = tables.account?.contacts ?? host.firstAccount.contacts
    let rows: [(what: String, count: Int)] = [
      ("contacts on the disk", contacts.count),
      ("series on the disk", stored.checkIns.series.count),
      ("check-ins on the disk", stored.checkIns.checkIns.count),
      ("slots on the disk", stored.messages.slots.count),
      ("sends on the disk", stored.messages.sends.count),
      ("reviews on the disk", stored.reviews.reviews.count),
      ("sessions on the disk", stored.exercises.totals.count),
      ("a session on the disk", stored.exercises.session == nil ? 0 : 1),
      ("lines on the disk", stored.affirmations.lines.count),
      ("addresses on the disk", stored.notifications.count { !$0.contact.address.isEmpty }),
      ("contacts in the core", core.account.contacts.count),
      ("series in the core", core.checkIns.series.count),
      ("check-ins in the core", core.checkIns.open.count),
      ("slots in the core", core.messages.slots.count),
      ("sends in the core", core.messages.sends.count),
      ("reviews in the core", core.reviews.reviews.count),
      ("sessions in the core", core.exercises.totals.count),
    ]
    see(.ownersRows(host: host.index, rows.filter { $0.count > 0 }.map(\.what)))
  }
}
