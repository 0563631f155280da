import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { configSchema } from "../../config/schema.ts";

const file = scratchFolder();

interface World {
  readonly user?: string;
  readonly project?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly isTTY?: boolean;
}

interface Ran {
  readonly code: number;
  readonly out: string;
  /** Without the path of the scratch folder. */
  readonly err: string;
}

async function run(words: readonly string[], { user, project, env = {}, ...world }: World = {}): Promise<Ran> {
  const home = dirname(await file("home/config.toml", user));
  const cwd = dirname(await file("project/sheepdog.toml", project));
  const io: FakeIo = fakeIo({ ...world, cwd, env: { SHEEPDOG_HOME: home, NO_COLOR: "1", ...env } });
  const code = await main(["config", ...words], io);
  return { code, out: io.out(), err: io.err().replaceAll(`${home}/`, "~/") };
}

describe("config show", () => {
  test("prints TOML that parses to the same configuration", async () => {
    const user =
      '[agent]\nmax_turns = 40\n[agent.guardian.tools."get_*"]\nscale = 2\n[[fallback_models]]\nprovider = ' +
      '"openai"\nmodel_id = "m"';
    const { code, out, err } = await run(["show", "--origin"], { user, env: { SHEEPDOG_AGENT__MIN_TAIL: "3" } });
    expect([code, err]).toEqual([0, ""]);
    expect(configSchema.parse(JSON.parse(JSON.stringify(parse(out))))).toEqual(
      configSchema.parse({
        agent: { max_turns: 40, min_tail: 3, guardian: { tools: { "get_*": { scale: 2 } } } },
        fallback_models: [{ provider: "openai", model_id: "m" }],
      }),
    );
    const lines = out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").replace(/\S+\/home\//, "~/"));
    expect(lines).toEqual(
      expect.arrayContaining([
        "max_turns = 40  # ~/config.toml:2",
        "min_tail = 3  # SHEEPDOG_AGENT__MIN_TAIL",
        "parallel_tools = true  # default",
        "# provider is not set",
      ]),
    );
    expect(lines).toContain('tools."get_*".scale = 2  # ~/config.toml:4');
  });

  test("prints one JSON document", async () => {
    const { out } = await run(["show", "--json"], { user: "[agent]\nmax_turns = 40" });
    const shown = JSON.parse(out);
    expect(shown).toMatchObject({ schemaVersion: 1, config: configSchema.parse({ agent: { max_turns: 40 } }) });
    expect(shown.origins).toMatchObject({
      "agent.max_turns": { line: 2, isProject: false },
      "agent.min_tail": "default",
    });
  });

  test("shows no secret, neither from the file nor from a variable", async () => {
    const user =
      `[model]\nbase_url = "https://me:pa55word@a.example/\${MY_TOKEN}"\nmodel_id = ` +
      `"sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"`;
    for (const words of [["show"], ["show", "--json"], ["get", "model.base_url"], ["get", "model"]]) {
      const { out, code } = await run(words, { user, env: { MY_TOKEN: "t0k3n-of-mine" } });
      expect([code, out]).toEqual([0, expect.not.stringMatching(/pa55word|t0k3n|abcdefghij/)]);
      expect(out).toContain(`\${MY_TOKEN}`);
    }
  });

  test("reports problems on stderr and prints nothing", async () => {
    const { code, out, err } = await run(["show"], { user: "[agent]\nmax_turn = 3\nmin_tail = -1" });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      'sheepdog: ~/config.toml:2:1: there is no key "max_turn" in [agent]; did you mean "max_turns"?\nsheepdog: ' +
        "~/config.toml:3:12: agent.min_tail is -1; it must be a whole number of at least 0\n",
    );
  });
});

