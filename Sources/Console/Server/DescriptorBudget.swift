import SerialIO

/// How many of this process's descriptors connections may take. The store, the notification
/// channels, the control socket and keychains that are plugged in later find theirs, whoever
/// connects.
struct DescriptorBudget: Equatable {
  /// RLIMIT_NOFILE.
  let most: Int
  /// Those that are open when the API begins.
  let open: Int

  static var now: DescriptorBudget {
    let (most, open) = DescriptorLimit.now
    return DescriptorBudget(most: most, open: open)
  }

  /// A quarter, and no fewer than eight keychains, four messages and a few clients need.
  private var kept: Int { max(128, most / 4) }

  /// At least a few: where there are no descriptors for these, either, openings fail, and say so.
  var connections: Int { min(ConsoleLimits.connections, max(8, most - open - kept)) }
}
