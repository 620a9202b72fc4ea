public import Bridge
public import FobBase
import Foundation

/// How the console is set up.
public struct ConsoleConfiguration: Sendable {
  /// A certificate chain and its key, as PEM files.
  public struct TLS: Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  public var address: ListenAddress
  public var tokens: TokenBook
  public var links: Links
  public var tls: TLS?
  /// Names that this server answers to, beside the loopback's, the address at which it was reached,
  /// and that of the public URL.
  public var hosts: [String] = []
  /// What the page is opened with; nil: nobody can come in by the page.
  public var code: OneTimeCode?
  /// Nil: no mail is sent.
  public var mail: AlertBridge.Mail?
  /// Where bridges on other hosts feed the core; nil: they cannot.
  public var feed: FeedServer?
  /// What a test engineer sees and does; nil: there is no bench.
  public var workbench: (any Workbench)?
  /// As contacts can open it, as in https://alarm.example.org; nil where they cannot.
  public var publicURL: String?
  /// Where there is no public address, a link that is mailed to the owner leads back to where they
  /// asked for it: on a bench they read their mail on this host.
  public var mailsLeadBack = false
  /// At one time; by the descriptors that this process may have, where it is not said.
  public var connectionLimit: Int?
  /// How long one who has shown no token may take to ask, to send a body, to take an answer.
  public var anonymousPatience = ConsoleLimits.anonymousPatience
  /// At one time.
  public var streamLimit = ConsoleLimits.streams
  /// Of one token.
  public var streamLimitOfToken = ConsoleLimits.streamsOfToken
  /// How long a stream's reader may leave a write waiting.
  public var streamPatience = Interval.seconds(10)
  public var heartbeat = Interval.seconds(15)
  /// Tells whoever runs the core; it must not wait.
  public var notice: @Sendable (String) -> Void = { _ in }

  /// Those that others may ask for this server by, the loopback's apart.
  var names: [String] {
    let listening = address.isWildcard ? [] : [address.host]
    return listening + hosts
      + [publicURL.flatMap(ListenAddress.host(ofPublicURL:))].compactMap(\.self)
  }

  public init(address: ListenAddress, tokens: TokenBook, links: Links) {
    self.address = address
    self.tokens = tokens
    self.links = links
  }
}

/// Where the console listens. Loopback is for everybody on this host; anywhere else what is said
/// must not be read on the way.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  public let host: String
  /// 0: one that is free.
  public let port: Int

  public static let standard = try! ListenAddress("127.0.0.1:8787", isTLS: false)

  /// - Parameters:
  ///   - text: HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787.
  ///   - isForced: the operator vouches for the network, as behind a proxy that has TLS.
  public init(_ text: String, isTLS: Bool, isForced: Bool = false) throws(Refusal) {
    let bad = Refusal(
      description: "'\(text)' is no address; write HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787")
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let name = HostRule.name(of: text), !text[..<colon].isEmpty
    else { throw bad }
    host = name
    self.port = Int(port)
    guard isTLS || isForced || host == "localhost" || HostAddress(host)?.isLoopback == true else {
      throw Refusal(
        description:
          "\(host) can be reached from other hosts, and without TLS tokens and PINs could"
          + " be read on the way; give a certificate and key, listen on 127.0.0.1, or force it")
    }
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// A name or an address, and nothing more.
  public static func isHost(_ text: String) -> Bool {
    if HostAddress(text) != nil { return true }
    return (1...253).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains($0))
      }
  }

  /// Nil: it is no address of a page that a browser opens.
  public static func host(ofPublicURL text: String) -> String? {
    guard let parts = URLComponents(string: text), let host = parts.host,
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.user == nil,
      parts.query == nil, parts.fragment == nil
    else { return nil }
    // Foundation leaves an address of IPv6 in its brackets.
    let plain = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    return isHost(plain) ? plain : nil
  }

  /// Every address of this host.
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}
