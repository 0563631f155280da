import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { replaceFile } from "./files/replace-file.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { resolveInside, shownPath } from "./paths.ts";
import { failed, ok, type Tool } from "./tool.ts";

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace. Missing folders are made."),
  content: z.string().describe("The whole content of the file. What was in it before is gone."),
});

/** Writes a whole file. */
export function writeTool({
  workspace,
  readRegistry,
}: {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
}): Tool {
  return defineTool({
    name: "write",
    description:
      "Writes a whole file in the workspace, new or in place of the old one. To change a part of a file use edit. Refused where the file was changed by somebody else since you read it.",
    input,
    kind: "mutate",
    isConfined: true,
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run({ path: asked, content }, { sessionId, workspace: root, signal }) {
      const resolved = await resolveInside(root, asked);
      if (!resolved.ok) return failed(resolved.problem);
      const { path } = resolved;
      const data = Buffer.from(content, "utf8");
      const expected = readRegistry.versionRead(sessionId, path);
      const replaced = await replaceFile({ root: resolved.workspace, path, data, expected, signal });
      const shown = shownPath(resolved.workspace, path);
      if (!replaced.ok)
        return {
          status: signal.aborted ? "interrupted" : "error",
          content: `${shown} was not written: ${replaced.problem}.`,
        };
      readRegistry.recordVersion(sessionId, path, replaced.version);
      return ok(`${replaced.isNew ? "Wrote the new file" : "Replaced"} ${shown} (${data.length} bytes).`);
    },
  });
}
