package import FobBase
import Glibc
import SerialIO

/// The rounds of a fleet's thread: it looks at lines and calls, serves the members that have
/// something or are due, and sleeps when none is.
final class FleetRound {
  /// The most due members served before lines and calls are looked at again.
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

  /// - Parameter tell: gets the pace, at most every 200 ms and at the end.
  init(_ waker: FleetWaker, _ waits: FleetWaits, tell: @escaping (FleetPace) -> Void) {
    self.waker = waker
    self.waits = waits
    self.tell = tell
  }

  /// Serves until the waker is closed.
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

  /// Looks at all lines, and sleeps if no member is due. False if waiting fails, which happens only
  /// in a broken process.
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

/// One keychain on a fleet's thread, with its watched descriptors and their events.
struct FleetMember {
  let loop: EmulatorLoop
  private let tag: Int
  private var watched = FleetMember.nothing

  private static let nothing = InlineArray<3, pollfd>(
    repeating: pollfd(fd: -1, events: 0, revents: 0))

  init(_ loop: EmulatorLoop, tag: Int) {
    self.loop = loop
    self.tag = tag
  }

  /// Makes `ready` watch the descriptors that the keychain waits for now.
  /// - Parameter isAnew: a command may have closed a descriptor and opened another under the same
  ///   number, which epoll(7) does not know then.
  mutating func watch(in ready: borrowing ReadySet, isAnew: Bool) {
    let wanted = loop.polled
    if isAnew { forget(in: ready) }
    for index in watched.indices where watched[index].fd >= 0 {
      if !Self.has(wanted, watched[index].fd) { ready.forget(watched[index].fd) }
    }
    for index in wanted.indices where wanted[index].fd >= 0 {
      let (number, events) = (wanted[index].fd, wanted[index].events)
      if !Self.has(watched, number, events) { try? ready.watch(number, for: events, as: tag) }
    }
    watched = wanted
  }

  mutating func forget(in ready: borrowing ReadySet) {
    for index in watched.indices where watched[index].fd >= 0 { ready.forget(watched[index].fd) }
    watched = Self.nothing
  }

  /// - Parameter events: nil: any.
  private static func has(
    _ polled: borrowing InlineArray<3, pollfd>, _ number: Int32, _ events: Int16? = nil
  ) -> Bool {
    for index in 0..<polled.count {
      guard polled[index].fd == number else { continue }
      if let events { return polled[index].events == events }
      return true
    }
    return false
  }
}

/// The deadlines of many members, the earliest first. It is a binary heap that knows the place of
/// each member, so that it can move a deadline in place.
///
/// Setting a deadline costs O(log n), asking for the first O(1). Nothing is allocated once every
/// member has been in it.
package struct DueQueue: Sendable {
  private struct Entry {
    var due: Instant
    var member: Int32
  }

  private var heap: [Entry] = []
  /// The place of each member in the heap, or -1.
  private var places: [Int32] = []

  /// A queue without members.
  package init() {}

  /// How many members have a deadline.
  package var count: Int { heap.count }
  /// The earliest deadline; nil: no member has one.
  package var first: (due: Instant, member: Int)? {
    heap.first.map { ($0.due, Int($0.member)) }
  }

  /// Sets the deadline of a member, numbered from 0.
  /// - Parameter due: nil takes the member out.
  package mutating func set(_ due: Instant?, for member: Int) {
    while places.count <= member { places.append(-1) }
    let place = Int(places[member])
    guard let due else {
      if place >= 0 { remove(at: place) }
      return
    }
    guard place >= 0 else {
      heap.append(Entry(due: due, member: Int32(member)))
      places[member] = Int32(heap.count - 1)
      rise(from: heap.count - 1)
      return
    }
    let before = heap[place].due
    heap[place].due = due
    if due < before { rise(from: place) } else if before < due { sink(from: place) }
  }

  private mutating func remove(at place: Int) {
    places[Int(heap[place].member)] = -1
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[Int(last.member)] = Int32(place)
    rise(from: place)
    sink(from: Int(places[Int(last.member)]))
  }

  private mutating func rise(from start: Int) {
    var place = start
    let entry = heap[place]
    while place > 0, entry.due < heap[(place - 1) / 2].due {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(entry, at: place)
  }

  private mutating func sink(from start: Int) {
    var place = start
    let entry = heap[place]
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].due < heap[child].due { child += 1 }
      guard heap[child].due < entry.due else { break }
      put(heap[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places[Int(entry.member)] = Int32(place)
  }
}
