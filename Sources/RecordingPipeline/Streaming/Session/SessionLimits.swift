/// Limits that bound the state of a ``StreamSession``.
package struct SessionLimits: Sendable {
  /// Maximum number of open sets. Beyond it the least recently active one is finalized.
  package var openSets = 16
  /// Maximum number of ended sets kept for late chunks. A chunk for an earlier set is refused.
  package var endedSets = 8
  /// Maximum number of samples in one set, or of a session's samples outside of declared sets.
  package var samplesPerSet = 1_000_000
  /// Maximum number of samples and health readings.
  package var samples = 1_000_000
  /// Maximum size of messages of all sets, in bytes. Beyond it all sets are finalized and released.
  package var messageBytes = 48 << 20

  package init() {}

  func apply(to options: inout StreamOptions) {
    options.keepsJournal = true
    options.isSession = true
    options.replaysInput = false
    options.workers = 1
    options.liveSets = openSets
    options.endedSets = endedSets
    options.samplesPerSet = samplesPerSet
    options.samples = samples
  }
}
