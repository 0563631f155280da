import { lstat, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type DiffLine, note } from "./diff-line.ts";
import { signed, textDiff } from "./text-diff.ts";

/** Bytes. A larger file is not compared. */
const MAX_BYTES = 1_000_000;

/** What an `edit` or a `write` would change, computed from the file on disk. */
export interface ProposedDiff {
  /** Whether the file exists, in a few words. */
  readonly state: "a new file" | "the file exists";
  readonly lines: readonly DiffLine[];
}

export interface ProposedCall {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** Undefined for calls of other tools. */
export async function proposedDiff(
  { tool, input = {} }: ProposedCall,
  workspace: string,
): Promise<ProposedDiff | undefined> {
  const { path, content, old, new: added } = input;
  if (typeof path !== "string") return undefined;
  if (tool === "edit" && typeof old === "string" && typeof added === "string") {
    const isForAll = input["replaceAll"] === true;
    return editDiff(await currentContent(resolve(workspace, path)), { old, added, isForAll });
  }
  if (tool === "write" && typeof content === "string")
    return writeDiff(await currentContent(resolve(workspace, path)), content);
  return undefined;
}

interface EditArguments {
  readonly old: string;
  readonly added: string;
  readonly isForAll: boolean;
}

async function editDiff(current: CurrentContent, { old, added, isForAll }: EditArguments): Promise<ProposedDiff> {
  const fromArguments = () => textDiff({ before: old, after: added, line: 1 });
  if (current.type === "missing")
    return { state: "a new file", lines: [note("the file does not exist"), ...(await fromArguments())] };
  const state = "the file exists";
  if (current.type === "unreadable") return { state, lines: [note(current.problem), ...(await fromArguments())] };
  const { text } = current;
  const [search, replacement] = text.includes(old) ? [old, added] : [withCrlf(old), withCrlf(added)];
  if (old === "" || !text.includes(search))
    return { state, lines: [note("the old text is not in the file"), ...(await fromArguments())] };
  const after = isForAll ? text.replaceAll(search, () => replacement) : text.replace(search, () => replacement);
  return { state, lines: await textDiff({ before: text, after, line: 1 }) };
}

async function writeDiff(current: CurrentContent, content: string): Promise<ProposedDiff> {
  if (current.type === "missing") return { state: "a new file", lines: signed("+", content) };
  const state = "the file exists";
  if (current.type === "unreadable") return { state, lines: [note(current.problem), ...signed("+", content)] };
  return { state, lines: await textDiff({ before: current.text, after: content, line: 1 }) };
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

type CurrentContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "missing" }
  | { readonly type: "unreadable"; readonly problem: string };

async function currentContent(path: string): Promise<CurrentContent> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return unreadable("the current content cannot be shown: it is not a regular file");
    if (stats.size > MAX_BYTES) return unreadable("the current content is not shown: the file is large");
    const data = await readFile(path);
    if (data.includes(0)) return unreadable("the current content is not shown: it is a binary file");
    return { type: "text", text: data.toString("utf8") };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? { type: "missing" } : unreadable("the current content cannot be read");
  }
}

function unreadable(problem: string): CurrentContent {
  return { type: "unreadable", problem };
}
