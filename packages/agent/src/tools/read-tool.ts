import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { describeFileError } from "./files/file-error.ts";
import { nearbyName } from "./files/nearby-name.ts";
import { openFile } from "./files/open-file.ts";
import { type LinesRead, readLines } from "./files/read-lines.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool } from "./tool.ts";

export interface ReadToolOptions {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
  /** What one call shows at most; more is read with an offset. */
  readonly maxBytes?: number;
}

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace or absolute."),
  offset: z.int().min(1).optional().describe("The first line to show; the file's first line is 1."),
  limit: z.int().min(1).max(5_000).optional().describe("How many lines to show at most; 2000 where nothing is said."),
});

/** Shows the lines of a text file with their numbers. */
export function readTool({ workspace, readRegistry, maxBytes = 14_000 }: ReadToolOptions): Tool {
  return defineTool({
    name: "read",
    description:
      "Shows a text file, each line with its number and a tab before it (they are not part of the file). A long file is shown in parts: go on with offset. Read a file before you edit it. Folders are listed with glob, not with read.",
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run({ path, offset = 1, limit = 2_000 }, context) {
      const file = await openFile(context.workspace, path, { beInside: false });
      if (!file.ok)
        return failed(
          file.isMissing === true ? await withNeighbour(context.workspace, path, file.problem) : file.problem,
        );
      try {
        const some = await readLines(file.handle, {
          offset,
          limit,
          maxLineBytes: 2_000,
          maxBytes,
          signal: context.signal,
        });
        if (some.isBinary)
          return failed(`${printableName(path)} is a binary file of ${file.size} bytes: it is not shown.`);
        readRegistry.recordVersion(context.sessionId, file.path, file.version);
        return shown(some, offset, printableName(path));
      } catch (error) {
        if (context.signal.aborted)
          return { status: "interrupted", content: `Reading ${printableName(path)} was interrupted.` };
        return failed(`${printableName(path)}: ${describeFileError(error)}.`);
      } finally {
        await file.handle.close();
      }
    },
  });
}

function shown(
  { lines, total, hasCrlf, endsWithNewline }: LinesRead,
  offset: number,
  name: string,
): ReturnType<typeof ok> {
  if (total === 0) return ok(`[${name} is empty]`);
  if (lines.length === 0) return failed(`${name} has ${total} lines: there is nothing from line ${offset} on.`);
  const next = offset + lines.length;
  const notes = [
    total === undefined ? `[more lines follow: go on with offset ${next}]` : "",
    hasCrlf ? "[the lines end with CRLF; edit keeps that]" : "",
    total !== undefined && !endsWithNewline ? "[no line end after the last line]" : "",
  ].filter((note) => note !== "");
  return ok([...lines.map((line, place) => `${offset + place}\t${line}`), ...notes].join("\n"));
}

async function withNeighbour(workspace: string, path: string, problem: string): Promise<string> {
  const near = await nearbyName(workspace, path);
  return near === undefined ? problem : `${problem} There is ${near}.`;
}