describe("config get", () => {
  test.each([
    ["agent.max_turns", "25\n"],
    ["agent.guardian.mode", "guide\n"],
    ["agent.checkpoint", '{\n  "enabled": true\n}\n'],
    ["security.pause_before", "[]\n"],
  ])("%s", async (key, out) => {
    expect(await run(["get", key])).toEqual({ code: 0, out, err: "" });
  });

  test("of a key that is not set prints nothing", async () => {
    expect(await run(["get", "model.provider"])).toEqual({
      code: 1,
      out: "",
      err: "sheepdog: model.provider is not set\n",
    });
  });

  test.each([
    ["agent.max_turn", 'there is no key "max_turn" in [agent]; did you mean "max_turns"?'],
    ["max_turns", 'there is no key "max_turns" at the top; it belongs to [agent]'],
    ["agent.max_turns.x", "agent.max_turns has no keys"],
    ["agent.guardian.detectors.cicle", 'there is no "cicle" for [agent.guardian.detectors]; did you mean "cycle"?'],
    ["../x", '"../x" is not a key; write one such as agent.max_turns'],
    [
      "\u001b[2J",
      'there is no key "\\u001b[2J" at the top; valid are agent, budget, model, fallback_models, security, ' +
        "channels, mcp, opentelemetry",
    ],
    [
      "__proto__",
      'there is no key "__proto__" at the top; valid are agent, budget, model, fallback_models, security, ' +
        "channels, mcp, opentelemetry",
    ],
  ])("of %j is refused", async (key, problem) => {
    const { code, out, err } = await run(["get", key]);
    expect([code, out, err.replace(/^sheepdog: |\n$/g, "")]).toEqual([2, "", problem]);
    expect(err).not.toContain("\u001b");
  });
});

describe("config set and unset", () => {
  test("change the user's file and report it", async () => {
    expect(await run(["set", "agent.max_turns", "40"])).toEqual({
      code: 0,
      out: "",
      err: "sheepdog: ~/config.toml is saved\n",
    });
    expect((await run(["get", "agent.max_turns"])).out).toBe("40\n");
    expect(await run(["unset", "agent.max_turns"])).toMatchObject({ code: 0 });
    expect((await run(["get", "agent.max_turns"])).out).toBe("25\n");
    expect(await run(["unset", "agent.max_turns"])).toEqual({
      code: 1,
      out: "",
      err: "sheepdog: agent.max_turns is not set in ~/config.toml\n",
    });
  });

  test("report a higher layer that overrides the key", async () => {
    const { err } = await run(["set", "agent.max_turns", "40"], { env: { SHEEPDOG_AGENT__MAX_TURNS: "7" } });
    expect(err).toBe(
      "sheepdog: ~/config.toml is saved, but in this folder agent.max_turns is still set by " +
        "SHEEPDOG_AGENT__MAX_TURNS\n",
    );
  });

  test("in a project: a trusted or new file stays trusted, an untrusted one does not become trusted", async () => {
    expect(await run(["set", "--project", "agent.guardian.mode", "observe"])).toEqual({
      code: 0,
      out: "",
      err: "sheepdog: sheepdog.toml is saved\n",
    });
    expect((await run(["get", "agent.guardian.mode"])).out).toBe("observe\n");
    await run(["set", "--project", "agent.max_turns", "99"]);
    expect((await run(["get", "agent.max_turns"])).out).toBe("99\n");
    await run(["set", "--project", "agent.max_turns", "98"], { project: "[agent]\nmax_turns = 97" });
    expect((await run(["get", "agent.max_turns"])).out).toBe("25\n");
  });

  test("refuse values that could not be read again, and leave the file unchanged", async () => {
    const user = "# mine\n[agent]\nmax_turns = 3\n";
    expect(await run(["set", "agent.max_turns", "many"], { user })).toEqual({
      code: 2,
      out: "",
      err: 'sheepdog: agent.max_turns is "many"; it must be a whole number of at least 0\n',
    });
    expect(await readFile(await file("home/config.toml"), "utf8")).toBe(user);
  });
});

