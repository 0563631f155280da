import type { RecordedCall } from "@sheepdog/records";
import { plainText } from "./plain-text.ts";
import { visibleControls } from "./visible-lines.ts";

const MAX_CHARS = 400;

/** A call on one short line: its tool and its arguments. */
export function describeCall(call: Pick<RecordedCall, "name" | "args">): string {
  const text = (call.name === "execute_plan" ? nodeIds(call.args) : undefined) ?? argumentText(call.args);
  return plainText(visibleControls(`${call.name} ${text}`.slice(0, MAX_CHARS)));
}

/** A single argument stands alone; several arguments get their names. */
function argumentText(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object" || Array.isArray(args)) return valueText(args);
  const entries = Object.entries(args);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}

/** A director's plan by the ids of its nodes, because their prompts are long; undefined if it is not a plan. */
function nodeIds(args: unknown): string | undefined {
  if (typeof args !== "object" || args === null || !("nodes" in args) || !Array.isArray(args.nodes)) return undefined;
  return args.nodes
    .map((node: unknown) => (typeof node === "object" && node !== null && "id" in node ? valueText(node.id) : "?"))
    .join(", ");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_CHARS) : (JSON.stringify(value) ?? "");
}
