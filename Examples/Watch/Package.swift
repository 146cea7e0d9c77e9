// swift-tools-version: 6.1
import PackageDescription

// Counts live, like a watch app. Depends on RepDetection only, so it fetches no other package.
let package = Package(
  name: "Watch",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  dependencies: [.package(name: "RepTrace", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Watch", dependencies: [.product(name: "RepDetection", package: "RepTrace")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
