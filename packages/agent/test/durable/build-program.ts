import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const modules = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));

/** A program built from the current sources: `dist` may be older. */
export interface Program {
  readonly path: string;
  remove(): void;
}

/** Builds the program of the test processes, in a folder from which Node finds the packages. */
export async function buildProgram(): Promise<Program> {
  const cache = join(modules, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "durable-"));
  const path = join(folder, "program.mjs");
  const bundle = await rolldown({
    input: fileURLToPath(new URL("program.ts", import.meta.url)),
    platform: "node",
    external: ["@photostructure/sqlite", /^gpt-tokenizer/],
    resolve: { conditionNames: ["@sheepdog/source", "node", "import", "default"] },
  });
  await bundle.write({ file: path, format: "esm", codeSplitting: false });
  await bundle.close();
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
