import { closeSync, fstatSync, readSync } from "node:fs";
import type { HookEvent, HookResult, SessionState } from "@sheepdog/integrations/hooks";
import { openRegularFile } from "@sheepdog/records/files";

/** The end of a recording that is searched. The results of the newest calls are its last lines. */
const TAIL_BYTES = 1_000_000;

/**
 * Codex has no hook for a call that failed, as a patch that does not apply. At the end of the turn its result is taken
 * from the recording, or such a loop would not be seen.
 */
export function withRecordedResults(event: HookEvent, { agents }: SessionState): HookEvent {
  if (event.type !== "turn-end" || event.results.length > 0 || event.recording === undefined) return event;
  const calls = Object.entries(agents[event.subagent ?? ""]?.calls ?? {});
  const open = new Set(calls.flatMap(([id, state]) => (state === "open" ? [id] : [])));
  return open.size === 0 ? event : { ...event, results: recordedResults(event.recording, open) };
}

function recordedResults(recording: string, ids: ReadonlySet<string>): readonly HookResult[] {
  return tailOf(recording)
    .split("\n")
    .filter((line) => line.includes("_call_output"))
    .flatMap((line) => {
      const { call_id: id = "", output } = payloadOf(line);
      return ids.has(id)
        ? [{ call: { id, tool: "", args: undefined }, status: "error" as const, content: output }]
        : [];
    });
}

function tailOf(file: string): string {
  try {
    const descriptor = openRegularFile(file);
    try {
      const start = Math.max(0, fstatSync(descriptor).size - TAIL_BYTES);
      const bytes = Buffer.alloc(TAIL_BYTES);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, TAIL_BYTES, start));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return ""; // agents record later than they call hooks
  }
}

interface Payload {
  readonly call_id?: string;
  readonly output?: unknown;
}

/** The payload of a line; an empty one if the line is cut or of another kind. */
function payloadOf(line: string): Payload {
  try {
    return (JSON.parse(line) as { readonly payload?: Payload }).payload ?? {}; // the ids are compared with known ones
  } catch {
    return {};
  }
}
