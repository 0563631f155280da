// Type-checks the programs that stand in the docs: every block of TypeScript that begins with an import.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const files = [
  "docs/guardian/README.md",
  "docs/events.md",
  "docs/goals.md",
  "docs/integrations/ai-sdk.md",
  "docs/integrations/langchain.md",
  "docs/integrations/langgraph.md",
  "docs/mcp.md",
  "docs/opentelemetry.md",
  "docs/recipes.md",
  "docs/second-opinion.md",
  ...["guardian", "records", "agent"].map((name) => `packages/${name}/README.md`),
];
const folder = mkdtempSync(join(root, "examples", ".snippets-")); // where packages are found as a reader's would be

try {
  for (const file of files) {
    const blocks = readFileSync(join(root, file), "utf8").matchAll(/```ts\n(import [\s\S]*?)```/g);
    for (const [place, [, code]] of [...blocks].entries())
      writeFileSync(join(folder, `${file.replace(/\W/g, "-")}-${place}.ts`), code);
  }
  const options = { extends: join(root, "tsconfig.base.json"), include: [`${folder}/*.ts`] };
  const settings = {
    noEmit: true,
    types: ["node"],
    isolatedDeclarations: false,
    noUnusedLocals: false,
    rootDir: root,
    customConditions: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...options, compilerOptions: settings }));
  process.exitCode =
    spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "inherit" })
      .status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
