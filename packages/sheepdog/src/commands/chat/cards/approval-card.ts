import type { RuntimeOptions } from "@sheepdog/agent";
import { note } from "../../../render/diff/diff-line.ts";
import { proposedDiff } from "../../../render/diff/proposed-diff.ts";
import { withoutRemoved } from "../../../render/diff/short-diff.ts";
import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import type { ApprovalCard, CardLine } from "./card.ts";

/** A call that the gate wants the user to approve. */
export type CallToApprove = Parameters<NonNullable<RuntimeOptions["approve"]>>[0];

const MAX_LINES = 2_000;

/** A card that shows what the call would really do: the command, or the change to the file. */
export async function approvalCard(
  call: CallToApprove,
  reason: string,
  workspace: string,
): Promise<Omit<ApprovalCard, "id">> {
  const { title, lines } = await cardContent(call, workspace);
  return {
    type: "approval",
    tool: call.tool,
    title: visibleLines(title).join("\\n"),
    lines: shortened(lines),
    reason,
  };
}

/**
 * Leaves out removed lines first: the user must see the new content. Then keeps the beginning and the end, so that
 * neither can be hidden behind many lines.
 */
function shortened(all: readonly CardLine[]): readonly CardLine[] {
  const lines = all.length <= MAX_LINES ? all : withoutRemoved(all);
  if (lines.length <= MAX_LINES) return lines;
  const half = MAX_LINES / 2;
  return [
    ...lines.slice(0, half),
    note(`${lines.length - MAX_LINES} lines in the middle are not shown`),
    ...lines.slice(-half),
  ];
}

interface CardContent {
  readonly title: string;
  readonly lines: readonly CardLine[];
}

async function cardContent(call: CallToApprove, workspace: string): Promise<CardContent> {
  const { tool, input = {} } = call;
  const { path, command } = input;
  if (tool === "bash" && typeof command === "string")
    return { title: "bash", lines: [...plain(command), ...argumentLines(omit(input, "command"))] };
  const proposed = await proposedDiff(call, workspace);
  if (proposed !== undefined) {
    const state = tool === "write" ? ` (${proposed.state})` : "";
    const others = omit(input, "path", "old", "new", "content");
    return { title: `${tool} ${path}${state}`, lines: [...proposed.lines, ...argumentLines(others)] };
  }
  return { title: tool, lines: plain(JSON.stringify(input, null, 2)) };
}

function plain(text: string): CardLine[] {
  return visibleLines(text).map((line) => ({ sign: " ", text: line }));
}

function argumentLines(input: Readonly<Record<string, unknown>>): CardLine[] {
  return Object.entries(input).map(([name, value]) =>
    note(visibleLines(`${name}: ${JSON.stringify(value)}`).join(" ")),
  );
}

function omit(
  input: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !names.includes(key)));
}
