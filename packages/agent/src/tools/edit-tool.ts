import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { describeFileError } from "./files/file-error.ts";
import { type OpenFileResult, openFile } from "./files/open-file.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { replaceFile } from "./files/replace-file.ts";
import { replaceText } from "./files/replace-text.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { shownPath } from "./paths.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const mostBytes = 32 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace."),
  old: z
    .string()
    .describe(
      "The text to replace, exactly as it is in the file, without line numbers. It must be there once, unless replaceAll is set.",
    ),
  new: z.string().describe("The text to put in its place."),
  replaceAll: z.boolean().optional().describe("Replace every place where old is found."),
});

/** Replaces a text in a file. */
export function editTool({
  workspace,
  readRegistry,
}: {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
}): Tool {
  return defineTool({
    name: "edit",
    description:
      "Replaces a text in a file of the workspace by another. Fails, and changes nothing, where the text is not found, is found more than once without replaceAll, or the file was changed since you read it.",
    input,
    kind: "mutate",
    isConfined: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run(change, context) {
      const file = await openFile(context.workspace, change.path, { beInside: true });
      if (!file.ok) return failed(file.problem);
      try {
        return await edited(file, { ...change, replaceAll: change.replaceAll === true }, { context, readRegistry });
      } catch (error) {
        return failed(`${shownPath(file.workspace, file.path)}: ${describeFileError(error)}.`);
      } finally {
        await file.handle.close();
      }
    },
  });
}

interface Change {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

async function edited(
  { handle, path, workspace, size, version }: Extract<OpenFileResult, { ok: true }>,
  change: Change,
  { context, readRegistry }: { readonly context: ToolContext; readonly readRegistry: ReadRegistry },
): Promise<ToolOutcome> {
  const shown = shownPath(workspace, path);
  const seen = readRegistry.versionRead(context.sessionId, path);
  if (seen !== undefined && seen !== version)
    return failed(
      `${shown} was not changed: somebody else changed it since you read it. Read it again, then make the change.`,
    );
  if (size > mostBytes)
    return failed(
      `${shown} has ${size} bytes, too many to edit (at most ${mostBytes}): use bash with a tool such as sed.`,
    );
  const before = await handle.readFile({ signal: context.signal });
  if (before.subarray(0, 8_192).includes(0)) return failed(`${shown} is a binary file: it is not edited.`);
  const after = replaceText(before, change);
  if (!after.ok) return failed(`${shown} was not changed: ${after.problem}.`);
  const replaced = await replaceFile({
    root: workspace,
    path,
    data: after.data,
    expected: version,
    signal: context.signal,
  });
  if (!replaced.ok)
    return {
      status: context.signal.aborted ? "interrupted" : "error",
      content: `${shown} was not changed: ${replaced.problem}.`,
    };
  readRegistry.recordVersion(context.sessionId, path, replaced.version);
  return ok(`Changed ${shown} ${after.count === 1 ? `at line ${after.line}` : `in ${after.count} places`}.`);
}
