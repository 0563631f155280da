import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findSandbox, sqliteStores } from "@sheepdog/agent";
import { openDatabase } from "@sheepdog/records";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { createCheckContext } from "../../doctor/check-context.ts";
import { checks } from "../../doctor/checks/index.ts";
import { nodeFinding } from "../../doctor/checks/node.ts";
import type { Check } from "../../doctor/finding.ts";
import { type CheckResult, runChecks } from "../../doctor/run-checks.ts";
import { doctorCommand } from "./doctor-command.ts";

const file = scratchFolder();

const answerNobody: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));
beforeEach(() => void vi.stubGlobal("fetch", vi.fn(answerNobody)));
afterEach(() => void vi.unstubAllGlobals());

interface FakeIoOptions {
  readonly env?: Record<string, string>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly now?: number;
  readonly online?: typeof fetch;
}

async function homeFolder(): Promise<string> {
  return dirname(await file("home/x"));
}

/** The findings of the doctor, by the name of the check. */
async function examined({
  env = {},
  now,
  online,
  ...terminal
}: FakeIoOptions = {}): Promise<Record<string, readonly string[]>> {
  const io = fakeIo({
    env: { SHEEPDOG_HOME: join(await homeFolder()), PATH: process.env["PATH"] ?? "", ...env },
    cwd: dirname(await file("project/x")),
    ...terminal,
  });
  const world = createCheckContext(io, {
    ...(now === undefined ? {} : { now: () => now }),
    ...(online === undefined ? {} : { isOnline: true, fetch: online }),
  });
  const said: Record<string, string[]> = {};
  for await (const { name, status, sentence, fix } of runChecks(world)) {
    said[name] = [...(said[name] ?? []), `${status}: ${sentence}${fix === undefined ? "" : ` > ${fix}`}`];
  }
  return said;
}

