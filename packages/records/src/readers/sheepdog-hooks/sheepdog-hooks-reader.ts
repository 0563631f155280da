import { basename } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";
import { areMost } from "../most-lines.ts";
import type { LineReader } from "../reader.ts";
import { createHookedSession } from "./hooked-session.ts";

/**
 * The spool of `sheepdog hook`: what hooks saw, said and refused in one session of a coding agent, one line each. Its
 * runs have the agent as their source and the agent's id of the session, as in the agent's own recording.
 */
export const sheepdogHooksReader: LineReader = {
  type: "lines",
  format: "sheepdog-hooks",
  label: "Sheepdog hooks",
  recognizes: (lines) => lines.some(isHeader) || (lines.some(isHook) && areMost(lines, hasTime)),
  open: (file) => {
    const session = createHookedSession(basename(file, ".jsonl"));
    return { line: (value, line) => session.add(value, line), end: () => session.runs() };
  },
};

function isHeader({ type, version, agent, session, mode }: JsonObject): boolean {
  const hasIds = textField(agent) !== undefined && textField(session) !== undefined;
  return type === "session" && version === 1 && hasIds && typeof mode === "string";
}

/** A line of every event. It tells what a file is whose first line, the header, is damaged. */
function isHook({ type, at, event, ms }: JsonObject): boolean {
  return type === "hook" && typeof at === "number" && typeof event === "string" && typeof ms === "number";
}

function hasTime({ type, at }: JsonObject): boolean {
  return typeof type === "string" && typeof at === "number";
}
