/// The rows of a list of check-ins, the oldest first, each made when it is asked for.
///
/// A row costs one lookup of a date. Beside that a list costs a look at each series, and behind a
/// place one lookup for each series whose next date lies before it. Near the last date that it
/// shows the dates of a series are counted, which costs as many lookups as it shows dates; so does
/// one of which a single date was changed.
public struct CheckInList: Sequence, IteratorProtocol {
  private let checkIns: CheckIns
  private let query: CheckInQuery
  private let wall: Int64
  /// When dates to come that can be in it fall due; nil: none is.
  private let dues: ClosedRange<Int64>?
  /// How many dates to come each series shows; none: no entry.
  private var counts: [Int: Int] = [:]
  private var dates: [Int: ShownDates] = [:]
  private var heap: Heap
  /// How many dates were looked up.
  private(set) var lookups = 0

  init(_ checkIns: CheckIns, _ query: CheckInQuery, at wall: Int64) {
    self.checkIns = checkIns
    self.query = query
    self.wall = wall
    dues = query.dues(at: wall)
    var entries: [Entry] = []
    var open: [Int: Int] = [:]
    for asked in checkIns.asked where !query.isOverview || open[asked.checkIn.series] == nil {
      open[asked.checkIn.series, default: 0] += 1
      entries.append(Entry(ListedCheckIn(asked.checkIn, isOpen: true, at: wall), isOpen: true))
    }
    if let dues {
      let most = query.isOverview ? 1 : checkIns.settings.shown
      for (id, series) in checkIns.series where !series.hasEnded && query.mayShow(series) {
        let left = most - open[id, default: 0]
        guard left > 0 else { continue }
        let earliest = checkIns.earliestDue(of: series)
        guard earliest <= dues.upperBound else { continue }
        counts[id] = left
        entries.append(Entry(series: id, notBefore: Swift.max(earliest, dues.lowerBound)))
      }
    }
    heap = Heap(entries)
  }

  public mutating func next() -> ListedCheckIn? {
    while let entry = heap.first {
      guard let row = entry.row else {
        let first = firstDate(of: entry.series)
        heap.replaceFirst(by: first)
        continue
      }
      heap.replaceFirst(by: entry.isOpen ? nil : nextDate(of: entry.series))
      if query.shows(row) { return row }
    }
    return nil
  }

  private mutating func firstDate(of id: Int) -> Entry? {
    guard let series = checkIns.series[id], let count = counts[id], let dues else { return nil }
    dates[id] = ShownDates(series, count: count, from: dues.lowerBound, checkIns, &lookups)
    return nextDate(of: id)
  }

  private mutating func nextDate(of id: Int) -> Entry? {
    guard let series = checkIns.series[id], let dues,
      let next = dates[id]?.next(checkIns, &lookups), next.due <= dues.upperBound
    else {
      dates[id] = nil
      return nil
    }
    return Entry(ListedCheckIn(CheckIn(next, of: series), isOpen: false, at: wall), isOpen: false)
  }
}

/// Which check-ins a list shows.
public struct CheckInQuery {
  /// Only the oldest of each series.
  public var isOverview = false
  /// Those of this phase; nil: of every one.
  public var phase: ListedCheckIn.Phase?
  /// Those behind this place; nil: from the first on.
  public var after: (due: Int64, id: CheckIn.ID)?
  /// Those whose description this takes; nil: all.
  public var isWanted: ((String) -> Bool)?

  /// All.
  public init() {}

  fileprivate func shows(_ row: ListedCheckIn) -> Bool {
    guard phase == nil || row.phase == phase, isWanted?(row.description) ?? true else {
      return false
    }
    guard let after else { return true }
    return (row.due, row.id.series, row.id.key) > (after.due, after.id.series, after.id.key)
  }

  fileprivate func mayShow(_ series: CheckInSeries) -> Bool {
    guard let isWanted else { return true }
    return isWanted(series.description)
      || series.exceptions.values.contains { isWanted($0.description) }
  }

  /// When dates to come that it shows fall due, µs since 1970; nil: it shows open ones alone.
  fileprivate func dues(at wall: Int64) -> ClosedRange<Int64>? {
    let dues: ClosedRange<Int64>
    switch phase {
    case nil: dues = Int64.min...Int64.max
    case .scheduled: dues = wall.after(minutes: 20)...Int64.max
    case .soon: dues = wall...wall.after(minutes: 20)
    case .inTime: return nil
    case .overdue, .late: dues = Int64.min...wall
    }
    guard let after else { return dues }
    return after.due <= dues.upperBound ? max(after.due, dues.lowerBound)...dues.upperBound : nil
  }
}

