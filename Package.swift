// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "RepTrace",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [
    .library(name: "RepTrace", targets: ["RepTrace"]),
    // The rooms that run on a watch: pure Swift, no C library.
    .library(name: "RepDetection", targets: ["Motion", "ChunkDecoding", "RepDetection"]),
    .executable(name: "reptrace", targets: ["RepTraceCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "Motion"),
    .target(name: "ChunkDecoding", dependencies: ["Motion"]),
    .target(name: "RepDetection", dependencies: ["Motion"]),
    .target(name: "MotionSynthesis", dependencies: ["Motion"]),
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // SHA-256 by the processor's instructions; elsewhere `Motion`'s is used.
    .target(name: "CSHA256"),
    .target(
      name: "TimelineStore",
      dependencies: [
        "Motion",
        "CSHA256",
        .target(name: "CLZ4", condition: .when(platforms: [.linux])),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "RepTrace",
      dependencies: ["Motion", "ChunkDecoding", "RepDetection", "TimelineStore", "CZlib"]),
    .executableTarget(
      name: "RepTraceCommand",
      dependencies: [
        "RepTrace", "MotionSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Runs hot paths under callgrind (`.ci/instruction-counts`); no product.
    .executableTarget(name: "HotPaths", dependencies: ["RepTrace", "MotionSynthesis"]),
    .testTarget(name: "MotionTests", dependencies: ["Motion"]),
    .testTarget(
      name: "ChunkDecodingTests", dependencies: ["ChunkDecoding", "MotionSynthesis"],
      exclude: ["JSONTestSuite"]),
    .testTarget(
      name: "RepDetectionTests", dependencies: ["RepDetection", "MotionSynthesis"],
      exclude: ["golden"]),
    .testTarget(name: "MotionSynthesisTests", dependencies: ["MotionSynthesis"]),
    .testTarget(name: "TimelineStoreTests", dependencies: ["TimelineStore", "MotionSynthesis"]),
    .testTarget(name: "RepTraceTests", dependencies: ["RepTrace", "MotionSynthesis"]),
    .testTarget(name: "RepTraceCommandTests", dependencies: ["RepTraceCommand"]),
  ],
  swiftLanguageModes: [.v6]
)
