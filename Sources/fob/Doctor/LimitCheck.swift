/// What this process may use at most: descriptors, and inotify's instances of this user.
struct LimitCheck: BenchCheck {
  /// The hard limit, to which fob raises itself; nil: none, or unknown.
  let descriptors: Int?
  let maxInotifyInstances: Int?
  let inotifyUsed: Int

  /// A keychain takes six to eight.
  static let descriptorsOfKeychain = 8
  static let fewDescriptors = 1_024
  static let fewInstances = 8

  init(_ bench: BenchRoot) {
    descriptors = (bench.text("/proc/self/limits") ?? "").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("Max open files") }
      .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst(4).first }
      .flatMap { Int($0) }
    maxInotifyInstances = bench.number("/proc/sys/fs/inotify/max_user_instances")
    // Those of other users cannot be seen, and do not count.
    inotifyUsed = bench.processes.reduce(0) { sum, process in
      let folder = "/proc/\(process)/fd"
      return sum
        + bench.entries(folder).count {
          bench.target("\(folder)/\($0)")?.hasPrefix("anon_inode:inotify") == true
        }
    }
  }

  var findings: [Finding] { [descriptorFinding, inotifyFinding] }

  private var descriptorFinding: Finding {
    guard let descriptors else { return .ok("descriptors", "no limit") }
    let keychains = descriptors / Self.descriptorsOfKeychain
    return descriptors < Self.fewDescriptors
      ? .warning(
        "descriptors", "at most \(descriptors) files open: about \(keychains) keychains",
        "raise it with ulimit -Hn, or LimitNOFILE= of the service")
      : .ok("descriptors", "up to \(descriptors): about \(keychains) keychains")
  }

  private var inotifyFinding: Finding {
    guard let maxInotifyInstances else { return .ok("inotify", "no limit") }
    let words = "\(inotifyUsed) of \(maxInotifyInstances) instances in use"
    guard maxInotifyInstances - inotifyUsed < Self.fewInstances else {
      return .ok("inotify", words)
    }
    let text = "\(words): a bridge cannot watch for its devices' names"
    let hint = "sudo sysctl fs.inotify.max_user_instances=512"
    return inotifyUsed >= maxInotifyInstances
      ? .error("inotify", text, hint) : .warning("inotify", text, hint)
  }
}
