import { stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { describeFileError } from "./files/file-error.ts";
import { globMatch } from "./files/glob-match.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { skippedFolders, walkFolder } from "./files/walk-folder.ts";
import { resolvePath, shownPath } from "./paths.ts";
import { printableName } from "./printable-name.ts";
import { failed, ok, type Tool } from "./tool.ts";

const mostFound = 300;
const mostEntries = 200_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      'Which paths, seen from the folder: "*" within a name, "**" for any folders, "?", "[a-z]", "{ts,tsx}". For example "src/**/*.ts".',
    ),
  path: z.string().min(1).max(4_096).optional().describe("The folder to look in; the workspace where nothing is said."),
});

/** Finds files and folders by their names. */
export function globTool({ workspace }: { readonly workspace: string }): Tool {
  return defineTool({
    name: "glob",
    description: `Lists files and folders whose paths match a pattern, sorted; folders end with "/". "*" lists one folder, "**/*" everything. Does not enter node_modules and .git unless the pattern or path names them. At most ${mostFound} are shown.`,
    input,
    kind: "read",
    isIdempotent: true,
    touches: ({ path }) => touchedPaths(workspace, path ?? "."),
    async run({ pattern, path = "." }, { workspace: root, signal }) {
      const matches = globMatch(pattern);
      if (matches === undefined) return failed("The pattern has too many alternatives in braces: use a simpler one.");
      const folder = await resolvePath(root, path);
      if (!folder.ok) return failed(folder.problem);
      const problem = await whyNoFolder(folder.path);
      if (problem !== undefined) return failed(`${printableName(path)}: ${problem}.`);
      const found: string[] = [];
      let count = 0;
      let isWhole = true;
      const onLimit = () => {
        isWhole = false;
      };
      try {
        for await (const entry of walkFolder(folder.path, {
          skip: skipUnlessNamed(pattern, path),
          signal,
          maxEntries: mostEntries,
          onLimit,
        })) {
          if (!matches(entry.components) || ++count > mostFound) continue;
          found.push(`${shownPath(folder.workspace, entry.path)}${entry.kind === "folder" ? "/" : ""}`);
        }
      } catch (error) {
        if (signal.aborted) return { status: "interrupted", content: "Looking for files was interrupted." };
        throw error;
      }
      const notes = [
        count > mostFound ? `[${count - mostFound} more: use a narrower pattern]` : "",
        isWhole ? "" : `[stopped after ${mostEntries} files and folders: look in a smaller folder]`,
      ].filter((note) => note !== "");
      return ok(count === 0 ? ["Nothing matches.", ...notes].join("\n") : [...found, ...notes].join("\n"));
    },
  });
}

/** Folders that are passed over, except those that were asked for by name. */
export function skipUnlessNamed(...asked: readonly string[]): ReadonlySet<string> {
  const named = new Set(asked.flatMap((each) => each.split("/")));
  return new Set([...skippedFolders].filter((name) => !named.has(name)));
}

async function whyNoFolder(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : "it is a file, not a folder";
  } catch (error) {
    return describeFileError(error);
  }
}
