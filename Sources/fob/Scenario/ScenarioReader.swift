import AlertCore
import ArgumentParser
import Bridge
import Emulator
import FobBase
import Yams

/// Reads a scenario file. What is wrong in it is said with its line.
struct ScenarioReader {
  private let path: String
  private let parse: ([String]) throws -> Void

  /// - Parameter parse: throws for what are no options of `fob run`.
  static func read(
    _ text: String, path: String,
    parsing parse: @escaping ([String]) throws -> Void = { _ = try Run.parse($0) }
  ) throws(Failure) -> Scenario {
    try ScenarioReader(path: path, parse: parse).scenario(text)
  }

  private func scenario(_ text: String) throws(Failure) -> Scenario {
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Failure(.usage, "cannot read \(path): \(Self.words(for: error))")
    } catch {
      throw Failure(.usage, "cannot read \(path): it is no YAML")
    }
    guard case .mapping(let top)? = root else {
      throw Failure(.usage, "cannot read \(path): it is no mapping with name, bench and steps")
    }
    var scenario = Scenario(name: path, options: [], steps: [])
    for (key, value) in top {
      switch key.string {
      case "name": scenario.name = try scalar(value, "a name")
      case "bench": try bench(value, of: &scenario)
      case "steps": scenario.steps = try steps(value)
      default: throw wrong(key, "'\(plain(key))' is not known; there are name, bench and steps")
      }
    }
    guard !scenario.steps.isEmpty else {
      throw Failure(.usage, "cannot play \(path): it has no steps")
    }
    return scenario
  }

  private static func words(for error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "line \(mark.line): \(problem)"
    default: "it is no YAML"
    }
  }

  // MARK: The bench

  /// Beside the options of the command line: what only a bench may have in a file.
  private func bench(_ node: Node, of scenario: inout Scenario) throws(Failure) {
    for (key, value) in try mapping(node, "options of fob run, as gps: story:tunnel") {
      let name = try scalar(key, "an option")
      let text = try scalar(value, "the option's value")
      switch name {
      case "pin":
        scenario.pin = PIN(text)
        if scenario.pin == nil { throw wrong(value, "pin takes four digits, in quotes") }
      case "protecting":
        guard let isProtecting = Bool(text) else { throw wrong(value, "protecting: true or false") }
        scenario.isProtecting = isProtecting
      default:
        scenario.options.append("--" + String(name.map { $0 == "_" ? "-" : $0 }))
        if text != "true" { scenario.options.append(text) }
      }
    }
    do {
      try parse(scenario.options)
    } catch {
      throw wrong(node, Run.message(for: error))
    }
  }

  // MARK: Steps

  private func steps(_ node: Node) throws(Failure) -> [ScenarioStep] {
    guard case .sequence(let nodes) = node else { throw wrong(node, "steps is a list") }
    var steps: [ScenarioStep] = []
    for node in nodes {
      steps.append(
        ScenarioStep(line: node.mark?.line ?? 0, text: plain(node), action: try action(node)))
    }
    return steps
  }

  private func action(_ node: Node) throws(Failure) -> ScenarioStep.Action {
    if let word = node.string { return .ask(try question(word, nil, at: node), isRefused: false) }
    let pairs = try mapping(node, "a step: a word, or a word with its fields")
    guard pairs.count == 1, let (key, value) = pairs.first else {
      throw wrong(node, "a step is one word with its fields: begin the next with a new '-'")
    }
    let word = try scalar(key, "what to do")
    switch word {
    case "wait": return try wait(value)
    case "never": return try never(value)
    case "expect": return try expect(value)
    case "pause": return .pause(try interval(value))
    case "advance": return .advance(try interval(value))
    case "series": return .series(try series(value), isRefused: false)
    case "refused":
      switch try action(value) {
      case .ask(let question, _): return .ask(question, isRefused: true)
      case .series(let series, _): return .series(series, isRefused: true)
      default: throw wrong(value, "only a request can be refused")
      }
    default: return .ask(try question(word, value, at: key), isRefused: false)
    }
  }

  /// The steps that are no request; as a request, `wait` is one of them, too.
  private static let judging = ["wait", "never", "expect", "refused", "pause", "series", "advance"]

  private static let requests = (EmulatedKeychain.requests + BridgeControl.requests)
    .filter { !judging.contains($0) }

  private func question(
    _ word: String, _ fields: Node?, at node: Node
  ) throws(Failure) -> ControlQuestion {
    guard !Self.judging.contains(word) else {
      throw wrong(node, "\(word) does not stand alone; what it is about follows a colon")
    }
    guard Self.requests.contains(word) else {
      let known = Self.judging + Set(Self.requests).sorted()
      throw wrong(node, "'\(word)' is no step; there are \(known.joined(separator: ", "))")
    }
    guard let fields else { return ControlQuestion(word) }
    var values: [String: Any] = [:]
    var texts = try texts(fields, "the request's fields, as hold_ms: 500")
    let account = try account(among: &texts, fields)
    for (name, text) in texts {
      let field = String(name.map { $0 == "-" ? "_" : $0 })
      values[field] = Self.value(text, of: field)
    }
    let question = ControlQuestion(word, values)
    guard account == nil || question.isOfBridge else {
      throw wrong(
        key("account", in: fields) ?? node, "\(word) is asked of the keychain, and of no account")
    }
    return try question.of(account: account)
  }

  /// A number or flag, where it looks like one and the field is none that holds text.
  private static func value(_ text: String, of field: String) -> Any {
    if ["pin", "event", "contact", "source", "key", "comment"].contains(field) { return text }
    if let number = Int(text) { return number }
    if let decimal = Double(text), decimal.isFinite { return decimal }
    return Bool(text) ?? text
  }

  private func wait(_ node: Node) throws(Failure) -> ScenarioStep.Action {
    var fields = try texts(node)
    let times = try count(fields.removeValue(forKey: "times") ?? "1", node)
    let within = try fields.removeValue(forKey: "within").map { text throws(Failure) in
      try interval(text, node)
    }
    return .wait(
      try pattern(fields, beside: ["times", "within"], node), times: times,
      within: within ?? Scenario.patience)
  }

  private func never(_ node: Node) throws(Failure) -> ScenarioStep.Action {
    var fields = try texts(node)
    guard let during = fields.removeValue(forKey: "for") else {
      throw wrong(node, "never needs for, as in for: 2s")
    }
    return .never(try pattern(fields, beside: ["for"], node), during: try interval(during, node))
  }

  private func pattern(
    _ fields: [String: String], beside own: [String], _ node: Node
  ) throws(Failure) -> EventPattern {
    do throws(EventPattern.Mistake) {
      return try EventPattern(fields, beside: own)
    } catch {
      throw wrong(error.field.flatMap { key($0, in: node) } ?? node, error.reason)
    }
  }

  private func expect(_ node: Node) throws(Failure) -> ScenarioStep.Action {
    var fields = try texts(node)
    let within = try fields.removeValue(forKey: "within").map { text throws(Failure) in
      try interval(text, node)
    }
    let account = try account(among: &fields, node)
    guard !fields.isEmpty else { throw wrong(node, "nothing is expected") }
    guard account == nil || fields.keys.contains(where: ScenarioBench.isOfAccount) else {
      let readings = ScenarioBench.readings.filter(ScenarioBench.isOfAccount)
      throw wrong(
        key("account", in: node) ?? node,
        "none of this is an account's; of one are \(readings.joined(separator: ", "))")
    }
    let expectations = fields.sorted { $0.key < $1.key }.map { ScenarioExpectation($0, $1) }
    return .expect(expectations, of: account, within: within ?? Scenario.patience)
  }

  // MARK: Values

  func mapping(_ node: Node, _ what: String) throws(Failure) -> [(Node, Node)] {
    guard case .mapping(let mapping) = node else { throw wrong(node, "here belong \(what)") }
    return mapping.map { ($0.key, $0.value) }
  }

  private func texts(
    _ node: Node, _ what: String = "fields, as light: accepted"
  ) throws(Failure) -> [String: String] {
    var fields: [String: String] = [:]
    for (key, value) in try mapping(node, what) {
      fields[try scalar(key, "a field")] = try scalar(value, "a value")
    }
    return fields
  }

  /// The key of that name, for its line.
  private func key(_ name: String, in node: Node) -> Node? {
    guard case .mapping(let mapping) = node else { return nil }
    return mapping.first { $0.key.string == name }?.key
  }

  func scalar(_ node: Node, _ what: String) throws(Failure) -> String {
    guard case .scalar(let scalar) = node else { throw wrong(node, "here belongs \(what)") }
    return scalar.string
  }

  /// Takes the account out of the fields of a step; nil: it names none.
  private func account(
    among fields: inout [String: String], _ node: Node
  ) throws(Failure) -> AccountNumber? {
    guard let text = fields.removeValue(forKey: "account") else { return nil }
    return try account(text, key("account", in: node) ?? node)
  }

  func account(_ text: String, _ node: Node) throws(Failure) -> AccountNumber {
    guard let account = AccountNumber(argument: text) else {
      throw wrong(node, "account is an account's number, from 1 on, not '\(text)'")
    }
    return account
  }

  private func count(_ text: String, _ node: Node) throws(Failure) -> Int {
    guard let count = Int(text), (1...1_000).contains(count) else {
      throw wrong(node, "times is 1 to 1000, not '\(text)'")
    }
    return count
  }

  private func interval(_ node: Node) throws(Failure) -> Interval {
    try interval(try scalar(node, "a time"), node)
  }

  /// `250ms`, `2s`, `1.5s`, `3m`.
  func interval(_ text: String, _ node: Node) throws(Failure) -> Interval {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["ms": 1e3, "s": 1e6, "m": 6e7]
    guard let number = Double(digits), let unit = units[text.dropFirst(digits.count)],
      number * unit <= 3.6e9
    else {
      throw wrong(node, "'\(text)' is no time up to an hour; write 250ms, 2s or 3m")
    }
    return .microseconds(Int64(number * unit))
  }

  func wrong(_ node: Node, _ reason: String) -> Failure {
    Failure(.usage, "\(path), line \(node.mark?.line ?? 0): \(reason)")
  }

  /// A node on one line.
  private func plain(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.string
    case .mapping(let mapping):
      mapping.map { "\(plain($0.key)): \(plain($0.value))" }.joined(separator: ", ")
    case .sequence(let sequence): sequence.map(plain).joined(separator: ", ")
    case .alias: "*"
    }
  }
}
