// swift-tools-version: 6.1
// A package of its own, so that only those who sync with a centre need libpq or an HTTP server.
import PackageDescription

let package = Package(
  name: "RepTraceSync",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "HistorySync", targets: ["HistorySync"]),
    .library(name: "PostgreSQLSync", targets: ["PostgreSQLSync"]),
    .executable(name: "reptrace-sync", targets: ["SyncCommand"]),
  ],
  dependencies: [
    .package(name: "RepTrace", path: "..", traits: ["History"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "HistorySync", dependencies: [.product(name: "RepTrace", package: "RepTrace")]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "PostgreSQLSync", dependencies: ["HistorySync", "CPostgreSQL"]),
    .executableTarget(
      name: "SyncCommand",
      dependencies: [
        "HistorySync", "PostgreSQLSync",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // What the tests of several targets share.
    .target(name: "SyncTestSupport", dependencies: ["HistorySync"], path: "Tests/SyncTestSupport"),
    .testTarget(
      name: "HistorySyncTests",
      dependencies: [
        "HistorySync", "SyncTestSupport", .product(name: "RepTrace", package: "RepTrace"),
      ]),
    .testTarget(
      name: "PostgreSQLSyncTests",
      dependencies: [
        "HistorySync", "PostgreSQLSync", "SyncTestSupport",
        .product(name: "RepTrace", package: "RepTrace"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
