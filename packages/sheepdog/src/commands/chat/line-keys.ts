import type { Key } from "./editor/key.ts";
import type { ChatState } from "./state/chat-state.ts";

const enter: Key = { type: "press", name: "enter" };

/** The keys for a typed line. Undefined if a call or the run waits for an answer and the line is none. */
export function lineKeys(
  { cards: [card], reply, panel, ruleShownOn }: ChatState,
  line: string,
): readonly Key[] | undefined {
  if (card?.type === "approval") {
    if (ruleShownOn === card.id) return [{ type: "text", text: /^(?:w|write)$/i.test(line.trim()) ? "w" : "x" }];
    return approvalKeys(line.trim(), card.rule !== undefined);
  }
  if (card?.type === "run" && reply === undefined) return runKeys(line.trim());
  if (card?.type === "question" && card.choices[Number(line) - 1] !== undefined)
    return [{ type: "text", text: line.trim() }];
  if (panel !== undefined && line.trim() === "") return [{ type: "press", name: "escape" }];
  return [{ type: "paste", text: line }, enter];
}

/** Only exact words allow a call: a line for the agent may start with any letter. */
function approvalKeys(line: string, hasRule: boolean): readonly Key[] | undefined {
  if (line === "") return [];
  if (hasRule && /^(?:r|rule)$/i.test(line)) return [{ type: "text", text: "r" }];
  if (/^(?:y|yes)$/i.test(line)) return [{ type: "text", text: "y" }];
  if (/^(?:a|always)$/i.test(line)) return [{ type: "text", text: "a" }];
  const [no, why = ""] = /^(?:n|no|d)(?:[\s,:]+(.*))?$/i.exec(line) ?? [];
  if (no === undefined) return undefined;
  return why === ""
    ? [{ type: "text", text: "n" }]
    : [{ type: "text", text: "d" }, { type: "paste", text: why }, enter];
}

function runKeys(line: string): readonly Key[] | undefined {
  if (line === "") return [];
  if (/^(?:s|stop)$/i.test(line)) return [{ type: "text", text: "s" }];
  if (/^(?:c|continue)$/i.test(line)) return [{ type: "text", text: "c" }];
  const [tell, text] = /^(?:t|tell)(?:[\s,:]+(.+))?$/i.exec(line) ?? [];
  if (tell === undefined) return undefined;
  const open: Key = { type: "text", text: "t" };
  return text === undefined ? [open] : [open, { type: "paste", text }, enter]; // without a text the next line is it
}
