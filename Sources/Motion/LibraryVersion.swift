/// The version of RepTrace, as `--version` prints it.
package let libraryVersion = "0.1.0"
