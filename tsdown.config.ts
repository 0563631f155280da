import { defineConfig } from "tsdown";

const shared = {
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: false,
  clean: true,
  sourcemap: false,
} as const;

/** Every package is built from its own entries; imports of other packages stay imports. */
export default defineConfig([
  {
    ...shared,
    cwd: "packages/guardian",
    entry: {
      index: "src/index.ts",
      presets: "src/policy/presets.ts",
      explain: "src/explain.ts",
      "seeds/index": "src/seeds/index.ts",
      "testing/index": "src/testing/index.ts",
    },
    platform: "neutral",
    dts: true,
  },
  { ...shared, cwd: "packages/records", entry: { index: "src/index.ts" }, dts: true },
  {
    ...shared,
    cwd: "packages/agent",
    entry: { index: "src/index.ts", "testing/index": "src/testing/index.ts" },
    dts: true,
  },
  {
    ...shared,
    cwd: "packages/sheepdog",
    entry: { cli: "src/cli.ts" },
    dts: false,
    // What every start needs is one file, commander in it: each further one would cost a millisecond before the first word is printed.
    deps: { alwaysBundle: ["commander"] },
    outputOptions: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
    onSuccess: "node ../../scripts/render-help.mjs",
  },
]);
