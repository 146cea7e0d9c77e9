// One import gives an embedding program every module but the synthesis of recordings.
@_exported import ChunkDecoding
@_exported import Evaluation
@_exported import Motion
@_exported import MovementAnalysis
@_exported import RecordingInput
@_exported import RecordingPipeline
@_exported import RepDetection
@_exported import Reports
@_exported import SignalProcessing
@_exported import TimelineFormat
@_exported import Utilities
@_exported import WorkoutHistory
