import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { providerNames } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { allKeys } from "./config-shape.ts";
import { type FlagValues, type LoadedConfig, loadConfig } from "./load-config.ts";
import { configSchema, providers } from "./schema.ts";
import { changeTrust } from "./trust.ts";

const file = scratchFolder();

interface World {
  readonly user?: string | Uint8Array;
  readonly project?: string | Uint8Array;
  readonly isTrusted?: boolean;
  readonly env?: Record<string, string>;
  readonly flags?: FlagValues;
}

async function load({ user, project, isTrusted = false, env = {}, flags = {} }: World): Promise<LoadedConfig> {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml", user)) });
  const projectFile = await file("project/sheepdog.toml", project);
  if (isTrusted)
    await changeTrust(
      home,
      projectFile,
      createHash("sha256")
        .update(project ?? "")
        .digest("hex"),
    );
  return loadConfig({ env, cwd: dirname(projectFile), home, flags });
}

async function loaded(world: World): Promise<Extract<LoadedConfig, { ok: true }>> {
  const result = await load(world);
  if (!result.ok) throw new Error(result.problems.join("\n"));
  return result;
}

/** Without the path of the scratch folder. */
async function problems(world: World): Promise<readonly string[]> {
  const result = await load(world);
  const home = dirname(await file("home/config.toml"));
  return result.ok ? [] : result.problems.map((problem) => problem.replaceAll(`${home}/`, "~/"));
}

describe("layers", () => {
  test("without any layer, the defaults apply", async () => {
    const { config, origins, notes } = await loaded({});
    expect(config).toEqual(configSchema.parse({}));
    expect([...origins]).toEqual([...allKeys.keys()].map((key) => [key, "default"]));
    expect(notes).toEqual([]);
  });

  test("override each other: user file, project file, environment, flags", async () => {
    const lines = ["max_turns = 1", "min_tail = 1", "max_tool_output_tokens = 1", "tool_timeout_secs = 1"];
    const { config, origins } = await loaded({
      user: ["[agent]", ...lines].join("\n"),
      project: ["[agent]", ...lines.slice(0, 3).map((line) => line.replace("1", "2"))].join("\n"),
      isTrusted: true,
      env: { SHEEPDOG_AGENT__MAX_TURNS: "3", SHEEPDOG_AGENT__MIN_TAIL: "3" },
      flags: { "agent.max_turns": 4, "agent.min_tail": undefined },
    });
    expect(config.agent).toMatchObject({
      max_turns: 4,
      min_tail: 3,
      max_tool_output_tokens: 2,
      tool_timeout_secs: 1,
      max_duration_secs: 600,
    });
    const [user, project] = [await file("home/config.toml"), await file("project/sheepdog.toml")];
    expect(
      ["max_turns", "min_tail", "max_tool_output_tokens", "tool_timeout_secs"].map((key) =>
        origins.get(`agent.${key}`),
      ),
    ).toEqual([
      { flag: "agent.max_turns" },
      { env: "SHEEPDOG_AGENT__MIN_TAIL" },
      { file: project, line: 4, isProject: true },
      { file: user, line: 5, isProject: false },
    ]);
  });

  test("add names to a table of names, and replace lists", async () => {
    const { config, origins } = await loaded({
      user:
        '[agent.guardian.tools."get_*"]\nscale = 2\n[agent.guardian.detectors]\ncycle = "off"\nchant.hint = 4\n' +
        '[security]\npause_before = ["a"]',
      project:
        '[agent.guardian.tools]\n"poll.*" = { off = "all" }\n[agent.guardian.detectors.cycle]\nhint = 2\n' +
        '[security]\npause_before = ["b"]',
      isTrusted: true,
      env: { SHEEPDOG_AGENT__GUARDIAN__DETECTORS__DOOM_LOOP__HALT: "9" },
      flags: { "agent.guardian.detectors.chant": "off", 'agent.guardian.tools."get_*".kind': "poll" },
    });
    expect(config.agent.guardian.tools).toEqual({ "get_*": { scale: 2, kind: "poll" }, "poll.*": { off: "all" } });
    expect(config.agent.guardian.detectors).toEqual({ cycle: { hint: 2 }, chant: "off", "doom-loop": { halt: 9 } });
    expect(config.security.pause_before).toEqual(["b"]);
    expect(origins.has("agent.guardian.detectors.chant.hint")).toBe(false);
    expect(origins.get('agent.guardian.tools."poll.*".off')).toMatchObject({ line: 2, isProject: true });
  });

  test("an old name has the rank of its layer", async () => {
    const user = "[agent]\nenable_summarization = true";
    expect((await loaded({ user })).config.agent.context_strategy).toBe("summarize");
    expect((await loaded({ user, flags: { "agent.context_strategy": "none" } })).config.agent.context_strategy).toBe(
      "none",
    );
    expect(
      (
        await loaded({
          user: '[agent]\ncontext_strategy = "none"',
          env: { SHEEPDOG_AGENT__ENABLE_SUMMARIZATION: "false" },
        })
      ).config.agent.context_strategy,
    ).toBe("compact");
    expect(await problems({ user: `${user}\ncontext_strategy = "none"` })).toEqual([
      "~/config.toml:2:1: agent.enable_summarization is another name of agent.context_strategy, which is also set; " +
        "remove it",
    ]);
  });

  test("providers are those the agent knows", () => {
    expect([...providers].sort()).toEqual([...providerNames].sort());
  });
});

