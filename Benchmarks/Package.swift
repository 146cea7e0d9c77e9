// swift-tools-version: 6.1
// A package of its own, so that nothing of it burdens those who depend on the library.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RepTrace", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "ReptraceBenchmarks",
      dependencies: [
        .product(name: "RepTrace", package: "RepTrace"),
        .product(name: "GRDB", package: "GRDB.swift"), "SimdjsonShim",
      ]),
    // A rival at its best: simdjson chooses its On-Demand code when it is compiled.
    .target(
      name: "SimdjsonShim", cxxSettings: [.unsafeFlags(["-O3", "-march=native"])],
      linkerSettings: [.linkedLibrary("simdjson")]),
  ],
  swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17
)
