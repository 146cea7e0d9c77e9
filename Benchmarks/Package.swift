// swift-tools-version: 6.1
// A separate package, so that its dependencies do not burden the library's users.
import PackageDescription

// Compile for this processor: simdjson chooses its On-Demand implementation at compile time.
#if arch(x86_64)
  let processor = ["-march=haswell"]
#else
  let processor: [String] = []
#endif

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
        "HeapSize",
      ]),
    .target(name: "HeapSize"),
    .target(
      name: "SimdjsonShim", cxxSettings: [.unsafeFlags(["-O3"] + processor)],
      linkerSettings: [.linkedLibrary("simdjson")]),
  ],
  swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17
)