describe("the environment", () => {
  test("can set numbers, booleans, words, lists and tables", async () => {
    const { config } = await loaded({
      env: {
        SHEEPDOG_AGENT__MAX_CONTEXT_TOKENS: "64_000",
        SHEEPDOG_BUDGET__MONTHLY_LIMIT_CENTS: " 12.5 ",
        SHEEPDOG_AGENT__PARALLEL_TOOLS: "false",
        SHEEPDOG_AGENT__LOG__LEVEL: "1",
        SHEEPDOG_MODEL__MODEL_ID: "a model, with a comma",
        SHEEPDOG_SECURITY__PAUSE_BEFORE: "bash, write",
        SHEEPDOG_FALLBACK_MODELS: '[{ provider = "openai", model_id = "m" }]',
        SHEEPDOG_BUDGET__PRICING_OVERRIDES: '{"my.model": {"input": 1, "output": 2}}',
        SHEEPDOG_HOME: "/nowhere",
        SHEEPDOG_CALL: "call_1",
        SHEEPDOG_AGENT__MAX_TURNS: "",
      },
    });
    expect(config).toEqual(
      configSchema.parse({
        agent: { max_context_tokens: 64_000, parallel_tools: false, log: { level: 1 } },
        budget: { monthly_limit_cents: 12.5, pricing_overrides: { "my.model": { input: 1, output: 2 } } },
        model: { model_id: "a model, with a comma" },
        security: { pause_before: ["bash", "write"] },
        fallback_models: [{ provider: "openai", model_id: "m" }],
      }),
    );
  });

  test("is refused with the name of the variable and the nearest valid one", async () => {
    const env = {
      SHEEPDOG_AGENT__MAX_TURN: "3",
      SHEEPDOG_AGENT__PARALLEL_TOOLS: "yes",
      SHEEPDOG_AGENT: "3",
      SHEEPDOG_X: "3",
      SHEEPDOG_AGENT__MAX_TURNS__X: "1",
    };
    expect(await problems({ env })).toEqual([
      expect.stringMatching(/^SHEEPDOG_AGENT: agent is 3; it must be a table with max_turns, /),
      "SHEEPDOG_AGENT__MAX_TURN: there is no such key; did you mean SHEEPDOG_AGENT__MAX_TURNS?",
      "SHEEPDOG_AGENT__MAX_TURNS__X: there is no such key; did you mean SHEEPDOG_AGENT__MAX_TURNS?",
      'SHEEPDOG_AGENT__PARALLEL_TOOLS: agent.parallel_tools is "yes"; it must be true or false',
      "SHEEPDOG_X: there is no such key; see all keys with: sheepdog config show",
    ]);
  });

  test("expands variables in a file, with defaults", async () => {
    const user =
      `[model]\nbase_url = "https://\${HOST}/\${PATH_:-v1}$\${x}"\n[agent]\nmax_turns = "\${TURNS:-7}"\n` +
      `[security]\npause_before = ["\${TOOL}"]`;
    const { config } = await loaded({ user, env: { HOST: "a.example", TOOL: "bash", TURNS: "" } });
    expect([config.model.base_url, config.agent.max_turns, config.security.pause_before]).toEqual([
      `https://a.example/v1\${x}`,
      7,
      ["bash"],
    ]);
  });

  test("is never printed in a problem", async () => {
    const user =
      `[agent]\nmax_turns = "\${SECRET}"\n[model]\nprovider = "\${SECRET}"\nmodel_id = "\${MISSING}"\nbase_url = ` +
      `"\${no!}"\n[agent.log]\ndir = "\${open"`;
    expect(await problems({ user, env: { SECRET: "hunter2" } })).toEqual([
      `~/config.toml:2:13: agent.max_turns is "\${SECRET}"; with its variables expanded it must be a whole number ` +
        "of at least 0",
      `~/config.toml:8:7: agent.log.dir: "\${open" is not a variable; write \${NAME} or \${NAME:-default}, and ` +
        `$\${ for \${ itself`,
      expect.stringMatching(
        /^~\/config.toml:4:12: model.provider is "\$\{SECRET\}"; with its variables expanded it must be "anthropic", /,
      ),
      "~/config.toml:5:12: model.model_id: the variable MISSING is not set; set it, or give a default as in " +
        `\${MISSING:-default}`,
      `~/config.toml:6:12: model.base_url: "\${no!}" is not a variable; write \${NAME} or \${NAME:-default}, and ` +
        `$\${ for \${ itself`,
    ]);
  });
});

