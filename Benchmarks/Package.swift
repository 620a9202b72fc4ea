// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "fob-benchmarks",
  dependencies: [.package(name: "fob", path: "..")],
  targets: [
    .target(name: "CBench", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "fob-bench",
      dependencies: [
        "CBench",
        .product(name: "WireProtocol", package: "fob"),
        .product(name: "NMEA", package: "fob"),
        .product(name: "Bridge", package: "fob"),
      ], swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
