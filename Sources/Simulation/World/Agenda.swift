import FobBase

/// What is to happen; of one moment in the order in which it was put there.
struct Agenda {
  /// The next last.
  private var acts: [(at: Instant, act: () -> Void)] = []

  var next: Instant? { acts.last?.at }

  mutating func add(at moment: Instant, _ act: @escaping () -> Void) {
    // The next is the last: whatever is due no later stays behind it.
    var low = 0
    var high = acts.count
    while low < high {
      let middle = (low + high) / 2
      if acts[middle].at > moment { low = middle + 1 } else { high = middle }
    }
    acts.insert((moment, act), at: low)
  }

  /// At least one is there.
  mutating func takeNext() -> () -> Void { acts.removeLast().act }

  mutating func removeAll() { acts = [] }
}
