// swift-tools-version: 6.1
import PackageDescription

// Counts recordings and stores them in a history: uses all of RepTrace except its command.
let package = Package(
  name: "Program",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RepTrace", path: "../..", traits: ["History"])],
  targets: [
    .executableTarget(
      name: "Program", dependencies: [.product(name: "RepTrace", package: "RepTrace")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
