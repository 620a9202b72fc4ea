import FobBase

/// The affirmations of an account (R75, R76): its lines, which of them is shown, and when the owner
/// is reminded of it. The supplied lines are the account's until its first change, which stores
/// them with it: what is deleted then stays deleted.
///
/// A reminder is a log entry and nothing else: it asks nothing, has no light, and raises no alarm.
public struct Affirmations: Sendable {
  /// The oldest first.
  public private(set) var lines = supplied.enumerated().map { Affirmation(id: $0 + 1, text: $1) }
  /// Which line is shown, and when the owner is reminded.
  public private(set) var settings = AffirmationSettings(
    current: 1, last: supplied.count, schedule: AffirmationSchedule(.never))
  /// The lines are stored.
  private var isStored = false
  /// When the owner is reminded.
  private var moments = LocalMoments()

  init() {}

  /// The line that is shown; nil: there is none.
  public var current: Affirmation? { lines.first { $0.id == settings.current } }

  /// One line each, with a newline at its end; empty without lines.
  public var file: String { lines.map { $0.text + "\n" }.joined() }

  // MARK: Requests

  mutating func perform(
    _ command: AffirmationCommand, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    switch command {
    case .add(let text):
      let text = try Affirmation.checked(text)
      guard lines.count < Affirmation.most else {
        throw .tooMany("affirmations", limit: Affirmation.most)
      }
      store(&output)
      append(text, &output)
      settings.current = settings.last
    case .remove(let id):
      guard let index = lines.firstIndex(where: { $0.id == id }) else { throw .unknownAffirmation }
      store(&output)
      if settings.current == id {
        let next = lines[(index + 1) % lines.count].id
        settings.current = next == id ? nil : next
      }
      lines.remove(at: index)
      output.changes.affirmations.append(.lineRemoved(id))
    case .select(let id):
      guard lines.contains(where: { $0.id == id }) else { throw .unknownAffirmation }
      guard settings.current != id else { return }
      settings.current = id
    case .next: try turn(by: 1)
    case .previous: try turn(by: -1)
    case .remind(let schedule):
      if let refusal = schedule.refusal { throw refusal }
      settings.schedule = schedule
      moments.forget()
    case .replace(let texts):
      let texts = try Self.checked(texts)
      isStored = true
      output.changes.affirmations += lines.map { .lineRemoved($0.id) }
      lines = []
      for text in texts { append(text, &output) }
      settings.current = lines.first?.id
    }
    store(&output)
    output.changes.affirmations.append(.settings(settings))
    output.note(AuditEvent(.affirmationsChanged, at: now, by: who))
  }

  /// From here on they are the account's own.
  private mutating func store(_ output: inout CoreOutput) {
    guard !isStored else { return }
    isStored = true
    output.changes.affirmations += lines.map { .line($0) }
  }

  private mutating func append(_ text: String, _ output: inout CoreOutput) {
    settings.last += 1
    let line = Affirmation(id: settings.last, text: text)
    lines.append(line)
    output.changes.affirmations.append(.line(line))
  }

  private mutating func turn(by step: Int) throws(UserCommand.Refusal) {
    guard let index = lines.firstIndex(where: { $0.id == settings.current }) else {
      throw .unknownAffirmation
    }
    settings.current = lines[(index + step + lines.count) % lines.count].id
  }

  /// All of them, or none.
  private static func checked(_ texts: [String]) throws(UserCommand.Refusal) -> [String] {
    guard texts.count <= Affirmation.most else {
      throw .tooMany("affirmations", limit: Affirmation.most)
    }
    for (index, text) in texts.enumerated() {
      let refusal: UserCommand.Refusal
      do throws(UserCommand.Refusal) {
        if try Affirmation.checked(text) == text { continue }
        refusal = .invalid("text", "has white space at an end")
      } catch {
        refusal = error
      }
      guard case .invalid(_, let reason) = refusal else { throw refusal }
      throw .invalid("line \(index + 1)", reason)
    }
    return texts
  }

  // MARK: Reminders

  @inline(__always)
  func nextWake(after now: Timestamp) -> Timestamp? { moments.due.map { now.look(for: $0) } }

  /// The account's zone is another, or has other offsets.
  mutating func zoneChanged() { moments.forget() }

  /// Reminds the owner of the current line when that is due.
  /// - Parameters:
  ///   - zone: of the account; nil: not known yet.
  ///   - mayTell: the owner is logged in, and no alarm is open.
  mutating func pass(
    in zone: ZoneTable?, mayTell: Bool, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard settings.schedule.every != .never,
      moments.takeDue(of: settings.schedule.recurrence, in: zone, at: now) != nil,
      mayTell, current != nil
    else { return }
    output.note(AuditEvent(.affirmationDue, at: now))
  }

  // MARK: Restart

  mutating func recover(_ stored: StoredAffirmations) {
    guard stored.settings != nil || !stored.lines.isEmpty else { return }
    isStored = true
    lines = stored.lines.sorted { $0.id < $1.id }
    let last = max(stored.settings?.last ?? 0, lines.last?.id ?? 0)
    settings = AffirmationSettings(
      current: stored.settings?.current, last: last,
      schedule: stored.settings?.schedule ?? AffirmationSchedule(.never))
    if current == nil { settings.current = lines.first?.id }
  }
}

extension AlertCore {
  mutating func perform(
    _ command: AffirmationCommand, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    if let companionRefusal { return companionRefusal }
    do throws(UserCommand.Refusal) {
      try affirmations.perform(command, by: who, at: now, &output)
      return nil
    } catch {
      return error
    }
  }
}
