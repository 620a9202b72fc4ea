/// Why a core cannot reckon with a stored row, as a clause; nil where it can. Damage or another's
/// hand may have left a number that no command takes.

/// Years after 1970 in which times are reckoned, in µs: nothing that is added to one overflows.
private let times: ClosedRange<Int64> = -300_000_000_000_000_000...300_000_000_000_000_000
private let ids = 1...(1 << 53)
private let descriptions = 1...160
private let leads = 0...40_320

extension CheckInSeries {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      ids.contains(id) && descriptions.contains(description.utf8.count) && leads.contains(lead)
      && (5...1_440).contains(limit) && (0...1_439).contains(recurrence.minute)
      && [createdAt, changedAt, askedUntil].allSatisfy(times.contains)
      && exceptions.values.allSatisfy(\.isSound)
    return isSound ? nil : "a value of the series is out of its range"
  }
}

extension CheckInSeries.Exception {
  fileprivate var isSound: Bool {
    times.contains(due ?? 0) && leads.contains(lead ?? 0)
      && descriptions.contains(description?.utf8.count ?? 1)
  }
}

extension CheckIn {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      ids.contains(series) && descriptions.contains(description.utf8.count)
      && comment.utf8.count <= 500 && (0...ids.upperBound).contains(nagged)
      && [due, answerableFrom, runsOut, completedAt ?? 0, closedAt ?? 0]
        .allSatisfy(times.contains)
    return isSound ? nil : "a value of the check-in is out of its range"
  }
}

extension CheckInSettings {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      (1...60).contains(nagEvery) && (1...366).contains(shown) && (10...10_000).contains(history)
      && (10...10_000).contains(logShown)
    return isSound ? nil : "a setting of check-ins is out of its range"
  }
}

extension CheckInCounts {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      times.contains(since)
      && [asked, completed, clicked, escalated, missed, lastSeries]
        .allSatisfy((0...ids.upperBound).contains)
    return isSound ? nil : "a count of check-ins is out of its range"
  }
}
