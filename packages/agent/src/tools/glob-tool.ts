import { stat } from "node:fs/promises";
import { z } from "zod";
import { globMatch } from "../protocol/glob-match.ts";
import { defineTool } from "./define-tool.ts";
import { describeFileError } from "./files/file-error.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { foldersToSkip, walkFolder } from "./files/walk-folder.ts";
import { resolvePath, shownPath } from "./paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool } from "./tool.ts";

const maxShown = 300;
const maxEntries = 200_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      'Paths relative to the folder: "*" within a name, "**" for any folders, "?", "[a-z]", "{ts,tsx}". ' +
        'For example "src/**/*.ts".',
    ),
  path: z.string().min(1).max(4_096).optional().describe("The folder to search; default: the workspace."),
});

/** Finds files and folders by their names. */
export function globTool({ workspace }: { readonly workspace: string }): Tool {
  return defineTool({
    name: "glob",
    origin: "builtin",
    description:
      'Lists files and folders whose paths match a pattern, sorted; folders end with "/". "*" lists one folder, ' +
      '"**/*" everything. Skips node_modules and .git unless the pattern or path names them. ' +
      `Shows at most ${maxShown}.`,
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path ?? "."),
    async run({ pattern, path = "." }, { workspace: root, signal }) {
      const matches = globMatch(pattern);
      if (matches === undefined) return failed("The pattern has too many alternatives in braces: use a simpler one.");
      const folder = await resolvePath(root, path);
      if (!folder.ok) return failed(folder.problem);
      const problem = await whyNotFolder(folder.path);
      if (problem !== undefined) return failed(`${printableName(path)}: ${problem}.`);
      const shown: string[] = [];
      let count = 0;
      let isLimitReached = false;
      const onLimit = () => {
        isLimitReached = true;
      };
      try {
        const entries = walkFolder(folder.path, { skip: foldersToSkip(pattern, path), signal, maxEntries, onLimit });
        for await (const entry of entries) {
          if (!matches(entry.components)) continue;
          count++;
          if (count > maxShown) continue;
          shown.push(`${shownPath(folder.workspace, entry.path)}${entry.kind === "folder" ? "/" : ""}`);
        }
      } catch (error) {
        if (signal.aborted) return { status: "interrupted", content: "The search for files was interrupted." };
        throw error;
      }
      const lines = [
        ...(count === 0 ? ["Nothing matches."] : shown),
        ...(count > maxShown ? [`[${count - maxShown} more: use a narrower pattern]`] : []),
        ...(isLimitReached ? [`[stopped after ${maxEntries} files and folders: search a smaller folder]`] : []),
      ];
      return ok(lines.join("\n"));
    },
  });
}

async function whyNotFolder(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : "it is a file, not a folder";
  } catch (error) {
    return describeFileError(error);
  }
}
