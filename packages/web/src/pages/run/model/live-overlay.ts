import type { WireEvent } from "../../../contract/index.ts";
import { type CallKind, callText, kindOf } from "./call.ts";

/** A call that runs, before its result is saved. */
interface RunningCall {
  readonly callId: string;
  readonly seq: number;
  readonly at: number;
  readonly tool: string;
  readonly text: string;
  readonly kind: CallKind;
  /** The end of its output so far. */
  readonly output: string;
  /** Its status, if it ended but is not saved yet. */
  readonly status: string | null;
}

/** What happens now and is not saved yet. */
export interface LiveState {
  readonly text: string;
  readonly thinking: string;
  /** The tool of the call that the model writes at the moment. */
  readonly writingCallTo: string | null;
  readonly calls: readonly RunningCall[];
}

/** Fills in what is not saved yet; it is replaced when the saved events come. */
export interface LiveOverlay {
  readonly state: LiveState;
  /** Takes an event as it happens. `lastSeq`: the newest saved event, whose state is known better. */
  addLive(event: WireEvent, lastSeq: number): void;
  /** Removes what a saved event replaces. */
  addSaved(event: WireEvent): void;
  clear(): void;
}

const MAX_OUTPUT_CHARS = 2_000;
const MAX_TEXT_CHARS = 100_000;

/** Creates an overlay in which nothing happens. */
export function createLiveOverlay(): LiveOverlay {
  let text = "";
  let thinking = "";
  let writingCallTo: string | null = null;
  const calls = new Map<string, RunningCall>();
  const outputs = new Map<string, string>();

  const clearReply = () => {
    text = "";
    thinking = "";
    writingCallTo = null;
  };
  const startCall = (event: Extract<WireEvent, { type: "ToolStart" }>) => {
    writingCallTo = null;
    calls.set(event.callId, {
      callId: event.callId,
      seq: event.seq,
      at: event.at,
      tool: event.tool,
      text: callText(event.tool, event.input),
      kind: kindOf(event.tool, event.input),
      output: outputs.get(event.callId) ?? "",
      status: null,
    });
  };

  return {
    get state() {
      return { text, thinking, writingCallTo, calls: [...calls.values()] };
    },
    addLive(event, lastSeq) {
      if (event.seq > 0 && event.seq <= lastSeq) return;
      switch (event.type) {
        case "TurnStarted":
          clearReply();
          return;
        case "TextDelta":
          text = (text + event.text).slice(-MAX_TEXT_CHARS);
          return;
        case "ThinkingDelta":
          thinking = (thinking + event.text).slice(-MAX_TEXT_CHARS);
          return;
        case "ToolUseStart":
          writingCallTo = event.tool;
          return;
        case "ToolStart":
          startCall(event);
          return;
        case "ToolOutput": {
          const output = ((outputs.get(event.callId) ?? "") + event.text).slice(-MAX_OUTPUT_CHARS);
          outputs.set(event.callId, output);
          const call = calls.get(event.callId);
          if (call !== undefined) calls.set(event.callId, { ...call, output });
          return;
        }
        case "ToolEnd": {
          const call = calls.get(event.callId);
          if (call !== undefined) calls.set(event.callId, { ...call, status: event.status });
          return;
        }
        default:
          return;
      }
    },
    addSaved(event) {
      switch (event.type) {
        case "TurnStarted":
        case "StreamEnd":
        case "TextDelta":
          clearReply();
          return;
        case "ToolStart":
          startCall(event);
          return;
        case "ToolEnd":
        case "ToolBlocked":
          calls.delete(event.callId);
          outputs.delete(event.callId);
          return;
        case "RunComplete":
        case "RunError":
          clearReply();
          calls.clear();
          outputs.clear();
          return;
        default:
          return;
      }
    },
    clear() {
      clearReply();
      calls.clear();
      outputs.clear();
    },
  };
}
