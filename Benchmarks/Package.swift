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
      dependencies: [.product(name: "RepDetection", package: "RepTrace")])
  ],
  swiftLanguageModes: [.v6]
)
