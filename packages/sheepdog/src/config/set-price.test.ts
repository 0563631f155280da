import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { setPrice } from "./set-price.ts";

const file = scratchFolder();

test("the price of a model is set in cents, and its prices for cached tokens stay", async () => {
  const folder = await file("home");
  const home = resolveHome({ SHEEPDOG_HOME: folder });
  const context = { env: {}, home };
  const first = await setPrice({ model: "ollama/qwen3:8b", inputUsd: 0.25, outputUsd: 2 }, context);
  expect(first).toEqual({
    ok: true,
    text:
      "The price of ollama/qwen3:8b is now $0.250 for a million input tokens and $2.00 for a million output tokens " +
      `(${home.configFile}). Runs that are already running keep their prices.`,
    notes: [],
  });
  const text = await readFile(home.configFile, "utf8");
  await writeFile(home.configFile, text.replace("output = 200", "output = 200\ncache_read = 3"));
  expect(await setPrice({ model: "ollama/qwen3:8b", inputUsd: 3, outputUsd: 15 }, context)).toMatchObject({ ok: true });
  const changed = await readFile(home.configFile, "utf8");
  for (const part of ["input = 300", "output = 1500", "cache_read = 3"]) expect(changed).toContain(part);
});
