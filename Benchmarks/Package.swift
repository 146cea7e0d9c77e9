// swift-tools-version: 6.1
// A package of its own, so that nothing of it burdens those who depend on the library.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RepTrace", path: "..")],
  targets: [
    .executableTarget(
      name: "ReptraceBenchmarks",
      dependencies: [.product(name: "RepTrace", package: "RepTrace"), "SimdjsonShim"]),
    // A rival at its best: simdjson chooses its On-Demand code when it is compiled.
    .target(
      name: "SimdjsonShim", cxxSettings: [.unsafeFlags(["-O3", "-march=native"])],
      linkerSettings: [.linkedLibrary("simdjson")]),
  ],
  swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17
)
