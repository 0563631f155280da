import type { AgentEvent } from "../protocol/events.ts";
import type { Usage } from "../protocol/messages.ts";

/** What happened in a turn: the text of the reply, its calls, and the tokens of its requests. */
export interface TurnRecord {
  readonly text: string;
  readonly calls: readonly LoggedCall[];
  readonly usage: readonly Usage[];
}

interface LoggedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** How the call ended; `denied` when it was refused. */
  readonly status?: string;
}

/** Collects the events of a turn. */
export interface TurnRecorder {
  add(event: AgentEvent): void;
  /** The turn so far; starts the next one. */
  take(): TurnRecord;
}

export function createTurnRecorder(): TurnRecorder {
  let text = "";
  let usage: Usage[] = [];
  const calls = new Map<string, LoggedCall>();
  return {
    add(event) {
      switch (event.type) {
        case "StreamEnd":
          text += event.text ?? "";
          break;
        case "ToolStart":
          calls.set(event.callId, { callId: event.callId, tool: event.tool, input: event.input });
          break;
        case "ToolEnd":
          calls.set(event.callId, { input: undefined, ...calls.get(event.callId), ...ended(event) });
          break;
        case "ToolBlocked":
          calls.set(event.callId, { callId: event.callId, tool: event.tool, input: event.input, status: "denied" });
          break;
        case "UsageUpdate":
          usage.push(event.usage);
          break;
        default:
      }
    },
    take() {
      const record = { text, calls: [...calls.values()], usage };
      text = "";
      usage = [];
      calls.clear();
      return record;
    },
  };
}

function ended({ callId, tool, status }: Extract<AgentEvent, { type: "ToolEnd" }>) {
  return { callId, tool, status };
}
