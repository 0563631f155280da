import { lstat, readFile } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { fileChange, maxDescribedBytes } from "./files/file-change.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { replaceFile } from "./files/replace-file.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { resolveInside, shownPath } from "./paths.ts";
import { failed, ok, type Tool } from "./tool.ts";

export interface WriteToolOptions {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
}

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace. Missing folders are created."),
  content: z.string().describe("The whole new content of the file; it replaces the old content."),
});

/** Writes a whole file. */
export function writeTool({ workspace, readRegistry }: WriteToolOptions): Tool {
  return defineTool({
    name: "write",
    origin: "builtin",
    description:
      "Writes a whole file in the workspace: creates it or replaces it. To change a part of a file, use edit. " +
      "Fails when the file has changed since you read it.",
    input,
    kind: "mutate",
    isConfined: true,
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run({ path, content }, { sessionId, workspace: root, signal }) {
      const resolved = await resolveInside(root, path);
      if (!resolved.ok) return failed(resolved.problem);
      const data = Buffer.from(content, "utf8");
      const oldData = await currentData(resolved.path);
      const replaced = await replaceFile({
        root: resolved.workspace,
        path: resolved.path,
        data,
        expectedVersion: readRegistry.versionRead(sessionId, resolved.path),
        signal,
      });
      const name = shownPath(resolved.workspace, resolved.path);
      if (!replaced.ok)
        return {
          status: signal.aborted ? "interrupted" : "error",
          content: `${name} was not written: ${replaced.problem}.`,
        };
      readRegistry.recordVersion(sessionId, resolved.path, replaced.version);
      if (replaced.isNew) return ok(`Wrote the new file ${name} (${data.length} bytes).`);
      const change = oldData === undefined ? undefined : fileChange(name, oldData, data);
      return ok(`Replaced ${name} (${data.length} bytes).`, change);
    },
  });
}

/** The content before the write, for the details; undefined if there is none, or if it is too large to describe. */
async function currentData(path: string): Promise<Buffer | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= maxDescribedBytes ? await readFile(path) : undefined;
  } catch {
    return undefined; // the write itself reports what is wrong
  }
}
