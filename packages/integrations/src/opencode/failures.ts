import type { PluginCall, PluginEvent } from "../hooks/plugin-event.ts";
import type { MessagePart } from "./plugin-input.ts";

type Failed = NonNullable<PluginEvent["failed"]>[number];

/** Calls that failed. opencode has no callback for them, only a changed part of the message. */
export interface Failures {
  begin(call: PluginCall): void;
  /** The call has a result that is reported otherwise. */
  end(id: string): void;
  see(part: MessagePart): void;
  /** The failed calls of a session that were not taken yet. */
  take(session: string): readonly Failed[];
  /** A message for the model, to be read with the error of a call. */
  note(id: string, text: string): void;
  /** Adds the notes to a request. opencode reads its messages anew for each, so that they are added each time. */
  addNotes(parts: readonly MessagePart[]): void;
}

export function createFailures(): Failures {
  const calls = new Map<string, PluginCall>();
  const failed = new Map<string, readonly Failed[]>();
  const notes = new Map<string, string>();
  return {
    begin: (call) => void calls.set(call.id, call),
    end: (id) => void calls.delete(id),
    see({ callID = "", sessionID, state }) {
      const call = calls.get(callID);
      if (call === undefined || state?.status !== "error") return;
      calls.delete(callID);
      failed.set(sessionID, [...(failed.get(sessionID) ?? []), { call, error: state.error ?? "" }]);
    },
    take(session) {
      const taken = failed.get(session) ?? [];
      failed.delete(session);
      return taken;
    },
    note: (id, text) => void notes.set(id, text),
    addNotes(parts) {
      for (const { callID = "", state } of parts) {
        const note = notes.get(callID);
        if (note === undefined || state?.error === undefined || state.error.includes(note)) continue;
        state.error = `${state.error}\n\n${note}`;
      }
    },
  };
}