describe("sheepdog doctor", () => {
  test("prints a document with all findings, and changes nothing", async () => {
    const home = join(await homeFolder(), "new");
    const io = fakeIo({
      env: { SHEEPDOG_HOME: home, OPENAI_API_KEY: "k", PATH: process.env["PATH"] ?? "" },
      cwd: await homeFolder(),
    });
    expect([await main(["doctor", "--json"], io), io.err()]).toEqual([0, ""]);
    const {
      schemaVersion,
      ok,
      checks: found,
    } = JSON.parse(io.out()) as { schemaVersion: number; ok: boolean; checks: readonly CheckResult[] };
    expect([schemaVersion, ok]).toEqual([1, true]);
    expect([...new Set(found.map(({ name }) => name))]).toEqual(checks.map(({ name }) => name));
    for (const each of found.filter(({ name }) => name !== "sandbox"))
      expect(each).toEqual({ name: expect.any(String), status: "ok", sentence: expect.stringMatching(/\S/) });
    expect(await readdir(dirname(home))).toEqual([]);
  });

  test("prints lines that fit into the terminal, and the number of problems at the end", async () => {
    for (const columns of [40, 100]) {
      const io = fakeIo({
        env: { SHEEPDOG_HOME: await homeFolder(), TERM: "xterm", NO_COLOR: "1" },
        cwd: await homeFolder(),
        isTTY: true,
        columns,
      });
      expect(await main(["doctor"], io)).toBe(2); // no PATH, so no bash
      for (const line of io.out().split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
      expect(io.out()).toMatch(/FAIL {2}programs[\s\S]*bash is not installed[\s\S]*\n\n1 problem, [34] warnings\.\n$/);
    }
  });

  test("with unknown options is a usage error", async () => {
    const io = fakeIo();
    expect([await main(["doctor", "--onlin"], io), io.out()]).toEqual([2, ""]);
    expect(io.err()).toContain("Did you mean --online?");
  });

  test("is quiet if the reader closes the pipe", async () => {
    const io = fakeIo({ env: { SHEEPDOG_HOME: await homeFolder() }, failing: { stdout: "EPIPE" } });
    expect([await main(["doctor"], io), io.err()]).toEqual([0, ""]);
  });

  test("survives a check that throws", async () => {
    const broken: Check = { name: "broken", run: () => Promise.reject(new Error("it \u001b[2Jburns")) };
    const fine: Check = { name: "fine", run: async () => [{ status: "ok", sentence: "Fine." }] };
    const found: CheckResult[] = [];
    for await (const each of runChecks(createCheckContext(fakeIo()), [broken, fine])) found.push(each);
    expect(found).toEqual([
      { name: "broken", status: "fail", sentence: "This check failed: it burns" },
      { name: "fine", status: "ok", sentence: "Fine." },
    ]);
  });

  test("survives a home folder full of nonsense", async () => {
    for (const home of [
      await file("a-file", "x"),
      join(await file("a-file", "x"), "below"),
      `/${"long".repeat(2_000)}`,
      "/proc/self/nothing",
      "/dev/null",
    ]) {
      const io = fakeIo({ env: { SHEEPDOG_HOME: home }, cwd: home });
      const code = await doctorCommand({ json: true }, io);
      expect([home.slice(0, 40), code, JSON.parse(io.out()).ok]).toEqual([home.slice(0, 40), 2, false]);
    }
  });
});

test("no character of a key is ever printed", async () => {
  const secrets = ["sk-ant-REDACTED-example-of-a-key", "short", "with a space in it", "line\nbreak-in-it"];
  for (const secret of secrets) {
    const env = {
      ANTHROPIC_API_KEY: secret,
      OPENAI_API_KEY: secret,
      GEMINI_API_KEY: secret,
      ANTHROPIC_BASE_URL: `https://user:${secret.replace(/\s/g, "")}@host/v1`,
    };
    for (const online of [undefined, answerNobody]) {
      const said = JSON.stringify(await examined({ env, ...(online === undefined ? {} : { online }) }));
      for (const part of [secret, secret.slice(0, 8), secret.slice(-6)].filter((each) => each.length > 4))
        expect(said).not.toContain(part);
      expect(said).toContain("ANTHROPIC_API_KEY");
    }
  }
});

describe("the configuration", () => {
  test("is described by its origins", async () => {
    expect((await examined())["configuration"]).toEqual(["ok: Nothing is configured; all values are defaults."]);
    await file("home/config.toml", "[agent]\nmax_turns = 9\nmin_tail = 3\n");
    expect((await examined({ env: { SHEEPDOG_AGENT__MAX_DURATION_SECS: "60" } }))["configuration"]).toEqual([
      expect.stringMatching(
        /^ok: 2 keys from .*config\.toml, 1 key from the environment; all other values are defaults\.$/,
      ),
    ]);
  });

  test("that is invalid is a failure with all problems, and the other checks still run", async () => {
    await file("home/config.toml", "[agent]\nmax_turn = 9\n[budgt]\n");
    const said = await examined();
    expect(said["configuration"]).toHaveLength(2);
    expect(said["configuration"]?.[0]).toMatch(/^fail: .*config\.toml:2:1: .*max_turns/);
    expect(Object.keys(said)).toEqual(checks.map(({ name }) => name));
  });

  test("of an untrusted project is a warning with the command that trusts it", async () => {
    await file("project/sheepdog.toml", '[model]\nprovider = "openai"\nmodel_id = "x"\n');
    expect((await examined())["configuration"]).toEqual([
      expect.stringMatching(/^ok/),
      expect.stringMatching(/^warn: .*model\.provider.*sheepdog config trust/),
    ]);
  });
});

describe("the home folder", () => {
  test("that other users can read is a warning with the command that protects it", async () => {
    const home = await homeFolder();
    await chmod(home, 0o755);
    expect((await examined())["home folder"]).toEqual([`warn: Other users can read ${home}. > chmod 700 ${home}`]);
    await chmod(home, 0o700);
    await writeFile(join(home, "config.toml"), "", { mode: 0o644 });
    expect((await examined())["home folder"]?.[0]).toContain(`> chmod 600 ${join(home, "config.toml")}`);
    await chmod(join(home, "config.toml"), 0o600);
    expect((await examined())["home folder"]).toEqual([`ok: ${home} is writable, and only you can read it.`]);
  });
});

describe("the database", () => {
  const path = async () => join(await homeFolder(), "sheepdog.db");

  test("that is intact is described with its size and content", async () => {
    await (await sqliteStores({ path: await path() })).close();
    expect((await examined())["database"]).toEqual([
      expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+, (?:built into Node|from the package)/),
      expect.stringMatching(/sheepdog\.db is intact: \d+ kB, schema version 1, 0 sessions\.$/),
    ]);
  });

  test.each([
    ["is text", "not a database, but long enough to be looked at\n".repeat(200), /cannot be read: .*not a database/],
    ["is empty", "", /is empty/],
  ])("that %s is a failure, and stays unchanged", async (_, content, sentence) => {
    await file("home/sheepdog.db", content);
    const said = await examined();
    expect(said["database"]?.[1]).toMatch(/^fail/);
    expect(said["database"]?.[1]).toMatch(sentence);
    expect(said["runs"]).toEqual(["warn: Runs cannot be read; see database above."]);
    expect(await readFile(await path(), "utf8")).toBe(content);
  });

  test("with an overwritten page is a failure", async () => {
    await (await sqliteStores({ path: await path() })).close();
    const bytes = await readFile(await path());
    await writeFile(await path(), bytes.fill(0xff, 8_192, 16_384));
    expect((await examined())["database"]?.[1]).toMatch(/^fail/);
  });

  test("of another program is a failure", async () => {
    const other = await openDatabase(await path());
    other.exec("CREATE TABLE cats (name TEXT)");
    other.close();
    expect((await examined())["database"]?.[1]).toMatch(/^fail: .*belongs to another program/);
  });

  test("that is a folder is a failure", async () => {
    await mkdir(await path());
    expect((await examined())["database"]?.[1]).toMatch(/^fail: .*is not a file/);
  });
});

