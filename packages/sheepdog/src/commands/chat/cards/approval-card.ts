import { lstat, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RuntimeOptions } from "@sheepdog/agent";
import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import type { ApprovalCard, CardLine } from "./card.ts";
import { changeLines } from "./change-lines.ts";

/** A call as the gate asks about it. */
export type CallToApprove = Parameters<NonNullable<RuntimeOptions["approve"]>>[0];

const MOST_LINES = 2_000;
const MOST_BYTES = 1_000_000;

/** A card that shows what a call would really do: the command, or the change to the file. */
export async function approvalCard(
  call: CallToApprove,
  reason: string,
  workspace: string,
): Promise<Omit<ApprovalCard, "id">> {
  const { tool } = call;
  const { title, lines } = await contentOf(call, workspace);
  const half = MOST_LINES / 2;
  const few =
    lines.length <= MOST_LINES
      ? lines
      : [
          ...lines.slice(0, half),
          note(`${lines.length - MOST_LINES} lines between are not shown`),
          ...lines.slice(-half),
        ];
  return { type: "approval", tool, title: visibleLines(title).join("\\n"), lines: few, reason };
}

async function contentOf(
  { tool, input = {} }: CallToApprove,
  workspace: string,
): Promise<{ readonly title: string; readonly lines: readonly CardLine[] }> {
  const { path, command, content, old, new: added, ...others } = input;
  if (tool === "bash" && typeof command === "string")
    return { title: "bash", lines: [...plain(command), ...rest({ ...omit(input, "command") })] };
  if (tool === "edit" && typeof path === "string" && typeof old === "string" && typeof added === "string")
    return { title: `edit ${path}`, lines: [...changeLines(old, added), ...rest(others)] };
  if (tool === "write" && typeof path === "string" && typeof content === "string")
    return written(path, content, workspace);
  return { title: tool, lines: plain(JSON.stringify(input, null, 2)) };
}

/** The change to a file that is there, or all of a new one. */
async function written(
  path: string,
  content: string,
  workspace: string,
): Promise<{ readonly title: string; readonly lines: readonly CardLine[] }> {
  const before = await contentBefore(resolve(workspace, path));
  if (typeof before === "string")
    return { title: `write ${path} (it is there already)`, lines: changeLines(before, content) };
  const about = before === undefined ? [] : [note("what is there now cannot be shown")];
  return {
    title: `write ${path}${before === undefined ? " (a new file)" : ""}`,
    lines: [...about, ...visibleLines(content).map((text): CardLine => ({ sign: "+", text }))],
  };
}

/** The text of a file; undefined where there is none, null where it cannot be shown. */
async function contentBefore(path: string): Promise<string | null | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= MOST_BYTES ? await readFile(path, "utf8") : null;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : null;
  }
}

function plain(text: string): CardLine[] {
  return visibleLines(text).map((line) => ({ sign: " ", text: line }));
}

function rest(others: Readonly<Record<string, unknown>>): CardLine[] {
  return Object.entries(others).map(([name, value]) => note(visibleLines(`${name}: ${JSON.stringify(value)}`).join(" ")));
}

function omit(input: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}

function note(text: string): CardLine {
  return { sign: "…", text };
}
