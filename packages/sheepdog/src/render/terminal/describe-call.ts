import type { RecordedCall } from "@sheepdog/records";
import { plainText } from "./plain-text.ts";

const MAX_CHARS = 400;

/** A call on one short line: its tool and its arguments. */
export function describeCall(call: Pick<RecordedCall, "name" | "args">): string {
  return plainText(`${call.name} ${argumentText(call.args)}`.slice(0, MAX_CHARS));
}

/** A single argument stands alone; several arguments get their names. */
function argumentText(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object" || Array.isArray(args)) return valueText(args);
  const planText = planArgumentText(args);
  if (planText !== undefined) return planText;
  const entries = Object.entries(args);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}

/** The plan of a director by the ids of its nodes, whose prompts are long; undefined for other arguments. */
function planArgumentText(args: object): string | undefined {
  if (!("nodes" in args && Array.isArray(args.nodes) && "edges" in args && Array.isArray(args.edges))) return undefined;
  const ids = args.nodes.map((node: unknown) =>
    typeof node === "object" && node !== null && "id" in node ? valueText(node.id) : "?",
  );
  return ids.join(", ");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_CHARS) : (JSON.stringify(value) ?? "");
}
