/// The exercise 5-4-3-2-1 (R77): of five things, then four, to one, so many that one sees, touches
/// and hears: 45 in all. Nothing of it is stored.
public struct Grounding: Equatable, Sendable {
  /// How things are noticed, in their order.
  public enum Category: String, CaseIterable, Sendable { case see, touch, hear }

  /// How many things there are.
  public static let items = 45

  /// How many are counted: 0 to 45.
  public private(set) var counted = 0

  init() {}

  /// How many of each category are asked for now, 5 to 1; nil: every item is counted.
  public var stage: Int? { goal?.stage }
  /// What is to be noticed now; nil: every item is counted.
  public var category: Category? { goal?.category }
  /// How many more of this category and stage are to be counted, 0 at the end.
  public var left: Int { goal?.left ?? 0 }

  private var goal: (stage: Int, category: Category, left: Int)? {
    var rest = counted
    for stage in (1...5).reversed() {
      for category in Category.allCases {
        guard rest >= stage else { return (stage, category, stage - rest) }
        rest -= stage
      }
    }
    return nil
  }

  /// Counts one item.
  mutating func count() { counted = min(counted + 1, Self.items) }
}
