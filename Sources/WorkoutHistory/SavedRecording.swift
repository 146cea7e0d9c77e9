/// The result of ``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)``.
public struct SavedRecording: Sendable, Hashable {
  public struct SavedSet: Sendable, Hashable {
    /// The set's row.
    public var id: HistorySetRow.ID
    /// The set's permanent key: its id, or the recording's digest and its position.
    public var key: HistorySetRow.Key
    /// True if the set was not in the history before.
    package var isNew: Bool
  }

  /// The recording's row.
  package var id: HistoryRecordingRow.ID
  /// The recording's permanent key: its set's id, or its samples' digest.
  public var key: HistoryRecordingRow.Key
  /// True if the recording was not in the history before.
  package var isNew: Bool
  /// The saved sets, in the order in which they were passed.
  public var sets: [SavedSet]
  /// True if the recording belongs to a workout in progress. Its sets then have rows of that workout, and get
  /// new ones in the history.
  package var isUnderWay = false
}
