import type { Key } from "./editor/key.ts";
import type { ChatState } from "./state/chat-state.ts";

const enter: Key = { type: "press", name: "enter" };

/** The keys for a typed line. Undefined if a call waits for approval and the line is not an answer. */
export function lineKeys({ cards: [card], panel }: ChatState, line: string): readonly Key[] | undefined {
  if (card?.type === "approval") return approvalKeys(line.trim());
  if (card?.type === "question" && card.choices[Number(line) - 1] !== undefined)
    return [{ type: "text", text: line.trim() }];
  if (panel !== undefined && line.trim() === "") return [{ type: "press", name: "escape" }];
  return [{ type: "paste", text: line }, enter];
}

/** Only exact words allow a call: a line for the agent may start with any letter. */
function approvalKeys(line: string): readonly Key[] | undefined {
  if (line === "") return [];
  if (/^(?:y|yes)$/i.test(line)) return [{ type: "text", text: "y" }];
  if (/^(?:a|always)$/i.test(line)) return [{ type: "text", text: "a" }];
  const [no, why = ""] = /^(?:n|no|d)(?:[\s,:]+(.*))?$/i.exec(line) ?? [];
  if (no === undefined) return undefined;
  return why === ""
    ? [{ type: "text", text: "n" }]
    : [{ type: "text", text: "d" }, { type: "paste", text: why }, enter];
}
