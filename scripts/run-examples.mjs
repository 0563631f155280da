// Builds and runs every example and compares its output with examples/*.out. `--write` updates those files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));
const built = mkdtempSync(join(folder, ".built-")); // beside the sources, so that packages are found as they would be
const isWriting = process.argv.includes("--write");
let failed = 0;

try {
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .sort()) {
    const file = join(built, name.replace(/\.ts$/, ".mjs"));
    const bundle = await rolldown({ input: join(folder, name), external: /^(?!\.|\/)/, platform: "node" });
    await bundle.write({ file, format: "esm" });
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
    const expected = join(folder, name.replace(/\.ts$/, ".out"));
    if (isWriting) writeFileSync(expected, stdout);
    const isAsExpected = status === 0 && existsSync(expected) && readFileSync(expected, "utf8") === stdout;
    console.log(`${isAsExpected ? "ok    " : "FAILED"} examples/${name}`);
    if (!isAsExpected)
      console.log(
        `${stdout}${stderr}\nexpected: what stands in ${expected}; npm run examples -- --write takes the above instead`,
      );
    failed += isAsExpected ? 0 : 1;
  }
} finally {
  rmSync(built, { recursive: true });
}
process.exitCode = failed === 0 ? 0 : 1;