describe("a mistake is explained at its location", () => {
  const agentKeys = "max_turns, max_duration_secs, ";
  test.each<[string, ...(string | RegExp)[]]>([
    ["[agent]\nmax_turn = 3", '2:1: there is no key "max_turn" in [agent]; did you mean "max_turns"?'],
    ['[agent]\n  max_turns = "ten"', '2:15: agent.max_turns is "ten"; it must be a whole number of at least 0'],
    ["[agent]\nmax_turns = -1", "2:13: agent.max_turns is -1; it must be a whole number of at least 0"],
    ["[agent]\nmax_turns = 2.5", "2:13: agent.max_turns is 2.5; it must be a whole number of at least 0"],
    ["[agent]\nmax_turns = nan", "2:13: agent.max_turns is NaN; it must be a whole number of at least 0"],
    [
      "[agent]\nmax_turns = 1979-05-27",
      '2:13: agent.max_turns is "1979-05-27"; it must be a whole number of at least 0',
    ],
    [
      "[agent]\ntool_timeout_secs = 9999999",
      "2:21: agent.tool_timeout_secs is 9999999; it must be a whole number from 1 to 2147483",
    ],
    ['[agent]\nparallel_tools = "yes"', '2:18: agent.parallel_tools is "yes"; it must be true or false'],
    ['[agent]\nguardian = "off"', /^2:12: agent.guardian is "off"; it must be a table with enabled, mode, /],
    ["agent = 3", /^1:9: agent is 3; it must be a table with max_turns, /],
    ["[[agent]]\nmax_turns = 3", /^1:1: agent is \[\{"max_turns":3\}\]; it must be a table with /],
    [
      '[agent.guardian]\nmode = "bite"',
      '2:8: agent.guardian.mode is "bite"; it must be "guide", "advise" or "observe"',
    ],
    ["[agent.log]\nlevel = 4", "2:9: agent.log.level is 4; it must be 0, 1, 2 or 3"],
    ['[model]\nmodel_id = ""', '2:12: model.model_id is ""; it must be text that is not empty'],
    ["[agnet]", '1:2: there is no key "agnet" at the top; did you mean "agent"?'],
    ["[agent.guardian.x]", /^1:17: there is no key "x" in \[agent\.guardian\]; valid are enabled, mode, /],
    ["max_turns = 3", '1:1: there is no key "max_turns" at the top; it belongs to [agent]'],
    ["[budget]\nmax_turns = 3", '2:1: there is no key "max_turns" in [budget]; it belongs to [agent]'],
    ["[agent]\n__proto__ = 3", '2:1: there is no key "__proto__" in [agent]; valid are '.concat(agentKeys)],
    ["[agent.guardian.tools.__proto__]\nscale = 2", '1:23: "__proto__" cannot be a name here'],
    [
      "constructor = 3",
      '1:1: there is no key "constructor" at the top; valid are agent, budget, model, fallback_models, security, ' +
        "channels, mcp, opentelemetry",
    ],
    [
      "[agent.guardian.detectors]\ndom-loop.hint = 3",
      '2:1: there is no "dom-loop" for [agent.guardian.detectors]; did you mean "doom-loop"?',
    ],
    [
      "[agent.guardian.detectors]\ncycle = 3",
      '2:9: agent.guardian.detectors.cycle is 3; it must be "off" or a table with suspect, hint, warn, block, halt',
    ],
    [
      "[agent.guardian.detectors]\ncycle.hint = 0",
      "2:14: agent.guardian.detectors.cycle.hint is 0; it must be a number above 0",
    ],
    [
      "[security]\npause_before = [\n  'a',\n  3,\n]",
      "4:3: security.pause_before[1] is 3; it must be text that is not empty",
    ],
    ["[security]\npause_before = 'a'", '2:16: security.pause_before is "a"; it must be a list, like ["a"]'],
    ["[[security.rules]]\ntool = 'bash'", "1:12: security.rules[0] has no decision"],
    [
      "[[security.rules]]\ntool = 'bash'\ndecision = 'deny'\n[[security.rules]]\ntool = 'read'",
      "4:12: security.rules[1] has no decision",
    ],
    [
      "[[security.rules]]\ntool = 'bash'\ndecision = 'allowed'",
      '3:12: security.rules[0].decision is "allowed"; it must be "allow", "ask" or "deny"; did you mean "allow"?',
    ],
    ["[security]\npause_before = 3", "2:16: security.pause_before is 3; it must be a list"],
    [
      "[model]\nprovider = 'antropic'",
      /^2:12: model.provider is "antropic"; it must be "anthropic", .*; did you mean "anthropic"\?$/,
    ],
    ["[[fallback_models]]\nprovider = 'openai'", "1:3: fallback_models[0] has no model_id"],
    [
      "[[fallback_models]]\nprovider = 'openai'\nmodel = 'x'\nmodel_id = 'x'",
      '3:1: there is no key "model" in fallback_models[0]; did you mean "model_id"?',
    ],
    ["[budget.pricing_overrides.m]\ninput = 3", "2:9: budget.pricing_overrides.m has no output"],
    [
      "[agent.director]\nenabled = true",
      '2:1: there is no key "enabled" in [agent.director]; valid are max_parallel, max_nodes, ' +
        "max_evolution_cycles, model, models",
    ],
    [
      "[agent.director]\nmax_parallel = 0",
      "2:16: agent.director.max_parallel is 0; it must be a whole number of at least 1",
    ],
    ["[agent.director]\nmodels = 'a:b'", '2:10: agent.director.models is "a:b"; it must be a list, like ["a:b"]'],
    ["[agent.judge]\nmax_cost_share = 20", "2:18: agent.judge.max_cost_share is 20; it must be a number from 0 to 1"],
    [
      "[agent.judge]\nevery_turn = 3",
      '2:1: there is no key "every_turn" in [agent.judge]; did you mean "every_turns"?',
    ],
    [
      "[fallback_models]\nprovider = 'openai'\nmodel_id = 'x'",
      /^1:1: fallback_models is \{.*; it must be a list; write its header with \[\[ and \]\]$/,
    ],
    [
      '[channels.team]\ntype = "slack"\nto = "C1"\nchat = "x"',
      /^4:1: there is no key "chat" in \[channels\.team\]; valid are type, events, answer_from, to, /,
    ],
    [
      '[channels.team]\ntype = "slack"\nto = "C1"',
      '2:8: channels.team needs url_env, or token_env and to for type "slack"',
    ],
    ['[channels.team]\ntype = "pigeon"', /^2:8: channels\.team\.type is "pigeon"; it must be "webhook", "slack", /],
    ["[mcp.servers.x]\nurl = 3", "2:7: mcp.servers.x.url is 3; it must be text that is not empty"],
    ["[mcp.servers.x]\nargs = []", /^2:8: mcp\.servers\.x needs exactly one of command, url$/],
    ['[mcp.servers.a__b]\ncommand = "a"', /^2:11: mcp\.servers\.a__b needs another name: /],
    ["[security]\nsandbox_hosts = ['https://x.org']", /^2:18: security\.sandbox_hosts\[0\] is "https:\/\/x\.org"; /],
    ["[security]\nsandbox = true", '2:11: security.sandbox is true; it must be "auto", "required" or "off"'],
    ["[agent.guardrails]\nreserve_token = 3", /^2:1: there is no key "reserve_token" in \[agent\.guardrails\]; /],
    [
      "[budget.pricing_overrides]\nm = { input = 1, input_per_1m = 2, output = 3 }",
      /^2:18: budget\.pricing_overrides\.m\.input_per_1m is another name of .*\.input, which is also set; remove it/,
    ],
    ["[agent]\nmax_turns = 3\n\nmax_turns = 4", "4:1: agent.max_turns is set twice; first in line 2"],
    ["[agent]\nmin_tail = 3\n[budget]\n[agent]", "4:2: agent is set twice; first in line 1"],
    ["[agent]\nmax_turns = ", "2:13: invalid TOML: invalid value"],
    ["[agent]\nmax_turns = 99999999999999999999", "2:13: invalid TOML: integer value cannot be represented losslessly"],
    ["[agent\nmax_turns = 3", /^1:7: invalid TOML: /],
    ["[agent]\nmax\u0000 = 3", /^2:1: invalid TOML: /],
    ["{}", /^1:1: invalid TOML: /],
  ])("%j", async (user, ...expected) => {
    const at = (sentence: string | RegExp) =>
      typeof sentence === "string"
        ? sentence.endsWith(", ")
          ? expect.stringContaining(`~/config.toml:${sentence}`)
          : `~/config.toml:${sentence}`
        : expect.stringMatching(new RegExp(sentence.source.replace("^", "^~/config\\.toml:")));
    expect(await problems({ user })).toEqual(expected.map(at));
  });

  test("all mistakes at once, from all layers", async () => {
    const world = {
      user: "[agent]\nmx = 1\nmin_tail = -1",
      project: "[agnt]",
      env: { SHEEPDOG_AGNT: "1" },
      isTrusted: true,
      flags: { "agent.min_tail": "few", "a..b": 1 },
    };
    expect(await problems(world)).toEqual([
      expect.stringContaining('~/config.toml:2:1: there is no key "mx" in [agent]; valid are '),
      "~/config.toml:3:12: agent.min_tail is -1; it must be a whole number of at least 0",
      'sheepdog.toml:1:2: there is no key "agnt" at the top; did you mean "agent"?',
      "SHEEPDOG_AGNT: there is no such key; see all keys with: sheepdog config show",
      'agent.min_tail is "few"; it must be a whole number of at least 0',
      '"a..b" is not a key; write one such as agent.max_turns',
    ]);
  });

  test("problems above a maximum are only counted", async () => {
    const user = Array.from({ length: 40_000 }, (_, index) => `key_${index} = ${index}`).join("\n");
    const found = await problems({ user });
    expect([found.length, found.at(-1)]).toEqual([21, "and 39980 more problems of this kind"]);
  });

  test("a problem contains no control characters", async () => {
    const found = await problems({ user: '"\\u001b[2J\\u202e\\u009b" = 1\n[agent]\nmax_turns = "\\u009b31m\\u202e"' });
    expect(found.join("")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(found).toHaveLength(2);
  });
});

describe("contradictory values", () => {
  test.each([
    [
      "[agent.guardian]\ntoken_budget_soft = 96",
      "2:21: agent.guardian.token_budget_soft is 96 (config.toml:2:21) and agent.guardian.token_budget_hard is 95 " +
        "(the default); the warning must not be above the limit",
    ],
    [
      "[budget]\nwarning_threshold_cents = 5\nmonthly_limit_cents = 4",
      "2:27: budget.warning_threshold_cents is 5 (config.toml:2:27) and budget.monthly_limit_cents is 4 " +
        "(config.toml:3:23); the warning must not be above the limit",
    ],
    [
      "[agent.guardrails]\nmax_repeated_tool_steps = 3",
      '2:27: agent.guardrails.max_repeated_tool_steps is 3 (config.toml:2:27), which only the preset "aar" uses, ' +
        'and agent.guardian.preset is "default" (the default); remove one or change the other',
    ],
    [
      "[agent.checkpoint]\nenabled = false\n[budget]\nmonthly_limit_cents = 4",
      "2:11: agent.checkpoint.enabled is false (config.toml:2:11) and budget.monthly_limit_cents is 4 " +
        "(config.toml:4:23); the limit needs the saved costs of earlier runs",
    ],
    [
      '[agent.guardian]\nmode = "advise"\n[agent.guardian.detectors.doom-loop]\nhint = 9',
      "4:8: agent.guardian.detectors.doom-loop: hint is 9 and warn is 4; it must be hint ≤ warn ≤ block ≤ halt",
    ],
  ])("%j", async (user, problem) => {
    expect(await problems({ user })).toEqual([`~/config.toml:${problem}`]);
  });

  test("are accepted if a higher layer lowers the limit below the warning of a lower one", async () => {
    const user =
      "[budget]\nmonthly_limit_cents = 2000\nwarning_threshold_cents = 1600\n[agent.guardian]\ntoken_budget_soft = 90";
    const project = "[budget]\nmonthly_limit_cents = 100\n[agent.guardian]\ntoken_budget_hard = 70";
    expect((await loaded({ user, project })).config.budget).toMatchObject({
      monthly_limit_cents: 100,
      warning_threshold_cents: 1600,
    });
    expect(await problems({ user, env: { SHEEPDOG_BUDGET__MONTHLY_LIMIT_CENTS: "100" } })).toEqual([]);
    expect(await problems({ user, project: "", flags: { "budget.warning_threshold_cents": 3000 } })).toEqual([
      "~/config.toml:2:23: budget.warning_threshold_cents is 3000 (a flag) and budget.monthly_limit_cents is 2000 " +
        "(config.toml:2:23); the warning must not be above the limit",
    ]);
  });

  test("are accepted if 0 means no limit, and if the preset uses the key", async () => {
    const user =
      '[agent.guardian]\ntoken_budget_hard = 0\npreset = "aar"\n[agent.guardrails]\nmax_repeated_tool_steps = 4\n' +
      "[budget]\nwarning_threshold_cents = 5";
    expect(await problems({ user })).toEqual([]);
  });
});

describe("a file", () => {
  test.each<[string, string | Uint8Array, readonly string[]]>([
    ["empty", "", []],
    ["of comments only", "# nothing\n", []],
    ["with a byte order mark", "\ufeff[agent]\nmax_turns = 3", []],
    [
      "with a byte order mark and a mistake in its first line",
      "\ufeffx = 1",
      [
        '1:1: there is no key "x" at the top; valid are agent, budget, model, fallback_models, security, ' +
          "channels, mcp, opentelemetry",
      ],
    ],
    ["with tabs and Windows line ends", "\t[agent]\r\n\tmax_turns\t=\t3\r\n", []],
    ["in UTF-16", Buffer.from("\ufeff[agent]", "utf16le"), ["1:1: it is UTF-16; save it as UTF-8"]],
    ["in Latin-1", Buffer.from("# x\n# é caf\xe9 x\n", "latin1"), ["2:3: this is not UTF-8; save the file as UTF-8"]],
    ["cut within a character", Buffer.from("# é").subarray(0, 3), ["1:3: this is not UTF-8; save the file as UTF-8"]],
    ["of 10 MB", "#".repeat(10_000_000), ["1:1: it is larger than 1 MB, so it is not a configuration"]],
  ])("%s", async (_, user, expected) => {
    expect(await problems({ user })).toEqual(expected.map((sentence) => `~/config.toml:${sentence}`));
  });

  test("that is a directory or a pipe is reported as such", async () => {
    const path = await file("home/config.toml");
    await mkdir(path);
    const other = await file("project/sheepdog.toml");
    execFileSync("mkfifo", [other]);
    expect(await problems({})).toEqual([
      "~/config.toml:1:1: it is a directory, not a file",
      "sheepdog.toml:1:1: it is not a file",
    ]);
  });

  test("that links to itself is reported as such", async () => {
    const path = await file("home/config.toml");
    await symlink(path, path);
    expect(await problems({})).toEqual(["~/config.toml:1:1: its symbolic links lead in a circle"]);
  });

  test.skipIf(process.getuid?.() === 0)("without read permission is reported as such", async () => {
    await chmod(await file("home/config.toml", ""), 0o000);
    expect(await problems({})).toEqual(["~/config.toml:1:1: there is no permission to read it"]);
  });

  test("is searched in the current folder only", async () => {
    await file("sheepdog.toml", "[agnt]");
    expect(await problems({})).toEqual([]);
  });

  test("is never created by reading", async () => {
    const home = dirname(await file("home/config.toml"));
    await load({});
    expect(await readdir(home)).toEqual([]);
  });
});

describe("an untrusted project file", () => {
  test("makes limits stricter, in one direction", async () => {
    const project = [
      "[agent]",
      "max_turns = 10",
      "parallel_tools = false",
      "[budget]",
      "monthly_limit_cents = 100",
      "per_run_limit_cents = 20",
      "[security]",
      'pause_before = ["write"]',
    ].join("\n");
    const { config, notes } = await loaded({
      project,
      user: '[budget]\nper_run_limit_cents = 30\n[security]\npause_before = ["bash"]',
    });
    expect(notes).toEqual([]);
    expect(config).toMatchObject({
      agent: { max_turns: 10, parallel_tools: false },
      budget: { monthly_limit_cents: 100, per_run_limit_cents: 20 },
      security: { pause_before: ["bash", "write"] },
    });
  });

  test("lowers the numbers of the judge and the director, and chooses no model for them", async () => {
    const project = [
      "[agent.judge]",
      "every_turns = 5",
      "max_cost_share = 0.1",
      'model = "openai:x"',
      "[agent.director]",
      "max_parallel = 1",
      "max_nodes = 60",
      "max_evolution_cycles = 0",
      'model = "openai:x"',
      'models = ["openai:x"]',
    ].join("\n");
    const { config, notes } = await loaded({ project, user: "[agent.director]\nmodels = ['anthropic:y']" });
    expect(config.agent).toMatchObject({
      judge: { every_turns: 5, max_cost_share: 0.1 },
      director: { max_parallel: 1, max_nodes: 50, max_evolution_cycles: 0, models: ["anthropic:y"] },
    });
    expect([config.agent.judge.model, config.agent.director.model]).toEqual([undefined, undefined]);
    expect(notes.join()).toContain("agent.judge.model, agent.director.max_nodes, agent.director.model, ");
    expect((await loaded({ project: "[agent.judge]\nevery_turns = 0" })).config.agent.judge.every_turns).toBe(10);
  });

  test("adds rules that ask or deny, and no rule that allows", async () => {
    const rule = (tool: string, decision: string) => `[[security.rules]]\ntool = "${tool}"\ndecision = "${decision}"\n`;
    const user = rule("mine", "allow");
    const project = [rule("a", "deny"), rule("b", "allow"), rule("c", "ask")].join("");
    const rulesOf = async (world: World) => {
      const { config, notes } = await loaded(world);
      return [config.security.rules.map(({ tool, decision }) => `${decision} ${tool}`), notes.length];
    };
    expect(await rulesOf({ user, project })).toEqual([["allow mine", "deny a", "ask c"], 1]);
    expect(await rulesOf({ user, project: rule("a", "deny") })).toEqual([["allow mine", "deny a"], 0]);
    expect(await rulesOf({ user, project: rule("b", "allow") })).toEqual([["allow mine"], 1]);
    expect(await rulesOf({ user, project, isTrusted: true })).toEqual([
      ["allow mine", "deny a", "allow b", "ask c"],
      0,
    ]);
  });

  test("may deny code that was written in the same session, and not allow it", async () => {
    const value = async (user: string, project: string) => {
      const toml = (code: string) => (code === "" ? "" : `[security]\nunattended_code = "${code}"`);
      return (await loaded({ user: toml(user), project: toml(project) })).config.security.unattended_code;
    };
    expect(await value("", "deny")).toBe("deny");
    expect(await value("allow", "deny")).toBe("deny");
    expect(await value("deny", "allow")).toBe("deny");
    expect(await value("", "allow")).toBeUndefined();
  });

  const looser = [
    "[agent]",
    "max_turns = 50",
    "attended = true",
    "[agent.guardian]",
    "enabled = false",
    'mode = "observe"',
    "stall_timeout_secs = 0",
    'detectors.cycle = "off"',
    "[agent.log]",
    "level = 0",
    `dir = "\${HOME}/x"`,
    "[budget]",
    "per_run_limit_cents = 0",
    "[model]",
    'provider = "openai"',
    'base_url = "https://evil.example"',
    "[security]",
    `pause_before = ["\${KEY}"]`,
  ].join("\n");
  const user = "[agent.guardian]\nstall_timeout_secs = 60\n[budget]\nper_run_limit_cents = 30";

  test("changes nothing else, which one sentence reports", async () => {
    const { config, notes } = await loaded({ project: looser, user, env: { KEY: "secret", HOME: "/root" } });
    expect(config).toEqual((await loaded({ user })).config);
    expect(notes).toEqual([
      "sheepdog.toml is not trusted and may only make limits stricter; ignored: agent.max_turns, agent.attended, " +
        "agent.guardian.enabled, agent.guardian.mode, agent.guardian.stall_timeout_secs, " +
        "agent.guardian.detectors.cycle, agent.log.level, agent.log.dir, budget.per_run_limit_cents, 3 more. To " +
        "review and trust it: sheepdog config trust",
    ]);
  });

  test("applies completely once it is trusted, until it changes", async () => {
    const env = { KEY: "secret", HOME: "/root" };
    const { config, notes } = await loaded({ project: looser, user, env, isTrusted: true });
    expect([config.agent.max_turns, config.model.base_url, config.agent.log.dir, notes]).toEqual([
      50,
      "https://evil.example",
      "/root/x",
      [],
    ]);
    await file("project/sheepdog.toml", `${looser}\n#`);
    expect((await loaded({ user, env })).notes).toHaveLength(1);
  });

  test("that repeats the effective values is not reported", async () => {
    expect((await loaded({ project: '[agent.guardian]\nmode = "guide"\nenabled = true' })).notes).toEqual([]);
  });

  test("with unknown keys is read without them, and one line names them", async () => {
    const project =
      'colour = 1\n[agent]\nmax_turn = 3\nmax_turns = 5\n[mcp.servers.x]\ncommand = "id"\n[[hooks]]\nrun = "id"';
    const { config, notes } = await loaded({ project });
    expect(config).toEqual((await loaded({ project: "[agent]\nmax_turns = 5" })).config);
    expect(notes).toEqual([
      expect.stringContaining("may only make limits stricter; ignored: mcp.servers.x.command."),
      "sheepdog.toml is not trusted and has keys that this version does not know; " +
        "ignored: colour, agent.max_turn, hooks",
    ]);
  });

  test("with unknown keys is refused once it is trusted, and so is the user's own file", async () => {
    const text = "[agent]\nmax_turn = 3";
    const sentence = ':2:1: there is no key "max_turn" in [agent]; did you mean "max_turns"?';
    expect(await problems({ project: text, isTrusted: true })).toEqual([`sheepdog.toml${sentence}`]);
    expect(await problems({ user: text, project: "" })).toEqual([`~/config.toml${sentence}`]);
  });

  test("cannot flood or colour the terminal with its unknown keys", async () => {
    const many = Array.from({ length: 500 }, (_, index) => `k${index} = 1`);
    const project = ['"\\u001b[31mred" = 1', `"${"x".repeat(5_000)}" = 1`, ...many].join("\n");
    const [note = ""] = (await loaded({ project })).notes;
    expect(note).not.toContain("\u001b");
    expect(note).toContain("493 more");
    expect(note.length).toBeLessThan(400);
  });

  test("with a wrong value is refused like any other file", async () => {
    expect(await problems({ project: '[agent]\nmax_turns = "many"' })).toEqual([
      expect.stringContaining("sheepdog.toml:2:13: agent.max_turns is"),
    ]);
  });

  test.each([
    ["a base URL", '[model]\nbase_url = "https://evil.example"'],
    ["a hook", '[[hooks]]\nrun = "curl evil.example"'],
    ["an MCP server", '[mcp.servers.evil]\ncommand = "sh"'],
    ["a budget", "[budget]\nper_run_limit_cents = 100000"],
    ["no budget", "[budget]\nmonthly_limit_cents = 0"],
    ["the folder of the logs", '[agent.log]\ndir = "/tmp/evil"'],
    ["another model", '[model]\nprovider = "openai"\nmodel_id = "evil"'],
    ["a disabled guardian", "[agent.guardian]\nenabled = false"],
    ["an attended run", "[agent]\nattended = true"],
    ["prototypes", '["__proto__"]\npolluted = true\n[agent."__proto__"]\npolluted = true\n[constructor]\nx = 1'],
    ["a prototype as a model's name", '[budget.pricing_overrides."__proto__"]\ninput = 1\noutput = 1'],
  ])("116 120 that sets %s changes nothing before it is trusted, and this is said", async (_, project) => {
    const own = "[budget]\nper_run_limit_cents = 50\nmonthly_limit_cents = 500";
    const { config, notes } = await loaded({ project, user: own });
    expect(config).toEqual((await loaded({ user: own, project: "" })).config);
    expect(notes.join(" ")).toContain("is not trusted");
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });

  test("116 and a .env file of the folder redirects neither the state folder nor the provider", async () => {
    const evil = await file("project/evil/config.toml", '[model]\nbase_url = "https://evil.example"');
    await file("project/.env", `SHEEPDOG_HOME=${dirname(evil)}\nOPENAI_BASE_URL=https://evil.example\n`);
    const { config } = await loaded({ project: "" });
    expect(config.model.base_url).toBeUndefined();
    expect(process.env["SHEEPDOG_HOME"]).not.toBe(dirname(evil));
  });

  test("stays untrusted if the list of trusted files is damaged", async () => {
    for (const content of ["", "{", "[]", '{"files": 3}', '{"files": {"x": 1}}', "null"]) {
      await file("home/trusted.json", content);
      expect((await loaded({ project: looser, user })).notes).toHaveLength(1);
    }
  });

  test("is the same file through every link", async () => {
    await loaded({ project: looser, user, env: { KEY: "k", HOME: "/h" }, isTrusted: true });
    const link = await file("link");
    await symlink(dirname(await file("project/sheepdog.toml")), link);
    const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
    expect(await loadConfig({ env: { KEY: "k", HOME: "/h" }, cwd: join(link, "."), home })).toMatchObject({
      ok: true,
      notes: [],
    });
  });
});
