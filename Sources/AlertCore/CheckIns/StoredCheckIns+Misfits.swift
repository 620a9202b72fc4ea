// Why a core cannot reckon with a stored row, as a clause; nil where it can. Damage or another's
// hand may have left a number that no command takes.

/// µs since 1970, about 9,500 years each way: nothing that is added to one overflows.
private let times: ClosedRange<Int64> = -300_000_000_000_000_000...300_000_000_000_000_000
private let ids = 1...(1 << 53)
private let descriptions = 1...160
private let leads = 0...40_320

extension CheckInSeries {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      ids.contains(id) && descriptions.contains(description.utf8.count) && leads.contains(lead)
      && (5...1_440).contains(limit) && recurrence.refusal() == nil
      && [createdAt, changedAt, askedUntil].allSatisfy(times.contains)
      && exceptions.values.allSatisfy(\.isSound)
    return isSound ? nil : "a value of the series is out of its range"
  }
}

extension CheckInSeries.Exception {
  fileprivate var isSound: Bool {
    times.contains(due) && times.contains(base) && leads.contains(lead)
      && descriptions.contains(description.utf8.count)
  }
}

extension CheckIn {
  /// As of all rows of check-ins.
  package var misfit: String? {
    let isSound =
      ids.contains(series) && descriptions.contains(description.utf8.count)
      && comment.utf8.count <= 500 && (0...ids.upperBound).contains(nagged)
      && (5...1_440).contains(limit) && (0...ids.upperBound).contains(round)
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
