// swift-tools-version: 6.1
import PackageDescription

// What `reptrace version --verbose` prints; the makefile sets both.
let buildInformation = ["REPTRACE_COMMIT", "REPTRACE_SWIFT_VERSION"].compactMap { name in
  Context.environment[name].flatMap { $0.isEmpty ? nil : CSetting.define(name, to: "\"\($0)\"") }
}

// The native library (`python/build-native`) counts streams and opens no database: it takes the history's values and the
// stream's engine alone, without GRDB, SQLite and Foundation's tables.
let isNative = Context.environment["REPTRACE_NATIVE"] != nil
let storageValues = [
  "Exports.swift", "HistoryError.swift", "Identifiers", "Users/HistoryUser.swift", "Validation",
]
let planValues = [
  "Catalog/CatalogExercise.swift", "Catalog/MuscleGroup.swift", "Exports.swift",
  "Plans/WorkoutPlan.swift",
]
let historyValues = [
  "Deleting/DeletedSamples.swift", "Exports.swift", "HistoryRecordingRow.swift",
  "HistorySetRow.swift", "Journal/JournalBatch.swift", "Journal/StreamJournal.swift",
  "PreparedRecording.swift", "SetName.swift", "SetRules.swift",
  "Workouts/HistoryWorkoutRow.swift", "Workouts/WorkoutAction.swift",
]
let streamEngine = [
  "KnownMovements/ExerciseCandidate+JSON.swift", "MovementCurve+Storing.swift",
  "StorageOptions.swift", "Streaming", "TimelineProvenance+Build.swift",
]
let grdb: [Target.Dependency] =
  isNative
  ? [] : [.product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["History"]))]

