/// Where the owner finds help: always in sight beside the messages.
public struct HelpLink: Codable, Equatable, Sendable {
  /// 1 to 100 bytes.
  public let label: String
  /// As people dial it, so that short numbers may be, too; may be empty.
  public let phone: String
  /// Begins with "https://"; may be empty.
  public let address: String

  /// How many there are at most.
  public static let most = 10

  /// Nothing is checked.
  public init(label: String, phone: String = "", address: String = "") {
    self.label = label
    self.phone = phone
    self.address = address
  }

  /// Why a core cannot use those of a store, as a clause; nil where it can.
  package static func misfit(of links: [HelpLink]) -> String? {
    links.count <= most && links.allSatisfy({ (try? $0.checked()) == $0 })
      ? nil : "a help link is none"
  }

  /// The checked link, with its parts in their stored form.
  func checked() throws(UserCommand.Refusal) -> HelpLink {
    let label = try FieldValidation.name(label, "label")
    let isDialled =
      phone.utf8.count <= 40
      && phone.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+*#()-/ ".utf8.contains($0)
      }
    guard isDialled else { throw .invalid("phone", "is no telephone number") }
    let isAddress =
      address.isEmpty
      || address.hasPrefix("https://") && (9...500).contains(address.utf8.count)
        && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isAddress else { throw .invalid("address", "does not begin with https://") }
    guard !phone.isEmpty || !address.isEmpty else {
      throw .invalid("phone", "is missing, and so is the address")
    }
    return HelpLink(label: label, phone: phone, address: address)
  }
}
