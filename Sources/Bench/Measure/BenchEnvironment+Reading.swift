extension BenchEnvironment {
  /// This machine now, and how fast its disk makes a page durable in a folder.
  public static func read(folder: String) -> BenchEnvironment {
    BenchEnvironment()
  }

  /// The load of the last minute, for `loadAfter`.
  public static func load() -> Double { 0 }
}
