import AlertCore
import FobBase
import Foundation

/// The persons of a file who can become contacts, and the cards that are wrong (R23, R120).
struct ContactImport {
  struct Person: Encodable {
    /// Which card or row of the file it is, from 1: a choice names it.
    let person: Int
    let name: String
    let email: String?
    /// At least one of them is right, and one is chosen.
    let numbers: [Number]
    /// The contact that it is already; nil: none.
    let contact: ContactID?
    /// By what: its name, so that it is passed over, or its number. Nil as `contact` is.
    let duplicate: Duplicate?
    /// What is left out of the card, and why; nil: nothing.
    let problem: String?
  }

  enum Duplicate: String, Encodable, CaseIterable { case name, number }

  struct Number: Encodable {
    /// As the file has it.
    let written: String
    /// E.164; nil: it is wrong.
    let number: String?
    let types: [String]
    let chosen: Bool
    /// What is wrong with it; nil: nothing.
    let problem: String?
  }

  /// A card that gives no contact, or a person who is passed over.
  struct Wrong: Encodable, Equatable {
    let person: Int
    /// Empty: the card gives none.
    let name: String
    let problem: String
  }

  /// As people sort names.
  let people: [Person]
  /// In the order of the file.
  let wrong: [Wrong]

  init(_ written: [WrittenPerson], _ account: Account) {
    var people: [Person] = []
    var wrong: [Wrong] = []
    for person in written {
      let numbers = Self.numbers(of: person, account.country)
      if let problem = Self.problem(with: person, numbers) {
        wrong.append(Wrong(person: person.place, name: person.name, problem: problem))
      } else {
        people.append(Self.person(person, numbers, account))
      }
    }
    let order = NameOrder(account)
    self.people = people.sorted { order.precedes($0.name, $1.name, $0.person < $1.person) }
    self.wrong = wrong
  }

  private static func numbers(of person: WrittenPerson, _ country: String) -> [Number] {
    let read = person.numbers.map { number in
      Result { () throws(PhoneNumber.Problem) in
        try PhoneNumber.e164(number.text, country: country)
      }
    }
    let right = read.indices.filter { (try? read[$0].get()) != nil }
    let chosen =
      right.first { person.numbers[$0].isPreferred }
      ?? right.first { person.numbers[$0].types.contains("cell") } ?? right.first
    return zip(person.numbers, read).enumerated().map { index, pair in
      let (written, read) = pair
      return switch read {
      case .success(let number):
        Number(
          written: written.text, number: number, types: written.types, chosen: index == chosen,
          problem: nil)
      case .failure(let problem):
        Number(
          written: written.text, number: nil, types: written.types, chosen: false,
          problem: problem.description)
      }
    }
  }

  private static func problem(with person: WrittenPerson, _ numbers: [Number]) -> String? {
    let card = "card \(person.place)" + (person.name.isEmpty ? "" : " (\(person.name))")
    if person.name.isEmpty { return "\(card) has no name" }
    guard let first = numbers.first else { return "\(card) has no number" }
    if numbers.contains(where: { $0.number != nil }) { return nil }
    return "\(card): the number \(first.written) \(first.problem ?? "is none")"
  }

  private static func person(
    _ person: WrittenPerson, _ numbers: [Number], _ account: Account
  ) -> Person {
    let chosen = numbers.first(where: \.chosen)?.number
    let named = account.contacts.first { $0.name == person.name }
    let called = account.contacts.first { $0.number == chosen }
    let isMailbox = person.email.map { ContactDraft.isMailbox($0) } ?? true
    return Person(
      person: person.place, name: person.name, email: isMailbox ? person.email : nil,
      numbers: numbers, contact: (named ?? called)?.id,
      duplicate: named != nil ? .name : called != nil ? .number : nil,
      problem: isMailbox ? nil : "its mail address is none, and is left out")
  }
}

extension ContactImport.Person {
  /// With every number that is right, and this one chosen; nil: it is none of them.
  func draft(choosing number: String?) -> ContactDraft? {
    var right: [String] = []
    for number in numbers.compactMap(\.number) where !right.contains(number) {
      right.append(number)
    }
    let chosen = number ?? numbers.first(where: \.chosen)?.number
    guard let chosen, right.contains(chosen) else { return nil }
    return ContactDraft(
      name: name, numbers: right.map { .init(number: $0, chosen: $0 == chosen) }, email: email)
  }
}

/// Names as people sort them: by the rules of the account's language, and neither by case nor by
/// accents unless all else is the same.
struct NameOrder {
  private let locale: Locale

  init(_ account: Account) { locale = Locale(identifier: account.language) }

  /// - Parameter otherwise: where the two cannot be told apart.
  func precedes(_ a: String, _ b: String, _ otherwise: @autoclosure () -> Bool) -> Bool {
    for options: String.CompareOptions in [
      [.caseInsensitive, .diacriticInsensitive, .numeric], [.caseInsensitive], [],
    ] {
      switch a.compare(b, options: options, locale: locale) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return otherwise()
  }
}