describe("runs", () => {
  test("that broke off are listed with the command that resumes them, in safe text", async () => {
    const stores = await sqliteStores({ path: join(await homeFolder(), "sheepdog.db") });
    const at = Date.now();
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    for (const [id, pid] of [
      ["ses_gone", 2 ** 22 + 1],
      ["ses_here", process.pid],
    ] as const) {
      const claim = await stores.sessions.claim(
        id,
        { id: `proc_${id}`, pid, host: (await import("node:os")).hostname() },
        at,
      );
      if (!claim.ok) throw new Error("Expected to have the session.");
      const run = {
        runId: `run_${id}`,
        prompt: "fix\u001b[2J it\nplease",
        startedAt: at,
        state: "running",
        turns: 0,
        usage,
        costNanoUsd: 0,
      } as const;
      await stores.sessions.commit(claim.lease, { at, run: run as never });
    }
    await stores.close();
    expect((await examined())["runs"]).toEqual([
      "ok: 1 run running: ses_here.",
      "warn: Broken off: “fix it”. > sheepdog run --resume ses_gone",
    ]);
  });
});

describe("the sandbox", () => {
  const withoutSandbox = "warn: Commands run without a sandbox,";

  test("that works is described, and one that does not work is a warning with the way to install it", async () => {
    const workspace = dirname(await file("project/x"));
    const found = await findSandbox({ workspace, hidden: [await homeFolder()] });
    const [finding = ""] = (await examined())["sandbox"] ?? [];
    if (found.isAvailable) expect(finding).toMatch(/^ok: Commands run in a sandbox/);
    else expect([finding.slice(0, 37), finding.endsWith(`> ${found.fix}`)]).toEqual([withoutSandbox, true]);
  });

  test("that is switched off is a warning", async () => {
    expect((await examined({ env: { SHEEPDOG_SECURITY__SANDBOX: "off" } }))["sandbox"]).toEqual([
      expect.stringMatching(/^warn: Commands run without a sandbox.* > sheepdog config unset security\.sandbox$/),
    ]);
  });

  test("that is required but impossible is a failure", async () => {
    vi.stubEnv("HOME", dirname(await file("project/x"))); // the workspace is the home folder
    const findings = (await examined({ env: { SHEEPDOG_SECURITY__SANDBOX: "required" } }))["sandbox"];
    vi.unstubAllEnvs();
    expect(findings).toEqual([expect.stringMatching(/^fail: No agent starts without a sandbox/)]);
  });
});