let package = Package(
  name: "RepTrace",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [
    .library(name: "RepTrace", targets: ["RepTrace"]),
    // The stream for programs: messages in, acknowledgements and events out.
    .library(name: "ChunkStream", targets: ["ChunkStream"]),
    // The modules that run on a watch: pure Swift, no C library.
    .library(name: "RepDetection", targets: ["RepDetection", "ChunkDecoding", "MovementAnalysis"]),
    // The C interface, for programs in other languages.
    .library(name: "reptrace-native", type: .dynamic, targets: ["NativeInterface"]),
    // Sync of histories: the protocol, and the transport to PostgreSQL (with the trait PostgreSQL).
    .library(name: "HistorySync", targets: ["HistorySync"]),
    .library(name: "PostgreSQLSync", targets: ["PostgreSQLSync"]),
    .executable(name: "reptrace", targets: ["RepTraceCommand"]),
  ],
  // A program that takes the product RepDetection alone turns them off, and then fetches no other package.
  traits: [
    .default(enabledTraits: ["History", "CommandLine"]),
    .trait(
      name: "History",
      description: "WorkoutHistory and all that builds on it: fetches GRDB."),
    .trait(
      name: "CommandLine",
      description: "The command reptrace: fetches swift-argument-parser and swift-log."),
    .trait(
      name: "PostgreSQL",
      description: "PostgreSQLSync and `reptrace sync`: needs libpq. Off by default."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(name: "Motion"),
    .target(name: "SignalProcessing"),
    .target(name: "ChunkDecoding", dependencies: ["Motion"]),
    .target(name: "MotionFrames", dependencies: ["Motion", "SignalProcessing"]),
    .target(name: "TemplateSearch", dependencies: ["SignalProcessing", "MotionFrames"]),
    .target(
      name: "RepDetection",
      dependencies: ["Motion", "SignalProcessing", "MotionFrames", "TemplateSearch"]),
    .target(
      name: "MovementAnalysis", dependencies: ["Motion", "SignalProcessing", "RepDetection"]),
    .target(name: "MotionSynthesis", dependencies: ["Motion", "SignalProcessing"]),
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // One of SQLite's settings that Swift cannot reach.
    .target(
      name: "CSQLiteSettings",
      dependencies: [
        .product(
          name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["History"]))
      ]),
    // SHA-256.
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(
      name: "Digests",
      dependencies: ["Motion", .target(name: "CLibcrypto", condition: .when(platforms: [.linux]))]),
    .target(
      name: "TimelineFormat",
      dependencies: [
        "Motion", "SignalProcessing",
        .target(name: "CLZ4", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "HistoryStorage",
      dependencies: ["TimelineFormat"] + grdb
        + (isNative
          ? []
          : [
            "CSQLiteSettings",
            .product(
              name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["History"])),
          ]),
      sources: isNative ? storageValues : nil,
      resources: isNative ? [] : [.embedInCode("Schema/Schema.sql")]),
    .target(
      name: "TrainingPlans", dependencies: ["HistoryStorage"] + grdb,
      sources: isNative ? planValues : nil),
    .target(
      name: "WorkoutHistory",
      dependencies: [
        "Motion", "SignalProcessing", "TimelineFormat", "Digests", "HistoryStorage",
        "TrainingPlans",
      ] + grdb,
      sources: isNative ? historyValues : nil),
    .target(name: "TextFormats"),
    .target(
      name: "RecordingInput",
      dependencies: ["Motion", "ChunkDecoding", "RepDetection", "TextFormats", "CZlib"]),
    .target(
      name: "Evaluation",
      dependencies: [
        "Motion", "SignalProcessing", "RepDetection", "RecordingInput", "TextFormats",
      ]),
    .target(
      name: "RecordingPipeline",
      dependencies: [
        "Motion", "SignalProcessing", "ChunkDecoding", "RepDetection", "MovementAnalysis",
        "TimelineFormat", "WorkoutHistory", "RecordingInput", "TextFormats", "Digests",
      ] + grdb,
      exclude: isNative ? ["Streaming/Loop"] : [],
      sources: isNative ? streamEngine : nil),
    .target(
      name: "Reports",
      dependencies: [
        "Motion", "SignalProcessing", "RepDetection", "MovementAnalysis", "TimelineFormat",
        "RecordingInput", "Evaluation", "RecordingPipeline", "TextFormats", "Digests",
        "WorkoutHistory",
      ],
      resources: [.embedInCode("pages.css"), .embedInCode("pages.js")]),
    .target(
      name: "RepTrace",
      dependencies: [
        "Motion", "SignalProcessing", "ChunkDecoding", "RepDetection", "MovementAnalysis",
        "TimelineFormat", "WorkoutHistory", "TextFormats", "RecordingInput", "RecordingPipeline",
      ]),
    .target(
      name: "ChunkStream",
      dependencies: [
        "Motion", "ChunkDecoding", "RepDetection", "TimelineFormat", "TextFormats",
        "WorkoutHistory", "RecordingInput", "RecordingPipeline", "Reports", "Digests",
      ]),
    .target(
      name: "HistorySync",
      dependencies: ["Motion", "TimelineFormat", "Digests", "WorkoutHistory", "RecordingPipeline"]
        + grdb),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Empty without the trait.
    .target(
      name: "PostgreSQLSync",
      dependencies: [
        "WorkoutHistory", "HistorySync",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ],
      resources: [.embedInCode("Schema-1.sql"), .embedInCode("Functions.sql")]),
    .target(name: "CBuildInformation", cSettings: buildInformation),
    .executableTarget(
      name: "RepTraceCommand",
      dependencies: [
        "RepTrace", "WorkoutHistory", "Evaluation", "Reports", "MotionSynthesis", "HistorySync",
        "CBuildInformation",
        "Digests", .target(name: "PostgreSQLSync", condition: .when(traits: ["PostgreSQL"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
        .product(
          name: "Logging", package: "swift-log", condition: .when(traits: ["CommandLine"])),
      ]),
    .systemLibrary(name: "CRepTrace"),
    // The C interface of `reptrace.h`.
    .target(
      name: "NativeInterface",
      dependencies: [
        "CRepTrace", "Motion", "ChunkDecoding", "RepDetection", "MovementAnalysis",
        "TimelineFormat", "RecordingInput", "RecordingPipeline", "Evaluation", "TextFormats",
      ]),
    // Runs hot paths under callgrind (`.ci/instruction-counts`); no product.
    .executableTarget(
      name: "HotPaths",
      dependencies: [
        "ChunkDecoding", "MotionSynthesis", "WorkoutHistory", "RecordingPipeline", "RepTrace",
      ]),
    // What the tests of several modules share.
    .target(
      name: "TestSupport", dependencies: ["Motion", "MotionSynthesis", "TimelineFormat"],
      path: "Tests/TestSupport"),
    .testTarget(name: "MotionTests", dependencies: ["Motion"]),
    .testTarget(
      name: "ChunkDecodingTests",
      dependencies: ["Motion", "ChunkDecoding", "MotionSynthesis", "TestSupport"],
      exclude: ["JSONTestSuite"]),
    .testTarget(
      name: "MotionFramesTests", dependencies: ["Motion", "MotionFrames", "TestSupport"]),
    .testTarget(
      name: "TemplateSearchTests",
      dependencies: [
        "Motion", "SignalProcessing", "MotionFrames", "TemplateSearch", "MotionSynthesis",
      ]),
    .testTarget(
      name: "RepDetectionTests",
      dependencies: [
        "Motion", "SignalProcessing", "MotionFrames", "TemplateSearch", "RepDetection",
        "MotionSynthesis", "TestSupport",
      ],
      exclude: ["golden"]),
    .testTarget(
      name: "MovementAnalysisTests",
      dependencies: [
        "Motion", "SignalProcessing", "RepDetection", "MovementAnalysis", "MotionSynthesis",
        "TestSupport",
      ]),
    .testTarget(
      name: "MotionSynthesisTests", dependencies: ["Motion", "SignalProcessing", "MotionSynthesis"]),
    .testTarget(
      name: "TimelineFormatTests",
      dependencies: [
        "Motion", "MotionSynthesis", "Digests", "TimelineFormat", "WorkoutHistory", "TestSupport",
      ]),
    .testTarget(name: "DigestsTests", dependencies: ["Motion", "Digests"]),
    .testTarget(
      name: "WorkoutHistoryTests",
      dependencies: [
        "Motion", "MotionSynthesis", "Digests", "TimelineFormat", "WorkoutHistory", "HistorySync",
        "TestSupport",
      ]),
    .testTarget(name: "TextFormatsTests", dependencies: ["TextFormats"]),
    .testTarget(
      name: "RecordingInputTests",
      dependencies: ["Motion", "RecordingInput", "TestSupport"]),
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "Motion", "RepDetection", "MotionSynthesis", "RecordingInput", "Evaluation", "TestSupport",
      ]),
    .testTarget(
      name: "RecordingPipelineTests",
      dependencies: [
        "Motion", "ChunkDecoding", "RepDetection", "MovementAnalysis", "MotionSynthesis",
        "TimelineFormat", "WorkoutHistory", "TextFormats", "RecordingInput",
        "RecordingPipeline", "HistorySync", "TestSupport",
      ]),
    .testTarget(
      name: "ChunkStreamTests", dependencies: ["RepDetection", "ChunkStream", "TestSupport"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Motion", "RepDetection", "MovementAnalysis", "Digests", "Evaluation", "TextFormats",
        "Reports",
      ]),
    .testTarget(
      name: "RepTraceTests", dependencies: ["MotionSynthesis", "WorkoutHistory", "RepTrace"]),
    .testTarget(
      name: "RepTraceCommandTests",
      dependencies: [
        "Motion", "MotionSynthesis", "WorkoutHistory", "RecordingPipeline", "Reports", "RepTrace",
        "RepTraceCommand", "TestSupport",
      ]),
    .target(
      name: "SyncTestSupport",
      dependencies: ["Motion", "MotionSynthesis", "WorkoutHistory", "HistorySync", "TestSupport"],
      path: "Tests/SyncTestSupport"),
    .testTarget(
      name: "HistorySyncTests",
      dependencies: [
        "Motion", "RepDetection", "MovementAnalysis", "MotionSynthesis", "WorkoutHistory",
        "RecordingPipeline", "HistorySync", "TestSupport", "SyncTestSupport",
      ]),
    .testTarget(
      name: "PostgreSQLSyncTests",
      dependencies: [
        "Motion", "MotionSynthesis", "WorkoutHistory", "HistorySync", "PostgreSQLSync",
        "RepTraceCommand", "TestSupport", "SyncTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Two modules re-export others. SwiftPM recompiles a target only for modules that it declares.
let exports = [
  (
    "RepTrace",
    [
      "Motion", "SignalProcessing", "ChunkDecoding", "RepDetection", "MovementAnalysis",
      "TimelineFormat", "WorkoutHistory", "TextFormats", "RecordingInput", "RecordingPipeline",
    ]
  ), ("WorkoutHistory", ["HistoryStorage", "TrainingPlans"]),
]
for target in package.targets {
  var declared = Set(
    target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } })
  for (module, exported) in exports where declared.contains(module) {
    for name in exported where declared.insert(name).inserted {
      target.dependencies.append(.byName(name: name))
    }
  }
}

// Tests compile in a fraction of the time without optimization; what they test is optimized all the
// same. (Unsafe flags of test targets do not reach those who depend on this package.)
for target in package.targets where target.type == .test {
  target.swiftSettings = [.unsafeFlags(["-Onone"])]
}
