import { StringDecoder } from "node:string_decoder";
import type { AgentEvent } from "@sheepdog/agent";

/** A longer line is no event. */
const maxLineLength = 16_000_000;

/** Creates a reader of JSON lines: it returns the events that each chunk completes. Other lines are ignored. */
export function createEventLines(): (chunk: Buffer) => readonly AgentEvent[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isTooLong = false;
  return (chunk) => {
    const [start = "", ...others] = decoder.write(chunk).split("\n");
    const line = isTooLong ? "" : rest + start;
    if (others.length === 0) {
      isTooLong ||= line.length > maxLineLength;
      rest = isTooLong ? "" : line;
      return [];
    }
    isTooLong = false;
    rest = others.pop() ?? "";
    return [line, ...others].flatMap((each) => parseEvent(each) ?? []);
  };
}

function parseEvent(line: string): AgentEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const { type, sessionId, runId, seq, at } = value as Readonly<Record<string, unknown>>; // each field is checked
    const isEvent =
      [type, sessionId, runId].every((field) => typeof field === "string") &&
      [seq, at].every((field) => typeof field === "number");
    return isEvent ? (value as AgentEvent) : undefined; // written by a run of this user, perhaps of another version
  } catch {
    return undefined;
  }
}