describe("logs", () => {
  test("are counted", async () => {
    await file("home/logs/ses_1/run_1.jsonl", "x".repeat(2_000));
    await file("home/logs/ses_2/run_2.jsonl", "x".repeat(500));
    expect((await examined())["logs"]).toEqual([expect.stringMatching(/^ok: .*logs contains 2\.5 kB in 2 files\.$/)]);
    expect((await examined({ env: { SHEEPDOG_AGENT__LOG__LEVEL: "0" } }))["logs"]).toEqual([
      "ok: Run logs are off (agent.log.level = 0).",
    ]);
  });

  test("that are not a folder are a failure", async () => {
    await file("home/logs", "x");
    expect((await examined())["logs"]?.[0]).toMatch(/^fail/);
  });
});

describe("the model", () => {
  test("is shown with the address of its server, without a key in it", async () => {
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://proxy.example.org/v1?key=hunter2" };
    const findings = (await examined({ env }))["model"];
    expect(findings?.[1]).toBe("ok: Requests go to https://proxy.example.org/v1");
    expect(findings?.join()).not.toContain("hunter2");
  });

  test("is shown with the address of a fallback model", async () => {
    await file("home/config.toml", '[[fallback_models]]\nprovider = "vllm"\nmodel_id = "qwen"\n');
    expect((await examined({ env: { ANTHROPIC_API_KEY: "k" } }))["model"]?.[1]).toBe(
      "ok: Requests for the fallback model vllm:qwen go to http://127.0.0.1:8000/v1",
    );
  });

  test("is found by a key, with its price and context window", async () => {
    expect((await examined({ env: { ANTHROPIC_API_KEY: "k" } }))["model"]).toEqual([
      "ok: anthropic:claude-sonnet-5, found by the environment.",
      "ok: Its price per million tokens is $2.00 (input) and $10.00 (output).",
      "ok: A request has at most 1,000,000 of its 1,000,000 context tokens (agent.max_context_tokens).",
    ]);
  });

  test("that is missing is a warning with the ways to get one", async () => {
    expect((await examined())["model"]).toEqual([
      expect.stringMatching(/^warn: No model .* > Set a key \(ANTHROPIC_API_KEY.*sheepdog init$/),
    ]);
  });

  test("that is configured without a key, or does not exist, is a failure", async () => {
    expect(
      (await examined({ env: { SHEEPDOG_MODEL__PROVIDER: "openai", SHEEPDOG_MODEL__MODEL_ID: "gpt-6-sol" } }))[
        "model"
      ]?.[0],
    ).toMatch(/^fail: .*OPENAI_API_KEY/);
  });

  const unpriced = {
    OPENAI_API_KEY: "k",
    SHEEPDOG_MODEL__PROVIDER: "openai",
    SHEEPDOG_MODEL__MODEL_ID: "unknown-model",
  };

  test("with an unknown price is a warning, and a failure if there is a budget", async () => {
    expect((await examined({ env: unpriced }))["model"]?.[1]).toMatch(/^warn: Its price is unknown/);
    expect(
      (await examined({ env: { ...unpriced, SHEEPDOG_BUDGET__MONTHLY_LIMIT_CENTS: "100" } }))["model"]?.[1],
    ).toMatch(/^fail: .*every run would be refused/);
  });

  test("with a smaller context window than configured is a warning", async () => {
    const env = { ANTHROPIC_API_KEY: "k", SHEEPDOG_AGENT__MAX_CONTEXT_TOKENS: "2000000" };
    expect((await examined({ env }))["model"]?.[2]).toMatch(
      /^warn: Its context window of 1,000,000 tokens is .* > sheepdog config set agent.max_context_tokens 1000000$/,
    );
  });

  test("is searched on other machines only with --online", async () => {
    const env = { OLLAMA_HOST: "https://elsewhere.example" };
    expect((await examined({ env }))["model"]?.[0]).toMatch(/^warn: .*was not asked/);
    expect(
      (await examined({ env: { ...env, OPENAI_API_KEY: "k", SHEEPDOG_MODEL__PROVIDER: "ollama" } }))["model"]?.[0],
    ).toMatch(/^warn: .*was not asked/);
    expect(vi.mocked(fetch).mock.calls).toEqual([]);
  });
});

describe("the provider", () => {
  const env = { OPENAI_API_KEY: "the-key" };
  const answer =
    (status: number): typeof fetch =>
    async () =>
      new Response("{}", { status });

  test.each([
    [200, /^ok: api\.openai\.com answers and accepts the key\.$/],
    [401, /^fail: api\.openai\.com refuses the key \(401\)\. > Set a valid key: OPENAI_API_KEY$/],
    [500, /^warn: api\.openai\.com answers with status 500/],
  ])("that answers with %i", async (status, sentence) => {
    expect((await examined({ env, online: answer(status) }))["provider"]).toEqual([expect.stringMatching(sentence)]);
  });

  test("that does not answer is a failure", async () => {
    const online: typeof fetch = () =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ENOTFOUND" }) }));
    expect((await examined({ env, online }))["provider"]?.[0]).toMatch(
      /^fail: api\.openai\.com does not answer \(ENOTFOUND\)\./,
    );
  });

  test("is asked only with --online, and never over an unsafe connection", async () => {
    expect((await examined({ env }))["provider"]).toEqual([expect.stringMatching(/^ok: The provider was not asked/)]);
    const asked: string[] = [];
    const online: typeof fetch = async (url) => {
      asked.push(String(url));
      return new Response("{}");
    };
    for (const [base, problem] of [
      ["http://elsewhere.example/v1", "The base URL of elsewhere.example is plain http"],
      ["https://user:word@elsewhere.example/v1", "The base URL of elsewhere.example contains a user name or password;"],
      ["nowhere", "The base URL is not an http(s) address"],
    ] as const)
      expect((await examined({ env: { ...env, OPENAI_BASE_URL: base }, online }))["provider"]?.[0]).toContain(
        `warn: openai was not asked. ${problem}`,
      );
    const noAddress = { SHEEPDOG_MODEL__PROVIDER: "openai-compatible", SHEEPDOG_MODEL__MODEL_ID: "m" };
    expect((await examined({ env: noAddress, online }))["provider"]?.[0]).toContain("set model.base_url");
    expect(asked).toEqual([]);
    await examined({ env: { ...env, OPENAI_BASE_URL: "http://127.0.0.1:9/" }, online });
    expect(asked).toEqual(["http://127.0.0.1:9/v1/models"]);
    const keyless = { SHEEPDOG_MODEL__PROVIDER: "ollama", SHEEPDOG_MODEL__MODEL_ID: "m" };
    expect((await examined({ env: keyless, online }))["provider"]).toEqual(["ok: 127.0.0.1:11434 answers."]);
  });

  test.each(["http://169.254.169.254/v1", "https://169.254.1.1/v1", "http://metadata.google.internal/v1"])(
    "never gets the key at %s, a link-local or cloud metadata address, even if plain http is allowed",
    async (base) => {
      const online = vi.fn(answer(200));
      const allowed = { ...env, OPENAI_BASE_URL: base, SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP: "true" };
      expect((await examined({ env: allowed, online }))["provider"]).toEqual([
        expect.stringContaining("is a link-local or cloud metadata address, not a model provider."),
      ]);
      expect(online).not.toHaveBeenCalled();
      await examined({ env: { ...allowed, OPENAI_BASE_URL: "http://192.168.1.5/v1" }, online });
      expect(online.mock.calls.map(([url]) => url)).toEqual(["http://192.168.1.5/v1/models"]);
    },
  );

  test("with a password in its address is not asked, and the advice is whole", async () => {
    const base = "https://user:word@elsewhere.example/v1";
    const { model, provider } = await examined({ env: { ...env, OPENAI_BASE_URL: base }, online: answer(200) });
    const advice = "contains a user name or password; give the key as the API key instead.";
    expect([model?.[0], provider?.[0]]).toEqual([expect.stringContaining(advice), expect.stringContaining(advice)]);
  });
});

test.each([
  [{}, "ok: The output is not a terminal: plain text, no questions."],
  [{ isTTY: true, columns: 90, env: { TERM: "xterm", LANG: "C.UTF-8" } }, "ok: xterm, 90 columns, colours, UTF-8."],
  [
    { isTTY: true, columns: 90, env: { TERM: "xterm", LANG: "C.UTF-8", NO_COLOR: "1" } },
    "ok: xterm, 90 columns, no colours, UTF-8.",
  ],
  [
    { isTTY: true, columns: 90, env: { TERM: "dumb" } },
    "ok: dumb, 90 columns, no colours, UTF-8. On a dumb terminal, chat prints plain lines.",
  ],
  [
    { isTTY: true, columns: 90, env: { TERM: "xterm", LANG: "POSIX" } },
    "warn: xterm, 90 columns, colours, ASCII. The locale is not UTF-8. > Set a UTF-8 locale, e.g. LANG=C.UTF-8",
  ],
  [
    { isTTY: true, columns: 30, env: { TERM: "xterm" } },
    "warn: xterm, 30 columns, colours, UTF-8. This is narrow. > Make it at least 40 columns wide.",
  ],
])("the terminal %j", async (special, sentence) => {
  expect((await examined(special))["terminal"]).toEqual([sentence]);
});

test("an implausible clock is a failure, one that went back a warning", async () => {
  expect((await examined({ now: 0 }))["clock"]?.[0]).toMatch(/^fail: It is 1970-01-01 00:00 UTC/);
  await (await sqliteStores({ path: join(await homeFolder(), "sheepdog.db") })).close();
  const { mtimeMs } = await stat(join(await homeFolder(), "sheepdog.db"));
  expect((await examined({ now: mtimeMs - 3_600_000 }))["clock"]?.[0]).toMatch(/^warn: .*written later/);
  expect((await examined({ now: mtimeMs + 60_000 }))["clock"]?.[0]).toMatch(/^ok/);
});

test("a Node that is too old is a failure", () => {
  expect([
    nodeFinding("S", "18.20.1", "20.19").status,
    nodeFinding("S", "20.9.0", "20.19").status,
    nodeFinding("S", "24.1.0", "20.19").status,
  ]).toEqual(["fail", "fail", "ok"]);
});

describe("channels", () => {
  test("a desktop without its program is not complete, and a webhook names what reads its answers", async () => {
    const desktop = '[channels.screen]\ntype = "desktop"\n';
    const keys = ['type = "webhook"', 'url = "https://example.org/x"', 'secret = "a secret that is long"'];
    const hook = ["[channels.hook]", ...keys, 'answer_from = ["ann"]', ""].join("\n");
    const home = dirname(await file("home/config.toml", `${desktop}${hook}`));
    const found = await examined({ env: { SHEEPDOG_HOME: home, PATH: home } });
    expect(found["channels"]?.join("\n")).toContain("people can answer while `sheepdog serve` runs");
    if (process.platform === "darwin") return;
    expect(found["channels"]?.join("\n")).toContain(
      "screen (desktop) cannot show messages: notify-send is not installed.",
    );
  });
});
