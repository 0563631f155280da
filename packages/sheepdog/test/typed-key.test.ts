import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../src/cli.ts";
import { fakeIo } from "./fake-io.ts";
import { scratchFolder } from "./scratch-folder.ts";

const file = scratchFolder();
/** In the form of a key; it is none. */
const key = `sk-ant-api03-${"a1B2c3".repeat(6)}`;
/** A key without a form of its own. */
const plainKey = "quiet7shepherd9walks4home";

interface Typed {
  readonly words: readonly string[];
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function printed({ words, config = "", env = {} }: Typed): Promise<string> {
  const home = dirname(await file("home/config.toml", config));
  const cwd = dirname(await file("project/x", ""));
  const io = fakeIo({ cwd, env: { SHEEPDOG_HOME: home, NO_COLOR: "1", SOME_API_KEY: plainKey, ...env } });
  await main([...words], io);
  return io.out() + io.err();
}

describe.each([
  ["with a known form", key],
  ["of a variable", plainKey],
])("a key %s that is typed in a wrong place is not printed", (_, secret) => {
  test.each<[string, Typed]>([
    ["as a value of the wrong type", { words: ["config", "show"], config: `[agent]\nmax_turns = "${secret}"\n` }],
    ["as the name of a provider", { words: ["config", "show"], config: `[model]\nprovider = "${secret}"\n` }],
    ["as a value of a table", { words: ["config", "show"], config: `model = "${secret}"\n` }],
    ["as a name of a key", { words: ["config", "show"], config: `[model]\n"${secret}" = 1\n` }],
    ["without quotes", { words: ["config", "show"], config: `[model]\nprovider = ${secret}\n` }],
    ["under an unknown key", { words: ["config", "show"], config: `[model]\napi_key = "${secret}"\n` }],
    ["in a variable", { words: ["config", "show"], env: { SHEEPDOG_AGENT__MAX_TURNS: secret } }],
    ["as a value that is set", { words: ["config", "set", "agent.max_turns", secret] }],
    ["as a key that is set", { words: ["config", "set", secret, "1"] }],
    ["as a key that is read", { words: ["config", "get", secret] }],
    ["as a flag's value", { words: ["run", "--max-turns", secret, "Go."] }],
    ["as a command", { words: [secret] }],
    ["as a subcommand", { words: ["config", secret] }],
  ])("%s", async (_name, typed) => {
    const text = await printed(typed);
    expect(text).not.toBe("");
    expect(text).not.toContain(secret.slice(0, 20));
  });
});
