import type { Home } from "../home.ts";
import type { RecordingLibrary } from "../recordings/recording-library.ts";
import type { CommandContext } from "../run-commands/command-context.ts";

/** What the documents of the API are built from. */
export interface ViewContext extends CommandContext {
  readonly home: Home;
  readonly recordings: RecordingLibrary;
}
