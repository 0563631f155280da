import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { closestName } from "@sheepdog/guardian";
import { z } from "zod";
import { isInside } from "../protocol/is-inside.ts";
import { defineTool } from "./define-tool.ts";
import { describeFileError } from "./files/file-error.ts";
import { openFile } from "./files/open-file.ts";
import { type LinesRead, readLines } from "./files/read-lines.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { resolvePath, shownPath } from "./paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool, type ToolOutcome } from "./tool.ts";

export interface ReadToolOptions {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
  /** How many bytes one call shows; the model reads more with an offset. */
  readonly maxBytes?: number;
}

const maxLineBytes = 2_000;

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace or absolute."),
  offset: z.int().min(1).optional().describe("The first line to show; the file's first line is 1."),
  limit: z.int().min(1).max(5_000).optional().describe("The maximum number of lines; default 2000."),
});

/** Shows the lines of a text file with their numbers. */
export function readTool({ workspace, readRegistry, maxBytes = 14_000 }: ReadToolOptions): Tool {
  return defineTool({
    name: "read",
    origin: "builtin",
    description:
      "Shows a text file; each line starts with its number and a tab, which are not part of the file. " +
      "A long file is shown in parts: continue with offset. Read a file before you edit it. " +
      "To list a folder, use glob.",
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run({ path, offset = 1, limit = 2_000 }, { workspace: root, sessionId, signal }) {
      const name = printableName(path);
      const file = await openFile(root, path, { mustBeInside: false });
      if (!file.ok)
        return failed(file.isMissing === true ? await suggestNeighbour(root, path, file.problem) : file.problem);
      try {
        const read = await readLines(file.handle, { offset, limit, maxLineBytes, maxBytes, signal });
        if (read.isBinary) return failed(`${name} is a binary file of ${file.size} bytes: read shows only text.`);
        readRegistry.recordVersion(sessionId, file.path, file.version);
        const outcome = toOutcome(read, offset, name);
        return isInside(file.workspace, file.path) ? outcome : { ...outcome, outsideSource: printableName(file.path) };
      } catch (error) {
        if (signal.aborted) return { status: "interrupted", content: `Reading ${name} was interrupted.` };
        return failed(`${name}: ${describeFileError(error)}.`);
      } finally {
        await file.handle.close();
      }
    },
  });
}

function toOutcome({ lines, total, hasCrlf, endsWithNewline }: LinesRead, offset: number, name: string): ToolOutcome {
  if (total === 0) return ok(`[${name} is empty]`);
  if (lines.length === 0)
    return failed(`${name} has ${total} ${total === 1 ? "line" : "lines"}: there is no line ${offset}.`);
  const notes = [
    total === undefined ? `[more lines follow: continue with offset ${offset + lines.length}]` : "",
    hasCrlf ? "[the lines end with CRLF; edit keeps that]" : "",
    total !== undefined && !endsWithNewline ? "[no line end after the last line]" : "",
  ].filter((note) => note !== "");
  return ok([...lines.map((line, index) => `${offset + index}\t${line}`), ...notes].join("\n"));
}

/** Adds the existing file in the same folder whose name is most like the missing one. */
async function suggestNeighbour(workspace: string, path: string, problem: string): Promise<string> {
  const resolved = await resolvePath(workspace, path);
  if (!resolved.ok) return problem;
  const folder = dirname(resolved.path);
  const names = await readdir(folder).catch(() => []); // the folder is missing too
  const near = closestName(basename(resolved.path), names.slice(0, 2_000));
  return near === undefined ? problem : `${problem} There is ${shownPath(resolved.workspace, join(folder, near))}.`;
}
