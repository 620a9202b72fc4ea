/// What waits, by whose it is. They take turns, so that however much one has, another's next waits
/// for one piece of it at most.
package struct TurnQueue<Owner: Hashable, Element> {
  /// By owner; none is empty.
  private var waiting: [Owner: [Element]] = [:]
  /// Those who have something, in the order of their turns.
  private var turns: [Owner] = []

  package init() {}

  package var isEmpty: Bool { turns.isEmpty }

  /// Adds an element.
  /// - Parameters:
  ///   - limit: how many of one owner may wait.
  ///   - isOutdated: which of the owner's it takes the place of.
  /// - Returns: false if the owner has too many; then nothing was added.
  package mutating func put(
    _ element: Element, of owner: Owner, limit: Int,
    replacing isOutdated: (Element) -> Bool = { _ in false }
  ) -> Bool {
    var own = waiting[owner] ?? []
    own.removeAll(where: isOutdated)
    guard own.count < limit else { return false }
    own.append(element)
    if waiting.updateValue(own, forKey: owner) == nil { turns.append(owner) }
    return true
  }

  /// Takes the next element that `isWanted`, in the order of the turns; nil: there is none.
  package mutating func takeNext(where isWanted: (Element) -> Bool = { _ in true }) -> Element? {
    for (turn, owner) in turns.enumerated() {
      guard let place = waiting[owner]!.firstIndex(where: isWanted) else { continue }
      turns.remove(at: turn)
      let next = waiting[owner]!.remove(at: place)
      if waiting[owner]!.isEmpty {
        waiting[owner] = nil
      } else {
        turns.append(owner)
      }
      return next
    }
    return nil
  }

  package mutating func removeAll() {
    waiting = [:]
    turns = []
  }
}
