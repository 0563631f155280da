import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { type Clock, machineClock } from "../protocol/clock.ts";
import { type GlobMatch, globMatch } from "../protocol/glob-match.ts";
import { defineTool } from "./define-tool.ts";
import { createLineMatcher, type LineMatcher, type MatchedLine } from "./files/line-matcher.ts";
import { openFile } from "./files/open-file.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { type FolderEntry, foldersToSkip, walkFolder } from "./files/walk-folder.ts";
import { resolvePath, shownPath } from "./paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const maxMatches = 200;
const maxChars = 14_000;
const maxLineChars = 300;
const maxFileBytes = 8 * 1024 * 1024;
const maxEntries = 200_000;

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe("A JavaScript regular expression, matched against each line."),
  path: z.string().min(1).max(4_096).optional().describe("The folder or file to search; default: the workspace."),
  glob: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Only files that match, such as "*.ts" (in any folder) or "src/**/*.ts".'),
  ignoreCase: z.boolean().optional(),
  context: z.int().min(0).max(10).optional().describe("How many lines to show around each match; default 0."),
});

export interface GrepToolOptions {
  readonly workspace: string;
  /** Time limit for matching one file. */
  readonly fileMs?: number;
  readonly clock?: Pick<Clock, "sleep">;
}

/** Searches the lines of files. */
export function grepTool({ workspace, fileMs = 2_000, clock = machineClock }: GrepToolOptions): Tool {
  return defineTool({
    name: "grep",
    origin: "builtin",
    description:
      "Searches files for lines that match a regular expression and shows them as path:line: text (context lines as " +
      "path-line- text). Skips binary files, files above 8 MB, node_modules and .git. " +
      `Shows at most ${maxMatches} matches.`,
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path ?? "."),
    async run({ pattern, path = ".", glob, ignoreCase = false, context: contextLines = 0 }, context) {
      const problem = whyNotRegExp(pattern);
      if (problem !== undefined) return failed(problem);
      const matchesGlob = glob === undefined ? undefined : globMatch(glob.includes("/") ? glob : `**/${glob}`);
      if (glob !== undefined && matchesGlob === undefined)
        return failed("glob has too many alternatives in braces: use a simpler one.");
      const start = await resolvePath(context.workspace, path);
      if (!start.ok) return failed(start.problem);
      const { signal } = context;
      const matcher = createLineMatcher({
        pattern,
        ignoreCase,
        contextLines,
        signal,
        waitLimit: (done) => clock.sleep(fileMs, done),
      });
      try {
        const files = filesIn(start.path, { matchesGlob, skip: foldersToSkip(path, glob ?? ""), signal });
        const outcome = await search(files, { matcher, context, root: start.workspace, path });
        return start.isInside ? outcome : { ...outcome, outsideSource: printableName(start.path) };
      } finally {
        await matcher.close();
      }
    },
  });
}

function whyNotRegExp(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? printableName(error.message) : "it cannot be parsed";
    return (
      `The pattern is not a valid regular expression: ${why}. ` +
      "Put a backslash before characters such as ( [ { + * ? that you mean literally."
    );
  }
}

interface FileSelection {
  readonly matchesGlob: GlobMatch | undefined;
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The files to search, and a note when there are too many. Empty when the path does not exist. */
async function* filesIn(
  start: string,
  { matchesGlob, skip, signal }: FileSelection,
): AsyncGenerator<FolderEntry | { readonly note: string }> {
  const stats = await stat(start).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    yield { path: start, components: [basename(start)], kind: "file" };
    return;
  }
  let isLimitReached = false;
  const onLimit = () => {
    isLimitReached = true;
  };
  for await (const entry of walkFolder(start, { skip, signal, maxEntries, onLimit })) {
    if (entry.kind === "file" && matchesGlob?.(entry.components) !== false) yield entry;
  }
  if (isLimitReached) yield { note: `[stopped after ${maxEntries} files and folders: search a smaller folder]` };
}

interface Search {
  readonly matcher: LineMatcher;
  readonly context: ToolContext;
  /** The real path of the workspace. */
  readonly root: string;
  /** The path as the model wrote it. */
  readonly path: string;
}

async function search(
  files: AsyncIterable<FolderEntry | { readonly note: string }>,
  { matcher, context, root, path }: Search,
): Promise<ToolOutcome> {
  const lines: string[] = [];
  const notes: string[] = [];
  let matchCount = 0;
  let chars = 0;
  let fileCount = 0;
  try {
    for await (const entry of files) {
      if ("note" in entry) {
        notes.push(entry.note);
        continue;
      }
      const text = await readText(entry.path, context);
      if (text === undefined) continue;
      fileCount++;
      const name = shownPath(root, entry.path);
      const result = await matcher.match(text, Math.max(0, maxMatches - matchCount));
      if (result.type === "stopped") break;
      if (result.type === "too-slow")
        return failed(
          `The pattern takes too long in ${name}: it backtracks too much. ` +
            "Use one without nested repetitions such as (a+)+.",
        );
      for (const row of result.lines.map((line) => toRow(name, line))) {
        chars += row.length + 1;
        if (chars <= maxChars) lines.push(row);
      }
      matchCount += result.count;
      if (matchCount >= maxMatches || chars > maxChars) {
        notes.push("[there may be more: use a narrower pattern, path or glob]");
        break;
      }
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
  if (context.signal.aborted)
    return { status: "interrupted", content: [...lines, "[the search was interrupted]"].join("\n") };
  if (fileCount === 0) return failed(`There is no text file to search in ${printableName(path)}.`);
  const noMatch = `No line matches, in ${fileCount} ${fileCount === 1 ? "file" : "files"}.`;
  return ok([...(matchCount === 0 ? [noMatch] : lines), ...notes].join("\n"));
}

function toRow(name: string, { number, text, isMatch }: MatchedLine): string {
  const separator = isMatch ? ":" : "-";
  const shown = text.replace(/\r$/, "").slice(0, maxLineChars);
  return `${name}${separator}${number}${separator} ${shown}${text.length > maxLineChars ? " …" : ""}`;
}

/** The text of a file; undefined when it is binary, too big or cannot be read. */
async function readText(path: string, { workspace, signal }: ToolContext): Promise<string | undefined> {
  const file = await openFile(workspace, path, { mustBeInside: false });
  if (!file.ok) return undefined;
  try {
    if (file.size > maxFileBytes) return undefined;
    const data = await file.handle.readFile({ signal });
    return data.length > maxFileBytes || data.subarray(0, 8_192).includes(0) ? undefined : data.toString("utf8");
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  } finally {
    await file.handle.close();
  }
}
