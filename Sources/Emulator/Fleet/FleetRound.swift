import FobBase
import SerialIO

/// What a fleet's thread does, round after round: it looks at lines and calls, serves who has
/// something or is due, and sleeps when nobody is.
final class FleetRound {
  /// How many that are due are served before lines and calls are looked at again.
  private static let maxDue = 64
  private static let toldEvery = Interval.milliseconds(200)

  private let waker: FleetWaker
  private let waits: FleetWaits
  private let tell: (FleetPace) -> Void
  private var members: [FleetMember?] = []
  private var dues = DueQueue()
  private var pace = FleetPace()
  private var nextTold = Instant(microseconds: 0)
  private var armed: Instant?
  private var called: [Int] = []
  private var ready: [Int] = []

  /// - Parameter tell: how it keeps its time, told now and then.
  init(_ waker: FleetWaker, _ waits: FleetWaits, tell: @escaping (FleetPace) -> Void) {
    self.waker = waker
    self.waits = waits
    self.tell = tell
  }

  /// Until the waker is closed.
  func run() {
    while true {
      guard look() else { break }
      let calls = waker.take(into: &called)
      for arrival in calls.arrivals { admit(arrival) }
      for leaving in calls.leavings {
        end(leaving.member)
        leaving.answer()
      }
      guard calls.isOpen else { break }
      for member in ready where member >= 0 { serve(member) }
      for member in called { serve(member) }
      serveDue()
    }
    for member in members.indices { end(member) }
    for call in waker.take(into: &called).leavings { call.answer() }
    tell(pace)
  }

  /// Sleeps if nobody is due. False if that fails, which it does only in a broken process.
  private func look() -> Bool {
    ready.removeAll(keepingCapacity: true)
    let isIdle = dues.first.map { BootClock.now() < $0.due } ?? true
    let sleeps = isIdle && waker.fallAsleep()
    if sleeps, dues.first?.due != armed {
      armed = dues.first?.due
      waits.alarm.set(at: armed)
    }
    let isWell = (try? waits.ready.take(into: &ready, waits: sleeps)) != nil
    if sleeps { waker.wakeUp() }
    if ready.contains(FleetWaits.wakerTag) { waker.clear() }
    return isWell
  }

  private func serveDue() {
    for _ in 0..<Self.maxDue {
      guard let first = dues.first else { return }
      let now = BootClock.now()
      guard first.due <= now else { return }
      pace.note(now - first.due)
      serve(first.member)
      if now >= nextTold {
        nextTold = now + Self.toldEvery
        tell(pace)
      }
    }
  }

  private func serve(_ member: Int) {
    guard members.indices.contains(member), let loop = members[member]?.loop else { return }
    guard loop.commandQueue.isOpen else { return end(member) }
    let isChanged = loop.turn()
    dues.set(loop.nextDue(), for: member)
    members[member]!.watch(in: waits.ready, isAnew: isChanged)
  }

  private func admit(_ arrival: FleetThread.Arrival) {
    do throws(IOFailure) {
      let loop = try EmulatorLoop(
        arrival.configuration, arrival.commandQueue, transport: try arrival.makeTransport(waker),
        rest: nil)
      try loop.start()
      while members.count <= arrival.member { members.append(nil) }
      members[arrival.member] = FleetMember(loop, tag: arrival.member)
      serve(arrival.member)
      arrival.answer(
        .success((loop.transport.spec, (loop.transport as? MemoryTransport)?.endpoint)))
    } catch {
      arrival.answer(.failure(error))
    }
  }

  private func end(_ member: Int) {
    guard members.indices.contains(member), members[member] != nil else { return }
    members[member]!.forget(in: waits.ready)
    members[member]!.loop.end()
    members[member] = nil
    dues.set(nil, for: member)
  }
}
