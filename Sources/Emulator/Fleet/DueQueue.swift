package import FobBase

/// When each of many members is due, the earliest first: a binary heap that knows where in it each
/// member stands, so that a deadline which moves is moved and not left behind.
///
/// Setting a deadline costs O(log n), asking for the first O(1). Nothing is allocated once every
/// member has been in it.
package struct DueQueue: Sendable {
  private struct Entry {
    var due: Instant
    var member: Int32
  }

  private var heap: [Entry] = []
  /// By member: its place in the heap, or -1.
  private var places: [Int32] = []

  package init() {}

  package var count: Int { heap.count }
  package var first: (due: Instant, member: Int)? {
    heap.first.map { ($0.due, Int($0.member)) }
  }

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
