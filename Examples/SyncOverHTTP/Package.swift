// swift-tools-version: 6.1
import PackageDescription

// Lets devices reach a center without PostgreSQL: a small HTTP server in front of it, and the transport that
// talks to it. A separate package, because it fetches an HTTP server and client.
let package = Package(
  name: "SyncOverHTTP",
  platforms: [.macOS(.v15)],
  products: [.library(name: "HTTPSync", targets: ["HTTPSync"])],
  dependencies: [
    .package(name: "RepTrace", path: "../..", traits: ["History", "PostgreSQL"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
  ],
  targets: [
    .target(
      name: "HTTPSync",
      dependencies: [
        .product(name: "HistorySync", package: "RepTrace"),
        .product(name: "RepTrace", package: "RepTrace"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "sync-over-http",
      dependencies: [
        "HTTPSync",
        .product(name: "HistorySync", package: "RepTrace"),
        .product(name: "PostgreSQLSync", package: "RepTrace"),
        .product(name: "RepTrace", package: "RepTrace"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .testTarget(
      name: "HTTPSyncTests",
      dependencies: [
        "HTTPSync",
        .product(name: "HistorySync", package: "RepTrace"),
        .product(name: "RepTrace", package: "RepTrace"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
