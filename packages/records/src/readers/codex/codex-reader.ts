import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { areMost } from "../most-lines.ts";
import type { LineReader } from "../reader.ts";
import { openRollout } from "./rollout-parser.ts";

/** Reads the rollout files of Codex: `~/.codex/sessions` and `archived_sessions`. */
export const codexReader: LineReader = {
  type: "lines",
  format: "codex",
  label: "Codex",
  recognizes: (lines) => areMost(lines, isRolloutLine) || isBareRollout(lines),
  open: openRollout,
};

const lineTypes: ReadonlySet<unknown> = new Set(["session_meta", "turn_context", "response_item", "event_msg"]);

function isRolloutLine({ type, payload }: JsonObject): boolean {
  return lineTypes.has(type) && isObject(payload);
}

const callTypes: ReadonlySet<unknown> = new Set(["function_call", "function_call_output", "local_shell_call"]);

/** The first versions: items without an envelope, between lines of the kind `state`. */
function isBareRollout(lines: readonly JsonObject[]): boolean {
  const hasState = lines.some((line) => line["record_type"] === "state");
  const [first] = lines;
  const hasHead = first !== undefined && "instructions" in first && "timestamp" in first && !("type" in first);
  const hasItem = lines.some(({ type, call_id, role, content }) =>
    type === "message"
      ? typeof role === "string" && Array.isArray(content)
      : callTypes.has(type) && call_id !== undefined,
  );
  return hasState || (hasHead && (hasItem || lines.length === 1));
}
