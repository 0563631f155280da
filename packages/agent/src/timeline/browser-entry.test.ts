import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

test("the entry runs in a browser: its bundle imports nothing, and no Node builtin", async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("index.ts", import.meta.url)),
    platform: "browser",
    resolve: { conditionNames: ["@sheepdog/source", "import", "default"] },
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []));
  expect(chunks.map(({ imports, dynamicImports }) => [...imports, ...dynamicImports])).toEqual([[]]);
  const [chunk] = chunks;
  expect(chunk?.exports).toContain("createLiveItems");
  expect(chunk?.code).not.toMatch(/\b(?:process|Buffer|require)\b/);
  const rooms = chunk?.moduleIds.filter((id) => !/[\\/]agent[\\/]src[\\/](?:timeline|protocol)[\\/]/.test(id));
  expect(rooms).toEqual([]);
});
