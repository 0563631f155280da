import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { type Clock, machineClock } from "../protocol/clock.ts";
import { defineTool } from "./define-tool.ts";
import { type GlobMatch, globMatch } from "./files/glob-match.ts";
import { createLineMatcher, type LineMatcher } from "./files/line-matcher.ts";
import { openFile } from "./files/open-file.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { type FolderEntry, walkFolder } from "./files/walk-folder.ts";
import { skipUnlessNamed } from "./glob-tool.ts";
import { resolvePath, shownPath } from "./paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const mostMatches = 200;
const mostChars = 14_000;
const mostLineChars = 300;
const mostFileBytes = 8 * 1024 * 1024;
const mostEntries = 200_000;

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe("A regular expression as in JavaScript, matched against each line."),
  path: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe("The folder or file to search; the workspace where nothing is said."),
  glob: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Only files that match, such as "*.ts" (a name anywhere) or "src/**/*.ts".'),
  ignoreCase: z.boolean().optional(),
  context: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe("How many lines to show before and after each match; 0 where nothing is said."),
});

export interface GrepToolOptions {
  readonly workspace: string;
  /** What matching one file may take, in milliseconds. */
  readonly fileMs?: number;
  readonly clock?: Pick<Clock, "sleep">;
}

/** Searches the lines of files. */
export function grepTool({ workspace, fileMs = 2_000, clock = machineClock }: GrepToolOptions): Tool {
  return defineTool({
    name: "grep",
    description: `Searches files for lines that match a regular expression and shows them as path:line: text (context lines as path-line- text). Passes over binary files, files above 8 MB, node_modules and .git. At most ${mostMatches} matches are shown.`,
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path ?? "."),
    async run({ pattern, path = ".", glob, ignoreCase = false, context: around = 0 }, context) {
      const problem = whyNoPattern(pattern);
      if (problem !== undefined) return failed(problem);
      const chosen = glob === undefined ? undefined : globMatch(glob.includes("/") ? glob : `**/${glob}`);
      if (glob !== undefined && chosen === undefined)
        return failed("glob has too many alternatives in braces: use a simpler one.");
      const start = await resolvePath(context.workspace, path);
      if (!start.ok) return failed(start.problem);
      const { signal } = context;
      const matcher = createLineMatcher({
        pattern,
        ignoreCase,
        context: around,
        signal,
        sleep: (done) => clock.sleep(fileMs, done),
      });
      try {
        const files = filesIn(start.path, { chosen, skip: skipUnlessNamed(path, glob ?? ""), signal });
        return await searched(files, { matcher, context, root: start.workspace, asked: path });
      } finally {
        await matcher.close();
      }
    },
  });
}

function whyNoPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `The pattern is no regular expression: ${error instanceof Error ? printableName(error.message) : "it cannot be read"}. Put a backslash before characters such as ( [ { + * ? that are meant as they are.`;
  }
}

interface Chosen {
  readonly chosen: GlobMatch | undefined;
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The files to search; a note in place of the rest where there are too many; nothing where there is no such path. */
async function* filesIn(
  start: string,
  { chosen, skip, signal }: Chosen,
): AsyncGenerator<FolderEntry | { readonly note: string }> {
  const stats = await stat(start).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    yield { path: start, components: [basename(start)], kind: "file" };
    return;
  }
  let isWhole = true;
  const onLimit = () => {
    isWhole = false;
  };
  for await (const entry of walkFolder(start, { skip, signal, maxEntries: mostEntries, onLimit })) {
    if (entry.kind === "file" && chosen?.(entry.components) !== false) yield entry;
  }
  if (!isWhole) yield { note: `[stopped after ${mostEntries} files and folders: search a smaller folder]` };
}

interface Search {
  readonly matcher: LineMatcher;
  readonly context: ToolContext;
  readonly root: string;
  readonly asked: string;
}

async function searched(
  files: AsyncIterable<FolderEntry | { readonly note: string }>,
  { matcher, context, root, asked }: Search,
): Promise<ToolOutcome> {
  const lines: string[] = [];
  const notes: string[] = [];
  let count = 0;
  let chars = 0;
  let searchedFiles = 0;
  try {
    for await (const entry of files) {
      if ("note" in entry) {
        notes.push(entry.note);
        continue;
      }
      const text = await textOf(entry.path, context);
      if (text === undefined) continue;
      searchedFiles++;
      const shown = shownPath(root, entry.path);
      const matched = await matcher.match(text, Math.max(0, mostMatches - count));
      if (matched.type === "stopped") break;
      if (matched.type === "too-slow")
        return failed(
          `The pattern takes too long in ${shown}: it backtracks too much. Use one without nested repetitions such as (a+)+.`,
        );
      for (const { number, text: line, isMatch } of matched.lines) {
        const [before, after] = isMatch ? [":", ":"] : ["-", "-"];
        const row = `${shown}${before}${number}${after} ${line.replace(/\r$/, "").slice(0, mostLineChars)}${line.length > mostLineChars ? " …" : ""}`;
        chars += row.length + 1;
        if (chars <= mostChars) lines.push(row);
      }
      count += matched.count;
      if (count >= mostMatches || chars > mostChars) {
        notes.push("[there may be more: use a narrower pattern, path or glob]");
        break;
      }
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
  if (context.signal.aborted)
    return { status: "interrupted", content: [...lines, "[the search was interrupted]"].join("\n") };
  if (count === 0 && searchedFiles === 0) return failed(`There is no text file to search in ${printableName(asked)}.`);
  return ok(
    [
      ...(count === 0 ? [`No line matches, in ${searchedFiles} ${searchedFiles === 1 ? "file" : "files"}.`] : lines),
      ...notes,
    ].join("\n"),
  );
}

/** The text of a file; nothing where it is none, is too big or cannot be read. */
async function textOf(path: string, { workspace, signal }: ToolContext): Promise<string | undefined> {
  const file = await openFile(workspace, path, { beInside: false });
  if (!file.ok) return undefined;
  try {
    if (file.size > mostFileBytes) return undefined;
    const data = await file.handle.readFile({ signal });
    return data.length > mostFileBytes || data.subarray(0, 8_192).includes(0) ? undefined : data.toString("utf8");
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  } finally {
    await file.handle.close();
  }
}
