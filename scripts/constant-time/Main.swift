/// `constant-time ROUNDS`: measures each operation of the seal up to five times, and fails where
/// each time tells of the secret, or where the planted mistake is not found.
@main
enum Main {
  static func main() {
    guard CommandLine.arguments.count == 2, let rounds = Int(CommandLine.arguments[1]) else {
      fatalError("usage: constant-time ROUNDS")
    }
    var isRight = true
    for operation in TimingLeak.allCases {
      let isPlanted = operation == .stopsEarly
      var tried: [Double] = []
      while tried.count < 5, !tried.contains(where: { ($0 > TimingLeak.certain) == isPlanted }) {
        tried.append(operation.outcome(rounds: rounds, seed: UInt64(tried.count + 1)).t)
      }
      let found = tried.map { String(Int($0 * 10) / 10) }.joined(separator: ", ")
      print("\(operation.rawValue): |t| \(found)\(isPlanted ? " (planted)" : "")")
      if tried.last.map({ ($0 > TimingLeak.certain) == isPlanted }) != true { isRight = false }
    }
    if !isRight { fatalError("the time tells of a secret, or the planted mistake is not found") }
  }
}
