import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";

/** Runs the first program of a page in docs/integrations, and returns what it printed. */
export async function runPageProgram(page: string, replacedImports: Readonly<Record<string, string>> = {}) {
  const text = await readFile(new URL(`../../../docs/integrations/${page}`, import.meta.url), "utf8");
  let [, program = ""] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  for (const [name, url] of Object.entries(replacedImports)) program = program.replace(`"${name}"`, `"${url}"`);
  // Below the repository, where the program finds its packages.
  const folder = await mkdtemp(join(fileURLToPath(new URL(".", import.meta.url)), ".page-"));
  const printed: unknown[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void printed.push(line));
  onTestFinished(async () => {
    log.mockRestore();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, "program.ts");
  await writeFile(file, program);
  await import(file);
  return printed.join("\n");
}
