/// Something of which a machine has only so much, and of which each keychain takes a part.
public enum LoadResource: String, Codable, CaseIterable, Sendable {
  case processor, memory, descriptors, threads
  /// Instances of inotify(7) of this user.
  case inotify
}

/// How much of a resource is in use, of how much.
public struct ResourceUse: Codable, Equatable, Sendable {
  public var resource: LoadResource
  /// Share of a processor times 1,000, bytes, or how many.
  public var used: Int
  public var limit: Int

  public init(_ resource: LoadResource, used: Int, limit: Int) {
    self.resource = resource
    self.used = used
    self.limit = limit
  }

  /// 0 to 1, or more.
  public var share: Double { limit > 0 ? Double(used) / Double(limit) : 1 }

  /// What is nearest to its limit: what gives out first if more keychains come.
  public static func scarcest(_ uses: [ResourceUse]) -> ResourceUse? {
    uses.max { $0.share < $1.share }
  }
}
