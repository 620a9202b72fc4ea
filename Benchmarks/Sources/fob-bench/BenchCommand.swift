import CBench
import Foundation

/// `fob-bench PART [OPTION VALUE]…`: each part prints its table and keeps its rows in a file.
@main struct BenchCommand {
  static func main() {
    do {
      try run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("fob-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) throws {
    bench_go_first()
    switch arguments.part {
    // For Benchmarks/Python.
    case "dump": try SharedWork(arguments).run()
    case "take-turns": try TurnTaker(arguments).run()
    case "codec": try CodecBenchmark(arguments).run()
    case "nmea": try NMEABenchmark(arguments).run()
    case "press": try PressBenchmark(arguments).run()
    case "echo": try EchoBenchmark(arguments).run()
    case "journal": try JournalBenchmark(arguments).run()
    case "wal": try WALBenchmark(arguments).run()
    case "durable": try DurableBenchmark(arguments).run()
    case "turn": try TurnBenchmark(arguments).run()
    case "check-ins":
      var benchmark = try CheckInBenchmark(arguments)
      try benchmark.run()
    // What they start as processes of their own.
    case "receive-bare", "receive-bridge", "echo-bare", "echo-line", "keep-awake":
      bench_end_with_parent()
      try arguments.pin()
      switch arguments.part {
      case "receive-bare": try BareReceiver(arguments).run()
      case "receive-bridge": try BridgeReceiver(arguments).run()
      case "echo-bare": try EchoReceiver(arguments).runBare()
      case "echo-line": try EchoReceiver(arguments).runLine()
      default: bench_keep_awake()
      }
    default:
      throw BenchFailure(
        "no part '\(arguments.part)': write codec, nmea, echo, press, journal, wal, turn, durable"
          + " or check-ins")
    }
  }
}

/// Says what could not be measured, and why.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// `--name value` pairs behind the part's name.
struct Arguments {
  let part: String
  private var values: [String: String] = [:]

  init(_ words: some Collection<String>) throws {
    part = words.first ?? ""
    var rest = words.dropFirst()
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else {
        throw BenchFailure("'\(name)' is not an option with a value")
      }
      values[String(name.dropFirst(2))] = value
    }
  }

  /// Keeps this process on the processor that `--processor` names.
  func pin() throws {
    let processor = try number("processor")
    guard bench_pin(Int32(processor)) else {
      throw BenchFailure("this process may not run on processor \(processor)")
    }
  }

  func optional(_ name: String) -> String? { values[name] }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw BenchFailure("--\(name) is missing") }
    return value
  }

  func number(_ name: String, default standard: Int? = nil) throws -> Int {
    if values[name] == nil, let standard { return standard }
    guard let number = Int(try text(name)) else { throw BenchFailure("--\(name) is no number") }
    return number
  }
}
