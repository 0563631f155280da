import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportSession, type Stores } from "@sheepdog/agent";
import { sessionMarkdown } from "./session-markdown.ts";

/** Writes a session to a new file: as JSON where its name ends so, else to be read. Resolves with a sentence about what came of it. */
export async function exportToFile(
  file: string,
  { stores, sessionId, cwd }: { readonly stores: Stores; readonly sessionId: string; readonly cwd: string },
): Promise<string> {
  if (file === "") return "Say where to: /export session.md, or session.json.";
  const document = await exportSession(stores, sessionId, Date.now());
  if (document === undefined) return "There is nothing to export yet.";
  const path = resolve(cwd, file);
  const content = file.endsWith(".json") ? `${JSON.stringify(document, null, 2)}\n` : sessionMarkdown(document);
  try {
    await writeFile(path, content, { flag: "wx", mode: 0o600 });
    return `Wrote ${path}.`;
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    return isThere
      ? `${path} is there already; nothing was written.`
      : `It could not be written: ${error instanceof Error ? error.message : error}`;
  }
}
