// swift-tools-version: 6.1
// A package of its own, so that nothing of it burdens those who depend on the library.
import PackageDescription

// A rival at its best: simdjson chooses the code of its On-Demand interface when it is compiled.
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
