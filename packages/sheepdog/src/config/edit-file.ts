import { createHash } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeFolder } from "@sheepdog/records";

/** What a file is to hold, given what it holds now (nothing where there is none); undefined leaves it as it is. */
export type Edit = (before: Uint8Array | undefined) => string | undefined;

/** A draft that is older was left behind by a process that is gone. */
const staleMs = 3_000;
const pauseMs = 20;

/**
 * Changes a file as a whole or not at all, and loses nothing that another process changes at the same time. A new file is made with `mode`; an old one keeps
 * its mode and, where its path is a link, its place.
 */
export async function editFile(path: string, edit: Edit, mode = 0o600): Promise<void> {
  makeFolder(dirname(path));
  const file = await realpath(path).catch(() => path);
  for (;;) {
    const before = await contentOf(file);
    const text = edit(before);
    if (text === undefined || (await isReplaced(file, before, { text, mode }))) return;
    await setTimeout(pauseMs);
  }
}

/** Replaces the content that was read. Its draft is named by that content, so only one process at a time can do so; the others look again. */
async function isReplaced(
  file: string,
  before: Uint8Array | undefined,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<boolean> {
  const draft = `${file}.${hashOf(before).slice(0, 16)}.draft`;
  const handle = await open(draft, "wx", mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (handle === undefined) {
    const age = await stat(draft).then(
      ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs), // one from the future was made before the clock was set
      () => 0,
    );
    if (age > staleMs) await rm(draft, { force: true });
    return false;
  }
  try {
    try {
      if (before !== undefined) await handle.chmod((await stat(file)).mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const isStill = hashOf(await contentOf(file)) === hashOf(before);
    if (isStill) await rename(draft, file);
    else await rm(draft, { force: true });
    return isStill;
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
