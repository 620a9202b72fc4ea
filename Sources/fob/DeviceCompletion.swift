import ArgumentParser
import Bridge
import Foundation
import Transport

extension CompletionKind {
  /// What may be given to `--device` and its like.
  static var deviceSpec: CompletionKind {
    .custom { _, _, prefix in DeviceCompletion.candidates(prefix) }
  }

  /// A control socket, those of the runtime folder first.
  static var controlSocket: CompletionKind {
    .custom { _, _, prefix in
      let running = SocketScan(folder: RuntimeFolder.path).paths
      return running + DeviceCompletion.paths(prefix)
    }
  }
}

/// Device specs for the Tab key: what runs here, what is plugged in, and paths.
enum DeviceCompletion {
  /// - Parameter prefix: what was typed of it.
  static func candidates(_ prefix: String) -> [String] {
    let running = SocketScan(folder: RuntimeFolder.path).sockets().compactMap { $0.keychain?.spec }
    let plugged =
      (try? HotplugMonitor.devices(.device) + HotplugMonitor.devices(.port)) ?? []
    let usb = plugged.filter { KeychainMatch().takes($0) }.map { "\($0.spec)" }
    let ports = PortScan(root: "").ports().map(\.path)
    var seen: Set<String> = []
    return (running.map(plain) + usb + ports + paths(prefix)).filter { seen.insert($0).inserted }
  }

  /// A shell ends a word at a colon: where a path alone says the same, it is offered.
  private static func plain(_ spec: String) -> String {
    for kind in ["pty:/", "unix:/"] where spec.hasPrefix(kind) {
      return "/" + spec.dropFirst(kind.count)
    }
    return spec
  }

  /// What stands in the folder that was typed so far, for a path alone.
  static func paths(_ prefix: String) -> [String] {
    guard let slash = prefix.lastIndex(of: "/") else { return [] }
    let folder = String(prefix[...slash])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { folder + $0 }
  }
}
