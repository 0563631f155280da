import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { fileChange } from "./files/file-change.ts";
import { describeFileError } from "./files/file-error.ts";
import { type OpenFileResult, openFile } from "./files/open-file.ts";
import type { ReadRegistry } from "./files/read-registry.ts";
import { replaceFile } from "./files/replace-file.ts";
import { replaceText, type TextReplacement } from "./files/replace-text.ts";
import { touchedPaths } from "./files/touched-paths.ts";
import { shownPath } from "./paths.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

export interface EditToolOptions {
  readonly workspace: string;
  readonly readRegistry: ReadRegistry;
}

const maxBytes = 32 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().min(1).max(4_096).describe("The file, relative to the workspace."),
  old: z
    .string()
    .describe(
      "The text to replace, exactly as in the file, without line numbers. " +
        "It must occur exactly once, unless replaceAll is set.",
    ),
  new: z.string().describe("The text to put in its place."),
  replaceAll: z.boolean().optional().describe("Replace every occurrence of old."),
});

/** Replaces text in a file. */
export function editTool({ workspace, readRegistry }: EditToolOptions): Tool {
  return defineTool({
    name: "edit",
    origin: "builtin",
    description:
      "Replaces text in a file of the workspace. Fails and changes nothing when the text is not in the file, " +
      "occurs more than once without replaceAll, or the file has changed since you read it.",
    input,
    kind: "mutate",
    isConfined: true,
    touches: ({ path }) => touchedPaths(workspace, path),
    async run({ path, replaceAll = false, ...texts }, context) {
      const file = await openFile(context.workspace, path, { mustBeInside: true });
      if (!file.ok) return failed(file.problem);
      try {
        return await editFile(file, { ...texts, replaceAll }, { context, readRegistry });
      } catch (error) {
        return failed(`${shownPath(file.workspace, file.path)}: ${describeFileError(error)}.`);
      } finally {
        await file.handle.close();
      }
    },
  });
}

async function editFile(
  { handle, path, workspace, size, version }: Extract<OpenFileResult, { ok: true }>,
  replacement: TextReplacement,
  { context, readRegistry }: { readonly context: ToolContext; readonly readRegistry: ReadRegistry },
): Promise<ToolOutcome> {
  const { sessionId, signal } = context;
  const name = shownPath(workspace, path);
  const versionRead = readRegistry.versionRead(sessionId, path);
  if (versionRead !== undefined && versionRead !== version)
    return failed(`${name} was not changed: it has changed since you read it. Read it again, then make the edit.`);
  if (size > maxBytes)
    return failed(`${name} is too big to edit (${size} bytes, at most ${maxBytes}): use bash with a tool such as sed.`);
  const oldData = await handle.readFile({ signal });
  if (oldData.subarray(0, 8_192).includes(0)) return failed(`${name} is a binary file: edit changes only text.`);
  const edited = replaceText(oldData, replacement);
  if (!edited.ok) return failed(`${name} was not changed: ${edited.problem}.`);
  const replaced = await replaceFile({ root: workspace, path, data: edited.data, expectedVersion: version, signal });
  if (!replaced.ok)
    return {
      status: signal.aborted ? "interrupted" : "error",
      content: `${name} was not changed: ${replaced.problem}.`,
    };
  readRegistry.recordVersion(sessionId, path, replaced.version);
  const places = edited.count === 1 ? `at line ${edited.line}` : `in ${edited.count} places`;
  return ok(`Changed ${name} ${places}.`, fileChange(name, oldData, edited.data));
}
