import Storage

/// The newest log entries, indexed by device and incident: each entry is stored once, and its id is
/// in at most three lists. Pure.
struct FeedRing {
  private let capacity: Int
  /// Entries by id modulo the capacity; the ids have no gap. Empty until the first entry comes.
  private var slots: [LogEntry?] = []
  /// The id of the oldest entry here; `last` + 1 if there is none.
  private(set) var first: Int64
  /// The id of the newest entry.
  private(set) var last: Int64
  private var byDevice: [String: Ids] = [:]
  private var byIncident: [String: Ids] = [:]
  /// Entries that name an incident and no device: they concern every device that pressed in it.
  private var shared: [String: Ids] = [:]
  /// For each incident that has an entry here: its devices, each with the first entry that names
  /// both.
  private var devices: [String: [String: Int64]] = [:]
  /// The same facts by device.
  private var incidents: [String: [String: Int64]] = [:]

  /// Ids in order; the oldest are removed first.
  private struct Ids {
    private var ids: [Int64] = []
    private var head = 0

    var isEmpty: Bool { head == ids.count }

    mutating func append(_ id: Int64) { ids.append(id) }

    mutating func removeFirst() {
      head += 1
      guard head >= 64, head * 2 >= ids.count else { return }
      ids.removeFirst(head)
      head = 0
    }

    /// The ids above `cursor`.
    func above(_ cursor: Int64) -> ArraySlice<Int64> {
      var low = head
      var high = ids.count
      while low < high {
        let middle = (low + high) / 2
        if ids[middle] <= cursor { low = middle + 1 } else { high = middle }
      }
      return ids[low...]
    }
  }

  init(capacity: Int, last: Int64) {
    self.capacity = capacity
    self.last = last
    first = last + 1
  }

  // MARK: Adding

  func knows(_ incident: String) -> Bool { devices[incident] != nil }

  /// Adds the store's knowledge of an incident that had no entry here.
  mutating func learn(_ incident: String, _ known: [String: Int64]) {
    devices[incident] = known
    for (device, id) in known { incidents[device, default: [:]][incident] = id }
  }

  /// - Parameter line: the next entry, whose incident is known.
  mutating func append(_ line: LogEntry) {
    precondition(line.id == last + 1, "the log entries have no gap")
    if slots.isEmpty { slots = Array(repeating: nil, count: capacity) }
    let oldest = line.id - first >= Int64(capacity) ? slots[slot(first)] : nil
    slots[slot(line.id)] = line
    last = line.id
    if let device = line.device { byDevice[device, default: Ids()].append(line.id) }
    if let incident = line.incident {
      byIncident[incident, default: Ids()].append(line.id)
      if let device = line.device {
        note(device, in: incident, line.id)
      } else {
        shared[incident, default: Ids()].append(line.id)
      }
    }
    // Last, so that an incident that continues is not forgotten in between.
    if let oldest { forget(oldest) }
  }

  private mutating func note(_ device: String, in incident: String, _ id: Int64) {
    guard devices[incident]?[device] == nil else { return }
    devices[incident, default: [:]][device] = id
    incidents[device, default: [:]][incident] = id
  }

  /// Forgets every entry before `id`: readers find them in the store.
  mutating func clear(before id: Int64) {
    self = FeedRing(capacity: capacity, last: id - 1)
  }

  private func slot(_ id: Int64) -> Int { Int(id % Int64(capacity)) }

  private mutating func forget(_ line: LogEntry) {
    first = line.id + 1
    if let device = line.device { Self.removeFirst(of: device, in: &byDevice) }
    guard let incident = line.incident else { return }
    Self.removeFirst(of: incident, in: &byIncident)
    if line.device == nil { Self.removeFirst(of: incident, in: &shared) }
    guard byIncident[incident] == nil, let forgotten = devices.removeValue(forKey: incident) else {
      return
    }
    for device in forgotten.keys {
      incidents[device]?[incident] = nil
      if incidents[device]?.isEmpty == true { incidents[device] = nil }
    }
  }

  private static func removeFirst(of name: String, in lists: inout [String: Ids]) {
    lists[name]!.removeFirst()
    if lists[name]!.isEmpty { lists[name] = nil }
  }

  // MARK: Finding

  enum Found {
    /// No matching entry up to `end` is missing.
    case lines([LogEntry], end: Int64)
    /// The next entries are no longer here.
    case behind
  }

  func lines(after cursor: Int64, limit: Int, _ filter: LogFilter) -> Found {
    guard cursor < last else { return .lines([], end: cursor) }
    guard cursor >= first - 1 else { return .behind }
    let lines = ids(after: cursor, limit: limit, filter).map { slots[slot($0)]! }
    return .lines(lines, end: lines.count < limit ? last : lines[limit - 1].id)
  }

  private func ids(after cursor: Int64, limit: Int, _ filter: LogFilter) -> [Int64] {
    guard let device = filter.device else {
      guard let incident = filter.incident else {
        return Array(cursor + 1...min(last, cursor + Int64(limit)))
      }
      return Array((byIncident[incident]?.above(cursor) ?? []).prefix(limit))
    }
    var found: [Int64] = []
    if let own = byDevice[device]?.above(cursor) {
      if let incident = filter.incident {
        found += own.lazy.filter { slots[slot($0)]!.incident == incident }.prefix(limit)
      } else {
        found += own.prefix(limit)
      }
    }
    for (incident, since) in incidents[device] ?? [:] {
      guard filter.incident == nil || filter.incident == incident else { continue }
      found += (shared[incident]?.above(max(cursor, since)) ?? []).prefix(limit)
    }
    found.sort()
    return Array(found.prefix(limit))
  }

  func matches(_ line: LogEntry, _ filter: LogFilter) -> Bool {
    if let incident = filter.incident, line.incident != incident { return false }
    guard let device = filter.device else { return true }
    if let named = line.device { return named == device }
    guard let incident = line.incident, let since = devices[incident]?[device] else { return false }
    return since < line.id
  }

  /// The devices that an entry without a device concerns.
  func devices(of incident: String) -> [String: Int64] { devices[incident] ?? [:] }
}