/// The dates to come of a series that a list shows, in the order in which they fall due.
private struct ShownDates {
  private let series: CheckInSeries
  private let count: Int
  private let first: CheckIns.Upcoming?
  /// The series when those up to here have been asked.
  private var place: CheckInSeries
  /// How many are left; nil: those before were not counted.
  private var left: Int?
  /// Of a series with changed dates all that are left, the latest in front.
  private var changed: [CheckIns.Upcoming]?

  /// - Parameter due: it begins with the first that falls due then or later.
  init(
    _ series: CheckInSeries, count: Int, from due: Int64, _ checkIns: CheckIns,
    _ lookups: inout Int
  ) {
    self.series = series
    self.count = count
    (place, left) = (series, count)
    guard series.exceptions.isEmpty else {
      first = nil
      let all = checkIns.dates(of: series, count: count)
      lookups += all.count
      changed = all.filter { $0.due >= due }.reversed()
      return
    }
    if let upcoming = checkIns.upcoming[series.id] {
      first = upcoming
    } else {
      first = checkIns.next(of: series)
      lookups += 1
    }
    guard let first, first.due < due else { return }
    place.askedUntil = due - 1
    left = nil
  }

  mutating func next(_ checkIns: CheckIns, _ lookups: inout Int) -> CheckIns.Upcoming? {
    if changed != nil { return changed?.popLast() }
    guard left != 0, let first else { return nil }
    var next: CheckIns.Upcoming? = first
    if left != count {
      next = checkIns.next(of: place)
      lookups += 1
    }
    guard let next else { return nil }
    if left == nil, series.recurrence.mostMoments(from: first.moment, to: next.moment) > count {
      return counted(to: next.due, checkIns, &lookups)
    }
    place.take(next)
    left = left.map { $0 - 1 }
    return next
  }

  /// Where a date may be one too many, all before it are counted.
  private mutating func counted(
    to due: Int64, _ checkIns: CheckIns, _ lookups: inout Int
  ) -> CheckIns.Upcoming? {
    (place, left) = (series, count)
    while let next = next(checkIns, &lookups) {
      if next.due >= due { return next }
    }
    return nil
  }
}

extension CheckIns.Upcoming {
  fileprivate var moment: Recurrence.Occurrence { Recurrence.Occurrence(key: key, due: due) }
}

extension CheckIns {
  /// Nothing of a series is due before.
  fileprivate func earliestDue(of series: CheckInSeries) -> Int64 {
    // The one that opens first may be due last.
    guard series.exceptions.isEmpty else { return upcoming[series.id]?.opensAt ?? .min }
    return upcoming[series.id]?.due ?? series.askedUntil
  }
}

/// A row of a list, or a series that comes to it at this place or later.
private struct Entry: Comparable {
  let due: Int64
  let series: Int
  /// Nil: a series whose next date is not looked up yet.
  let row: ListedCheckIn?
  let isOpen: Bool

  init(_ row: ListedCheckIn, isOpen: Bool) {
    (due, series, self.row, self.isOpen) = (row.due, row.id.series, row, isOpen)
  }

  init(series: Int, notBefore due: Int64) {
    (self.due, self.series, row, isOpen) = (due, series, nil, false)
  }

  static func < (a: Self, b: Self) -> Bool {
    guard (a.due, a.series) == (b.due, b.series) else {
      return (a.due, a.series) < (b.due, b.series)
    }
    guard let other = b.row else { return false }
    return a.row.map { $0.id.key < other.id.key } ?? true
  }
}

/// The least entry in front (Williams, 1964).
private struct Heap {
  private var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries.sorted() }

  var first: Entry? { entries.first }

  /// - Parameter entry: nil: nothing comes in its place.
  mutating func replaceFirst(by entry: Entry?) {
    guard let entry = entry ?? entries.popLast(), !entries.isEmpty else { return }
    entries[0] = entry
    var place = 0
    while let least = [2 * place + 1, 2 * place + 2].filter({ $0 < entries.count })
      .min(by: { entries[$0] < entries[$1] }), entries[least] < entries[place]
    {
      entries.swapAt(least, place)
      place = least
    }
  }
}
