// swift-tools-version: 6.1
import PackageDescription

// The traits of the library's own build, so that its modules are not compiled twice.
let libraryTraits = (Context.environment["REPTRACE_TRAITS"] ?? "default").split(separator: ",").map
{
  $0 == "default" ? Package.Dependency.Trait.defaults : .trait(name: String($0))
}

// HTTP and WebSocket in front of the stream. A separate package, so that only its users fetch a server's
// packages.
let package = Package(
  name: "IngestServer",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "reptrace-ingest", targets: ["IngestCommand"])],
  // Each trait adds a copy of BoringSSL, which takes as long to compile as everything else.
  traits: [
    .default(enabledTraits: ["TLS", "JWT"]),
    .trait(name: "TLS", description: "HTTPS without a proxy: fetches swift-nio-ssl."),
    .trait(name: "JWT", description: "JSON Web Tokens: fetches jwt-kit."),
  ],
  dependencies: [
    .package(name: "RepTrace", path: "..", traits: Set(libraryTraits)),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .target(
      name: "IngestService",
      dependencies: [
        .product(name: "ChunkStream", package: "RepTrace"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
        .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["JWT"])),
        .product(name: "Logging", package: "swift-log"),
      ], resources: [.embedInCode("openapi.json")]),
    .executableTarget(
      name: "IngestCommand",
      dependencies: [
        "IngestService", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // A load generator of watches, for the checks.
    .executableTarget(
      name: "IngestLoad",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "IngestServiceTests",
      dependencies: [
        "IngestService",
        .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["JWT"])),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
