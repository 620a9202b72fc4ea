public import Bridge
public import FobBase
import Foundation

/// The settings of the console; `fob` makes them from its options.
public struct ConsoleConfiguration: Sendable {
  /// A certificate chain and its key, as PEM files.
  public struct TLS: Sendable {
    /// The file of the chain, the server's own certificate first.
    public let certificate: String
    /// The file of the key, without a password; others may not read it.
    public let key: String

    /// Takes paths; the files are read when the server is made.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Where to listen.
  public var address: ListenAddress
  /// The tokens of the core's state folder.
  public var tokens: TokenBook
  /// Signs the links in messages and mails.
  public var links: Links
  /// Nil: plain HTTP.
  public var tls: TLS?
  /// Further host names that this server answers to, beside the loopback's names, the address at
  /// which it was reached, and the public URL's host.
  public var hosts: [String] = []
  /// Where sessions of the page are kept over a restart; nil: in memory alone.
  public var sessionFolder: String?
  /// The one-time code that opens the page; nil: nobody can log in by the page.
  public var code: OneTimeCode?
  /// Hands a mail to the mail system; nil: no mail is sent.
  public var mail: AlertBridge.Mail?
  /// Takes the batches of bridges on other hosts; nil: they are refused.
  public var feed: FeedServer?
  /// All accounts of the core; nil: it keeps one alone.
  public var accounts: (any CoreAccounts)?
  /// The test engineer's bench; nil: there is none.
  public var workbench: (any Workbench)?
  /// The address that contacts can open, as in https://alarm.example.org; nil if there is none.
  public var publicURL: String?
  /// Without a public address, a link in a mail to the owner leads back to the address of their
  /// request: on a bench they read mail on this host.
  public var mailsLeadBack = false
  /// The most connections at one time; nil: as many as this process's descriptors allow.
  public var connectionLimit: Int?
  /// How long a client may take for its body and, where that is short, for taking the answer; an
  /// anonymous one for its request, too.
  public var patience = ConsoleLimits.patience
  /// The most event streams at one time.
  public var streamLimit = ConsoleLimits.streams
  /// The most event streams of one token.
  public var streamLimitOfToken = ConsoleLimits.streamsOfToken
  /// How often the requests of one account may change what is kept.
  public var changeRate = ConsoleLimits.changeRate
  /// How often the requests of one account may ask for its erasure.
  public var erasureRate = ConsoleLimits.erasureRate
  /// How long a write to a stream may wait until its client is dropped.
  public var streamPatience = Interval.seconds(10)
  /// How long a stream may be silent before a comment shows that it lives.
  public var heartbeat = Interval.seconds(15)
  /// Tells the operator something, as a sentence; it must not wait.
  public var notice: @Sendable (String) -> Void = { _ in }

  /// The names by which other hosts may address this server.
  var names: [String] {
    let listening = address.isWildcard ? [] : [address.host]
    return listening + hosts
      + [publicURL.flatMap(ListenAddress.host(ofPublicURL:))].compactMap(\.self)
  }

  /// A console over plain HTTP with the standard limits; the rest is set afterwards.
  public init(address: ListenAddress, tokens: TokenBook, links: Links) {
    self.address = address
    self.tokens = tokens
    self.links = links
  }
}

/// The address where the console listens. On loopback anything on this host may connect; elsewhere
/// nobody on the way may read along, so TLS is required.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
  /// Why the console may not listen there.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    /// A clause with a hint, for the command line.
    public let description: String
  }

  /// A name or an IP address, in lower case and without brackets.
  public let host: String
  /// 0: any free port.
  public let port: Int

  /// The address if the operator names none.
  public static let standard = try! ListenAddress("127.0.0.1:8787", isTLS: false)

  /// - Parameters:
  ///   - text: HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787.
  ///   - isTLS: whether there is a certificate and key, so that other hosts may connect.
  ///   - isForced: the operator vouches for the network, such as behind a proxy with TLS.
  /// - Throws: if it is no address, or reachable from other hosts without TLS.
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

  /// The text is a host name or an IP address, without a port.
  public static func isHost(_ text: String) -> Bool {
    if HostAddress(text) != nil { return true }
    return (1...253).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains($0))
      }
  }

  /// The host of an http or https URL; nil if a browser could not open it as the base of links.
  public static func host(ofPublicURL text: String) -> String? {
    guard let parts = URLComponents(string: text), let host = parts.host,
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.user == nil,
      parts.query == nil, parts.fragment == nil
    else { return nil }
    // Foundation leaves an IPv6 address in its brackets.
    let plain = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    return isHost(plain) ? plain : nil
  }

  /// It listens at every address of this host.
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}