describe("config trust", () => {
  test("covers the files about the agent's identity, until they change", async () => {
    await run(["trust", "--yes"], { project: "[agent]\nmax_turns = 9\n" });
    const soul = join(await file("project"), "SOUL.md");
    await writeFile(soul, "You are Rex.\n");
    expect((await run(["trust", "--yes"])).out).toContain(
      "Trusted with it, as text that tells the agent who it is: SOUL.md",
    );
    expect((await run(["trust"])).err).toContain("is already trusted");
    await writeFile(soul, "You are Mallory.\n");
    expect((await run(["trust"])).err).toContain("is not trusted: there is no terminal");
  });

  const project = '[agent]\nmax_turns = 99\n[model]\nprovider = "openai"\nbase_url = "https://x:y@a.example"\n';

  test("shows what the file sets, and trusts it until it changes", async () => {
    expect((await run(["get", "agent.max_turns"], { project })).err).toBe(
      "sheepdog: sheepdog.toml is not trusted and may only make limits stricter; ignored: agent.max_turns, " +
        "model.provider, model.base_url. To review and trust it: sheepdog config trust\n",
    );
    expect(await run(["trust", "--yes"])).toEqual({
      code: 0,
      out:
        'sheepdog.toml sets:\n  agent.max_turns = 99\n  model.provider = "openai"\n  model.base_url = ' +
        '"https://…@a.example"\n',
      err: "sheepdog: sheepdog.toml is trusted until it changes; to revoke: sheepdog config trust --revoke\n",
    });
    expect((await stat(await file("home/trusted.json"))).mode & 0o777).toBe(0o600);
    expect(await run(["get", "agent.max_turns"])).toEqual({ code: 0, out: "99\n", err: "" });
    expect(await run(["trust"])).toEqual({ code: 0, out: "", err: "sheepdog: sheepdog.toml is already trusted\n" });
    expect((await run(["get", "agent.max_turns"], { project: `${project}#` })).out).toBe("25\n");
  });

  test("shows look-alike and invisible letters as escapes", async () => {
    const disguised = '[model]\nbase_url = "https://\u0430pi.example\u200b/\u202e"\n';
    expect((await run(["trust", "-y"], { project: disguised })).out).toBe(
      'sheepdog.toml sets:\n  model.base_url = "https://\\U00000430pi.example\\U0000200b/\\U0000202e"\n',
    );
  });

  test("is revoked", async () => {
    await run(["trust", "--yes"], { project });
    expect(await run(["trust", "--revoke"])).toMatchObject({
      code: 0,
      err: "sheepdog: sheepdog.toml is no longer trusted\n",
    });
    expect((await run(["get", "agent.max_turns"])).out).toBe("25\n");
    expect(await run(["trust", "--revoke"])).toMatchObject({
      code: 2,
      err: "sheepdog: sheepdog.toml is not trusted\n",
    });
  });

  test("asks on a terminal, and refuses without one", async () => {
    expect(await run(["trust"], { project, isTTY: true, stdin: "\n" })).toMatchObject({
      code: 2,
      err: "Trust its current content? [y/N] sheepdog: sheepdog.toml is not trusted\n",
    });
    expect(await run(["trust"], { stdin: "y\n" })).toMatchObject({
      code: 2,
      err: "sheepdog: sheepdog.toml is not trusted: there is no terminal to ask on; use --yes to trust it\n",
    });
    expect((await run(["get", "agent.max_turns"])).out).toBe("25\n");
    expect(await run(["trust"], { isTTY: true, stdin: "y\n" })).toMatchObject({ code: 0 });
  });

  test("is refused for agents, and for invalid or missing files", async () => {
    expect(await run(["trust", "-y"], { project, env: { SHEEPDOG_CALL: "call_1" } })).toEqual({
      code: 2,
      out: "",
      err:
        "sheepdog: an agent started this command, and agents must not change their own limits; run it in your own " +
        "terminal\n",
    });
    expect(await run(["trust"], { project: "[agnt]" })).toMatchObject({ code: 2, out: "" });
    expect(await run(["trust", "elsewhere.toml"])).toEqual({
      code: 2,
      out: "",
      err: "sheepdog: there is no elsewhere.toml\n",
    });
  });

  test("that cannot be saved is not granted", async () => {
    await mkdir(await file("home/trusted.json"));
    expect(await run(["trust", "--yes"], { project })).toMatchObject({
      code: 2,
      err: expect.stringContaining("trusted.json cannot be written"),
    });
  });
});

test("config schema prints the schema of the package", async () => {
  const { out } = await run(["schema"]);
  const shipped = await readFile(new URL("../../../config.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(out)).toEqual(JSON.parse(shipped));
  expect(JSON.parse(out)).toMatchObject({
    properties: { agent: { properties: { max_turns: { type: "integer", default: 25 } }, additionalProperties: false } },
  });
});

test("config schema --goal prints the schema of a goal file, with the keys that exclude each other", async () => {
  const { out } = await run(["schema", "--goal"]);
  expect(JSON.parse(out)).toMatchObject({
    required: ["text"],
    additionalProperties: false,
    properties: {
      threshold: { exclusiveMinimum: 0, maximum: 1 },
      criteria: {
        items: {
          allOf: [{ oneOf: [{ required: ["contains"] }, { required: ["equals"] }, {}, {}] }],
          dependentRequired: { ignore_case: ["contains"], timeout_secs: ["check"] },
        },
      },
      constraints: {
        items: { allOf: [{}, { oneOf: [{ not: {} }, { required: ["only_files"] }, {}, {}, {}, {}, {}, {}] }] },
      },
    },
  });
});

test("a closed pipe is not an error", async () => {
  const io = fakeIo({ failing: { stdout: "EPIPE" }, env: { SHEEPDOG_HOME: dirname(await file("home/x")) } });
  expect(await main(["config", "show"], io)).toBe(0);
});
