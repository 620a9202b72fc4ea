import Storage
import Testing

@testable import AlertCore
@testable import Simulation

/// A simulation is worth what its disk is: what the simulated tables give back to a core that
/// starts must be what SQLite gives back.
struct SimulatedDiskTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `the simulated tables read back as the store on SQLite does`(seed: UInt64) throws {
    let batches = Batches()
    _ = Schedule(seed: seed * 7).play(sabotagedBy: batches)
    try #require(!batches.all.isEmpty)
    let folder = try StateFolder()
    let store = try folder.store()
    var tables = Tables()
    for (index, changes) in batches.all.enumerated() {
      try store.commit(changes)
      tables.apply(changes)
      guard index % 9 == 0 || index == batches.all.count - 1 else { continue }
      let read = try store.load()
      let held = tables.state
      #expect(read.current == held.current)
      #expect(read.lastDisarmed == held.lastDisarmed)
      #expect(read.identities == held.identities)
      #expect(read.recent == held.recent)
      #expect(read.devices == held.devices)
      #expect(read.triggers == held.triggers)
      #expect(try store.account() == tables.account)
      #expect(read.notifications.sorted { $0.key < $1.key } == held.notifications.map(stored))
    }
  }
}

/// The context of a message is made anew each time that it is handed out, and the ways of its
/// contact are the configuration's: a start asks neither of the disk.
private func stored(_ notification: Notification) -> Notification {
  var notification = notification
  notification.context = Notification.Context()
  notification.contact.ways = []
  return notification
}

/// Changes nothing, and keeps what each core of a world has asked to be committed.
private final class Batches: MutationHook {
  private(set) var all: [Changes] = []

  func decided(_ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost) {
    if let batch = output.commit { all.append(batch.changes) }
  }
}
