public import Bridge
public import FobBase

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
