import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { detectorNames } from "@sheepdog/guardian";
import { call, fails, play, times } from "@sheepdog/guardian/testing";
import { rolldown } from "rolldown";
import { minify } from "terser";
import { describe, expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;

/** A file with all its imports, as a bundler ships it. */
async function bundled(file: string): Promise<{ bytes: number; code: string; imports: readonly string[] }> {
  const bundle = await rolldown({ input: join(root, "src", file) });
  const { output } = await bundle.generate({ format: "esm" });
  const { code = "" } = await minify(output[0].code, {
    module: true,
    ecma: 2020,
    compress: { passes: 3, unsafe_arrows: true },
  });
  return {
    bytes: gzipSync(code, { level: 9 }).length,
    code,
    imports: output.flatMap((chunk) => (chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [])),
  };
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory()
      ? sources(path)
      : entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts")
        ? [path]
        : [];
  });
}

describe("purity", () => {
  test("the public entry imports nothing and is at most 40 kB minified and gzipped", async () => {
    const { bytes, imports } = await bundled("index.ts");
    expect(imports).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(40 * 1024);
  });

  test("the README states the size of the public entry", async () => {
    const { bytes } = await bundled("index.ts");
    const [, stated = ""] = /(\d+) kB minified and gzipped/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
    expect(Number(stated)).toBe(Math.ceil(bytes / 1024));
  });

  test("the step contains every detector and every limit", async () => {
    const { code } = await bundled("step.ts");
    for (const name of [...detectorNames, "run-cost", "month-cost"]) expect(code).toContain(name);
  });

  test("the guardian works without a machine clock and without randomness", () => {
    const { random } = Math;
    const { Date: clock } = globalThis;
    const forbidden = () => {
      throw new Error("the guardian used the machine");
    };
    try {
      Math.random = forbidden;
      globalThis.Date = new Proxy(clock, { construct: forbidden, apply: forbidden, get: forbidden });
      expect(play(times(9, () => call("send_email", { to: "a@b.c", text: "hello there" }, "sent"))).stop?.reason).toBe(
        "side_effects",
      );
      expect(
        play(times(20, (i) => fails("bash", { command: `make ${i % 3}` }, "error: 2026-01-02 10:11:12 no rule"))).stop,
      ).toBeDefined();
    } finally {
      Math.random = random;
      globalThis.Date = clock;
    }
  });

  test("no source uses randomness, a machine or the network, and only createGuardian() has a default clock", () => {
    const forbidden = new RegExp(
      [
        "Date\\b|Math\\.random|performance\\b|setTimeout|setInterval|setImmediate|queueMicrotask|process\\b\\.",
        "require\\(|import\\(|fetch\\(|XMLHttpRequest|WebSocket|console\\.|globalThis|node:",
      ]
        .map((names) => `\\b(?:${names})`)
        .join("|"),
    );
    const offences = sources(join(root, "src")).flatMap((path) =>
      readFileSync(path, "utf8")
        .replace("options.now ?? Date.now", "options.now") // the default clock of createGuardian()
        .split("\n")
        .map((line) => line.replace(/\/\*.*?\*\/|\/\/.*$|^\s*\*.*$|"[^"]*"|`[^`]*`|\/(?![*/]).+?\/[a-z]*/g, ""))
        .flatMap((line, i) => (forbidden.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
    expect(offences).toEqual([]);
  });
});
