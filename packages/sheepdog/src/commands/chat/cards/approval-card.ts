import { lstat, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RuntimeOptions } from "@sheepdog/agent";
import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import type { ApprovalCard, CardLine } from "./card.ts";
import { changeLines } from "./change-lines.ts";

/** A call that the gate wants the user to approve. */
export type CallToApprove = Parameters<NonNullable<RuntimeOptions["approve"]>>[0];

const MAX_LINES = 2_000;
const MAX_BYTES = 1_000_000;

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
    lines: withoutMiddle(lines),
    reason,
  };
}

/** Keeps the beginning and the end, so that neither can be hidden behind many lines. */
function withoutMiddle(lines: readonly CardLine[]): readonly CardLine[] {
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

async function cardContent({ tool, input = {} }: CallToApprove, workspace: string): Promise<CardContent> {
  const { path, command, content, old, new: added, ...others } = input;
  if (tool === "bash" && typeof command === "string")
    return { title: "bash", lines: [...plain(command), ...argumentLines(omit(input, "command"))] };
  if (tool === "edit" && typeof path === "string" && typeof old === "string" && typeof added === "string")
    return { title: `edit ${path}`, lines: [...changeLines(old, added), ...argumentLines(others)] };
  if (tool === "write" && typeof path === "string" && typeof content === "string")
    return writeContent(path, content, workspace);
  return { title: tool, lines: plain(JSON.stringify(input, null, 2)) };
}

/** The change to an existing file, or all of a new file. */
async function writeContent(path: string, content: string, workspace: string): Promise<CardContent> {
  const current = await currentContent(resolve(workspace, path));
  if (typeof current === "string")
    return { title: `write ${path} (the file exists)`, lines: changeLines(current, content) };
  const notes = current === undefined ? [] : [note("the current content cannot be shown")];
  return {
    title: `write ${path}${current === undefined ? " (a new file)" : ""}`,
    lines: [...notes, ...visibleLines(content).map((text): CardLine => ({ sign: "+", text }))],
  };
}

/** The text of a file; undefined if there is no file, null if it cannot be shown. */
async function currentContent(path: string): Promise<string | null | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? await readFile(path, "utf8") : null;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : null;
  }
}

function plain(text: string): CardLine[] {
  return visibleLines(text).map((line) => ({ sign: " ", text: line }));
}

function argumentLines(input: Readonly<Record<string, unknown>>): CardLine[] {
  return Object.entries(input).map(([name, value]) =>
    note(visibleLines(`${name}: ${JSON.stringify(value)}`).join(" ")),
  );
}

function omit(input: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}

function note(text: string): CardLine {
  return { sign: "…", text };
}
