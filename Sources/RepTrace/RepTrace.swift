// One import gives a program every module for counting, reading and storing recordings.
@_exported import ChunkDecoding
@_exported import Motion
@_exported import MovementAnalysis
@_exported import RecordingInput
@_exported import RecordingPipeline
@_exported import RepDetection
@_exported import SignalProcessing
@_exported import TextFormats
@_exported import TimelineFormat
@_exported import WorkoutHistory
