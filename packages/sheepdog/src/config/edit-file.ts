import { createHash } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeFolder } from "@sheepdog/records";

/** Returns the new content of a file, given its current content (undefined if it is missing). Undefined: no change. */
export type Edit = (content: Uint8Array | undefined) => string | undefined;

/** An older draft was left behind by a process that died. */
const staleDraftMs = 3_000;
const retryMs = 20;

/**
 * Changes a file atomically, without losing changes that another process makes at the same time. A new file gets
 * `mode`; an existing one keeps its mode and owner and, if its path is a symbolic link, its location.
 */
export async function editFile(path: string, edit: Edit, mode = 0o600): Promise<void> {
  makeFolder(dirname(path));
  const file = await realpath(path).catch(() => path);
  for (;;) {
    const content = await contentOf(file);
    const text = edit(content);
    if (text === undefined || (await replaceContent(file, content, { text, mode }))) return;
    await setTimeout(retryMs);
  }
}

/**
 * Replaces the content that was read. The draft is named after that content, so only one process can replace it at a
 * time. Returns false if the caller has to read the file again.
 */
async function replaceContent(
  file: string,
  content: Uint8Array | undefined,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<boolean> {
  const draft = `${file}.${hashOf(content).slice(0, 16)}.draft`;
  const handle = await open(draft, "wx", mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (handle === undefined) {
    const ageMs = await stat(draft).then(
      ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs), // the clock may have been set back
      () => 0,
    );
    if (ageMs > staleDraftMs) await rm(draft, { force: true });
    return false;
  }
  try {
    try {
      if (content !== undefined) {
        const { mode: current, uid, gid } = await stat(file);
        if (uid !== process.getuid?.() && process.getuid !== undefined) await handle.chown(uid, gid);
        await handle.chmod(current & 0o777);
      }
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const isUnchanged = hashOf(await contentOf(file)) === hashOf(content);
    if (isUnchanged) await rename(draft, file);
    else await rm(draft, { force: true });
    return isUnchanged;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function contentOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function hashOf(content: Uint8Array | undefined): string {
  return createHash("sha256")
    .update(content === undefined ? "none" : "some")
    .update(content ?? "")
    .digest("hex");
}
