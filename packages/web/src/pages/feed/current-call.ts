import type { Sentence, WireEvent } from "../../contract/index.ts";

/** What a live run does at the moment. */
export interface CurrentCall {
  readonly callId: string;
  readonly since: number;
  readonly words: Sentence;
}

/** The current call of each run after some events. Runs without a call are left out. */
export function followCalls(
  calls: ReadonlyMap<string, CurrentCall>,
  events: readonly WireEvent[],
): ReadonlyMap<string, CurrentCall> {
  let next: Map<string, CurrentCall> | undefined;
  for (const event of events) {
    const current = (next ?? calls).get(event.runId);
    if (event.type === "ToolStart") {
      next ??= new Map(calls);
      next.set(event.runId, { callId: event.callId, since: event.at, words: callWords(event.tool, event.input) });
    } else if (current !== undefined && endsCall(event, current)) {
      next ??= new Map(calls);
      next.delete(event.runId);
    }
  }
  return next ?? calls;
}

function endsCall(event: WireEvent, { callId }: CurrentCall): boolean {
  if (event.type === "ToolEnd") return event.callId === callId;
  return event.type === "TurnStarted" || event.type === "RunComplete" || event.type === "RunError";
}

function callWords(tool: string, input: unknown): Sentence {
  const isObject = typeof input === "object" && input !== null;
  const fields = isObject ? (input as Readonly<Record<string, unknown>>) : {}; // checked above
  const command = textField(fields, ["command", "cmd"]);
  if (command !== undefined) return [{ text: "running " }, { code: command }];
  const target = textField(fields, ["path", "file_path", "url", "pattern", "query"]);
  return target === undefined ? [{ text: tool }] : [{ text: `${tool} ` }, { code: target }];
}

function textField(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const value = names.map((name) => fields[name]).find((each) => typeof each === "string" && each !== "");
  return typeof value === "string" ? (value.split("\n", 1)[0] ?? "").slice(0, 80) : undefined;
}
