import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { envLayer } from "./env-layer.ts";
import { loadConfig } from "./load-config.ts";

const file = scratchFolder();
const page = readPage("configuration.md");

function readPage(name: string): string {
  return readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
}

function blocks(language: string, text = page): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, text = ""]) => text);
}

async function problems(user: string, project?: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml", user)) });
  const loaded = await loadConfig({ env, cwd: dirname(await file("project/sheepdog.toml", project)), home });
  return loaded.ok ? [] : loaded.problems;
}

describe("docs: the configuration", () => {
  test("shows valid files", async () => {
    expect(blocks("toml")).toHaveLength(2);
    for (const toml of blocks("toml")) expect(await problems(toml)).toEqual([]);
  });

  test.each(["providers.md", "recipes.md", "gate.md"])("%s shows valid files", async (name) => {
    for (const toml of blocks("toml", readPage(name))) expect(await problems(toml)).toEqual([]);
  });

  test("security.md shows valid settings", async () => {
    const settings = [...readPage("security.md").matchAll(/`(security\.\w+ = [^`]+)`/g)].map(([, toml = ""]) => toml);
    expect(settings).toHaveLength(4);
    for (const toml of settings) expect(await problems(toml)).toEqual([]);
  });

  test("shows variables that exist", () => {
    const [sample = ""] = blocks("sh").filter((text) => text.startsWith("SHEEPDOG_"));
    const variables = [...sample.matchAll(/^(?<name>\w+)=(?:'(?<quoted>[^']*)'|(?<bare>\S+))/gm)].map(({ groups }) => [
      groups?.["name"],
      groups?.["quoted"] ?? groups?.["bare"],
    ]);
    expect(variables).toHaveLength(5);
    const { problems, settings } = envLayer(Object.fromEntries(variables));
    expect([problems, settings.length]).toEqual([[], 5]);
  });

  test("shows problems as they are printed", async () => {
    const found = await problems("", '[agent]\nmax_turn = 3\nmin_tail = "ten"', { SHEEPDOG_AGENT__MAX_TURN: "3" });
    expect(blocks("text")).toEqual([found.map((problem) => `sheepdog: ${problem}\n`).join("")]);
  });
});
