import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrices, type PriceOverrides } from "@sheepdog/records";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { chooseModel } from "../compose/choose-model.ts";
import { resolveHome } from "../home.ts";
import { loadConfig } from "./load-config.ts";

const file = scratchFolder();
const folder = join(import.meta.dirname, "../../../../config/samples");
const names = readdirSync(folder);

test("there is a sample for each kind of provider", () => {
  expect(names.sort()).toEqual(
    ["anthropic", "azure", "bedrock", "google", "litellm", "ollama", "openai", "openrouter"].map(
      (name) => `${name}.toml`,
    ),
  );
});

test.each(names)("%s loads, its model can be used with the key that it names, and its price is known", async (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
  await writeFile(home.configFile, text);
  const key = /export (\w+)=/.exec(text)?.[1];
  const env: Record<string, string> = key === undefined ? {} : { [key]: "a-key" };
  const loaded = await loadConfig({ env, cwd: join(home.dir, "project"), home });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const { config } = loaded;
  const chosen = await chooseModel(config, env);
  if (!chosen.ok) throw new Error(chosen.problems.join("\n"));
  expect(chosen).toMatchObject({ name: `${config.model.provider}:${config.model.model_id}`, notes: [] });
  const prices = await createPrices({ overrides: config.budget.pricing_overrides as PriceOverrides }); // numbers only
  const [{ modelId, provider }] = chosen.models;
  expect(prices.maxPrice({ model: modelId, provider, at: Date.now(), input: 1, maxOutput: 1 })).not.toBeNull();
});
