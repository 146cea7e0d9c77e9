import Motion

/// Facts about this build of RepTrace.
package enum BuildInformation {
  /// The version that `reptrace --version` prints and stored timelines name as their producer.
  package static let version = libraryVersion
}
