import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportSession, type Stores } from "@sheepdog/agent";
import { sessionMarkdown } from "./session-markdown.ts";

/** Writes a session to a new file: JSON if its name ends with `.json`, else Markdown. Resolves with a sentence. */
export async function exportToFile(
  file: string,
  { stores, sessionId, cwd }: { readonly stores: Stores; readonly sessionId: string; readonly cwd: string },
): Promise<string> {
  if (file === "") return "Name a file: /export session.md, or session.json.";
  const document = await exportSession(stores, sessionId, Date.now());
  if (document === undefined) return "There is nothing to export yet.";
  const path = resolve(cwd, file);
  const content = file.endsWith(".json") ? `${JSON.stringify(document, null, 2)}\n` : sessionMarkdown(document);
  try {
    await writeFile(path, content, { flag: "wx", mode: 0o600 });
    return `Wrote ${path}.`;
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    return exists
      ? `${path} exists already; nothing was written.`
      : `The file cannot be written: ${error instanceof Error ? error.message : error}`;
  }
}
