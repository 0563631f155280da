import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { peer } from "../peer.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const ai7 = peer("ai-7");
const isBuilt = existsSync(join(root, "packages/integrations/dist/ai-sdk/index.d.ts"));

/** Version 6 is checked with all tests. The built types are checked, as users have them. */
test.skipIf(!ai7.isInstalled || !isBuilt)(`settings have the types of ai 7${ai7.hint}`, async () => {
  const folder = await mkdtemp(join(fileURLToPath(new URL(".", import.meta.url)), ".types-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const compilerOptions = {
    noEmit: true,
    customConditions: [],
    isolatedDeclarations: false,
    declaration: false,
    types: ["node"],
    paths: { ai: [fileURLToPath(ai7.url("ai/dist/index.d.ts"))] },
  };
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions,
    files: [fileURLToPath(new URL("typed-settings.ts", import.meta.url))],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
