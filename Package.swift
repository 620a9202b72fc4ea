// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house + more)
}

/// What only `fob` is made of, where a device-second of the simulation is to cost a microsecond.
/// The machine of the firmware is made anew for each kind of board; the world, which is one thread,
/// leaves out of release what debug builds check at every access to a class.
let ofOneBoard: [SwiftSetting] = [
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))
]
let ofOneThread: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: house)
}

let package = Package(
  name: "fob",
  products: [
    .executable(name: "fob", targets: ["fob"]),
    .library(name: "WireProtocol", targets: ["WireProtocol"]),
    .library(name: "NMEA", targets: ["NMEA"]),
    .library(
      name: "Bridge",
      targets: [
        "Bridge", "Storage", "Sinks", "Transport", "AlertCore", "SystemCrypto", "SerialIO",
        "FobBase",
      ]),

  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    // Without what reads its configuration: the console has its own.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .target(name: "CProcessor"),
    layer("FobBase", ["CProcessor"]),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    // Loads libpq when a server is named, so that only who has one needs it.
    .target(name: "CPostgres"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

    layer("WireProtocol", ["CProcessor", "FobBase"]),
    layer("NMEA", ["CProcessor", "FobBase"]),
    .target(name: "CLinux", linkerSettings: [.linkedLibrary("crypt")]),
    // The page that the console serves; its files are read by the compiler.
    .target(name: "CPage", exclude: ["page"]),

    layer("AlertCore", ["FobBase", "WireProtocol"]),
    layer("Firmware", ["FobBase", "WireProtocol", "NMEA"], ofOneBoard),
    layer("Capture", ["FobBase", "WireProtocol"]),
    layer("Judge", ["FobBase", "WireProtocol"]),
    layer("USB", ["FobBase", "WireProtocol"]),
    layer("SystemCrypto", ["COpenSSL"]),
    layer("SerialIO", ["FobBase", "CLinux"]),
    layer("Control", ["FobBase", "WireProtocol", "SerialIO"]),

    layer("Transport", ["FobBase", "WireProtocol", "USB", "SerialIO", "CUdev", "CUSB"]),
    layer(
      "Emulator",
      [
        "FobBase", "CLinux", "CZlib", "WireProtocol", "NMEA", "Firmware", "USB", "SerialIO",
        "Control",
      ]),
    layer(
      "Storage",
      [
        "FobBase", "WireProtocol", "AlertCore", "SerialIO", "CPostgres",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    layer(
      "Sinks",
      [
        "FobBase", "CCurl", "CMosquitto", "SystemCrypto", "AlertCore", "SerialIO", "Control",
      ]),

    layer(
      "Bridge",
      [
        "FobBase", "CLinux", "WireProtocol", "Capture", "AlertCore", "USB", "SerialIO", "Control",
        "Transport", "Storage", "Sinks", "SystemCrypto",
      ]),

    layer(
      "Console",
      [
        "FobBase", "CPage", "CZlib", "CQRencode", "SystemCrypto", "WireProtocol", "AlertCore",
        "SerialIO", "Storage", "Sinks", "Bridge",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
      ]),

    layer(
      "Simulation",
      ["FobBase", "WireProtocol", "NMEA", "AlertCore", "Firmware", "Emulator", "Judge"],
      ofOneThread),

    layer(
      "Bench",
      [
        "FobBase", "CLinux", "SerialIO",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),

    layer(
      "Conformance",
      [
        "FobBase", "WireProtocol", "NMEA", "Firmware", "Capture", "SerialIO", "Control",
        "Transport", "Emulator",
      ]),

    .executableTarget(
      name: "fob",
      dependencies: [
        "FobBase", "CLinux", "AlertCore", "SerialIO", "Control", "Transport", "Emulator",
        "Storage", "Sinks", "Bridge", "Console", "WireProtocol", "NMEA", "USB", "Capture", "Judge",
        "Simulation", "Conformance", "Bench",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Yams", package: "Yams"),
      ], swiftSettings: house),

    // The wire protocol for firmware authors, in C: only tests use it.
    .target(
      name: "CProtocolReference", path: "firmware-protocol/c", exclude: ["README.md"],
      publicHeadersPath: "."),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    .target(name: "CCounters", path: "Tests/CCounters"),
    .executableTarget(
      name: "AlarmPath",
      dependencies: [
        "CCounters", "FobBase", "WireProtocol", "AlertCore", "SerialIO", "Storage", "Bridge",
      ], path: "Tests/AlarmPath", swiftSettings: house),

    tests("FobBaseTests", ["FobBase", "CProcessor"]),
    tests("CPageTests", ["CPage"]),
    tests("WireProtocolTests", ["WireProtocol", "FobBase"]),
    tests("NMEATests", ["NMEA", "FobBase"]),
    tests("FirmwareTests", ["Firmware", "WireProtocol", "FobBase"]),
    tests(
      "AlertCoreTests", ["AlertCore", "WireProtocol", "FobBase"], exclude: ["Account/numbers.tsv"]),
    tests("CaptureTests", ["Capture", "WireProtocol", "FobBase"]),
    tests("JudgeTests", ["Judge", "WireProtocol", "FobBase"]),
    tests("USBTests", ["USB", "WireProtocol", "FobBase"]),
    tests("SystemCryptoTests", ["SystemCrypto", "FobBase"]),
    tests("SerialIOTests", ["SerialIO", "CLinux", "FobBase"]),
    tests("ControlTests", ["Control", "WireProtocol", "SerialIO", "FobBase"]),
    tests("TransportTests", ["Transport", "CUSB", "USB", "WireProtocol", "SerialIO", "FobBase"]),
    tests(
      "EmulatorTests",
      [
        "Emulator", "Transport", "Firmware", "AlertCore", "NMEA", "WireProtocol", "USB", "Control",
        "SerialIO", "FobBase",
      ]),
    tests(
      "StorageTests",
      [
        "Storage", "Simulation", "AlertCore", "WireProtocol", "SerialIO", "CLinux", "FobBase",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], exclude: ["Released"]),
    tests(
      "SinksTests",
      ["Sinks", "SystemCrypto", "AlertCore", "WireProtocol", "SerialIO", "CLinux", "FobBase"]),
    tests(
      "BridgeTests",
      [
        "Bridge", "AlertCore", "Sinks", "Storage", "Transport", "Emulator", "Firmware", "Control",
        "WireProtocol", "SerialIO", "FobBase",
      ]),
    tests(
      "ConsoleTests",
      [
        "Console", "Bridge", "Storage", "Sinks", "AlertCore", "WireProtocol", "SerialIO",
        "FobBase",
      ]),
    tests(
      "SimulationTests",
      ["Simulation", "Judge", "Emulator", "AlertCore", "Firmware", "WireProtocol", "FobBase"]),
    tests(
      "ConformanceTests",
      [
        "Conformance", "Emulator", "Firmware", "Capture", "WireProtocol", "SerialIO", "FobBase",
      ]),
    tests(
      "BenchTests",
      [
        "Bench", "Firmware", "SerialIO", "FobBase",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    tests(
      "FobTests",
      [
        "fob", "FobBase", "CLinux", "WireProtocol", "USB", "SerialIO", "Control", "Transport",
        "Capture", "Bench", "AlertCore", "Storage", "Emulator",
      ]),
    tests("CReferenceTests", ["CProtocolReference", "Firmware", "WireProtocol", "FobBase"]),
    tests("TidyTests", []),
  ],
  swiftLanguageModes: [.v6]
)
