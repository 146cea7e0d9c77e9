/// What ``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)`` has written.
public struct SavedRecording: Sendable, Hashable {
  public struct SavedSet: Sendable, Hashable {
    /// The set's row.
    public var id: HistorySetRow.ID
    /// The set's name for ever: its id, or the recording's digest and its position.
    public var key: HistorySetRow.Key
    /// Whether it was not in the history before.
    public var isNew: Bool
  }

  /// The recording's row.
  public var id: HistoryRecordingRow.ID
  /// The recording's name for ever: its set's id, or its samples' digest.
  public var key: HistoryRecordingRow.Key
  /// Whether it was not in the history before.
  public var isNew: Bool
  /// In the order of the sets given.
  public var sets: [SavedSet]
  /// Whether it waits with a workout under way; its sets' rows are then those of that workout, and
  /// get others in the history.
  public var isUnderWay = false
}
