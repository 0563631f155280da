import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { minify } from "terser";
import { describe, expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;

async function bundled(): Promise<{ code: string; imports: readonly string[] }> {
  const bundle = await rolldown({ input: join(root, "src/index.ts") });
  const { output } = await bundle.generate({ format: "esm" });
  const { code = "" } = await minify(output[0].code, { module: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true } });
  return { code, imports: output.flatMap((chunk) => (chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [])) };
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

describe("purity", () => {
  test("the engine, bundled, imports nothing and is at most 16 kB minified and gzipped", async () => {
    const { code, imports } = await bundled();
    expect(imports).toEqual([]);
    expect(code).toContain("side-effect-repeat");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(16 * 1024);
  });

  test("no source names a clock, randomness, a machine or the network", () => {
    const forbidden =
      /\b(?:Date\b|Math\.random|performance\b|setTimeout|setInterval|setImmediate|queueMicrotask|process\b\.|require\(|import\(|fetch\(|XMLHttpRequest|WebSocket|console\.|globalThis|node:)/;
    const offences = sources(join(root, "src")).flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .map((line) => line.replace(/\/\*.*?\*\/|\/\/.*$|^\s*\*.*$|"[^"]*"|`[^`]*`|\/(?![*/]).+?\/[a-z]*/g, ""))
        .flatMap((line, i) => (forbidden.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
    expect(offences).toEqual([]);
  });
});
