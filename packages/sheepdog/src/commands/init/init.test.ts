import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { loadConfig } from "../../config/load-config.ts";
import { resolveHome } from "../../home.ts";

const file = scratchFolder();

beforeEach(() => void vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed"))));
afterEach(() => void vi.unstubAllGlobals());

interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface FakeIoOptions {
  readonly env?: Record<string, string>;
  /** What the user types at the terminal; undefined: there is no terminal. */
  readonly typed?: string;
}

async function init(argv: readonly string[], { env = {}, typed }: FakeIoOptions = {}): Promise<Done> {
  const io = fakeIo({
    env: await environment(env),
    cwd: await project(),
    ...(typed === undefined ? {} : { stdin: typed, isTTY: true }),
  });
  return { code: await main(["init", ...argv], io), out: io.out(), err: io.err() };
}

async function environment(more: Record<string, string> = {}): Promise<Record<string, string>> {
  return { SHEEPDOG_HOME: join(dirname(await file("x")), "home"), ...more };
}

async function project(): Promise<string> {
  return dirname(await file("project/x"));
}

async function userFile(): Promise<string> {
  return resolveHome(await environment()).configFile;
}

/** The configuration in the written files. */
async function loaded(): ReturnType<typeof loadConfig> {
  const env = await environment();
  return loadConfig({ env, cwd: await project(), home: resolveHome(env) });
}

describe("sheepdog init -y", () => {
  test("writes what was found, readable by its owner only, and prints the next steps", async () => {
    const { code, out, err } = await init(["-y"], { env: { OPENAI_API_KEY: "the-key" } });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Created .*config\.toml\.\n[\s\S]*sheepdog doctor[\s\S]*sheepdog run/);
    expect(out).toMatch(/\nRuns may spend \$[\d.]+ a month\. To change it: sheepdog budget set month <dollars>\n/);
    expect(await loaded()).toMatchObject({
      ok: true,
      config: { model: { provider: "openai", model_id: "gpt-6-sol" }, budget: { monthly_limit_cents: 2_000 } },
    });
    expect(await readFile(await userFile(), "utf8")).not.toContain("the-key");
    expect([(await stat(await userFile())).mode & 0o777, (await stat(dirname(await userFile()))).mode & 0o777]).toEqual(
      [0o600, 0o700],
    );
  });

  test.each(["anthropic", "openai", "openai-chat", "google", "openrouter"])(
    "with --provider %s writes a file that holds, and names the key to set",
    async (provider) => {
      const { code, out } = await init([
        "-y",
        "--provider",
        provider,
        ...(provider === "openai-chat" ? ["--model", "gpt-6-sol"] : []),
      ]);
      expect([code, await loaded()]).toMatchObject([0, { ok: true, config: { model: { provider } } }]);
      if (provider !== "openai-chat") expect(out).toMatch(/Set the key: export [A-Z_]+=… {3}\(https:/);
    },
  );

  const compatible = ["-y", "--provider", "openai-compatible", "--model", "my-model"];

  test("with openai-compatible writes the address of the server", async () => {
    expect((await init([...compatible, "--base-url", "http://127.0.0.1:4000/v1"])).code).toBe(0);
    const model = { provider: "openai-compatible", base_url: "http://127.0.0.1:4000/v1" };
    expect(await loaded()).toMatchObject({ ok: true, config: { model } });
  });

  const envWithSecret = { OPENAI_COMPATIBLE_BASE_URL: "https://gateway.example.org/v1?key=hunter2" };

  test.each([
    ["your own file", []],
    ["the file of a project", ["--project"]],
  ])("leaves an address in the environment, where it may contain a key: %s", async (_, flag) => {
    const { code, out, err } = await init([...compatible, ...flag], { env: envWithSecret });
    expect([code, out]).toEqual([0, expect.stringContaining("it is read from OPENAI_COMPATIBLE_BASE_URL.")]);
    const written = flag.length === 0 ? await userFile() : join(await project(), "sheepdog.toml");
    const text = await readFile(written, "utf8");
    expect(text).toContain('provider = "openai-compatible"');
    expect(text + out + err).not.toMatch(/hunter2|base_url/);
  });

  test("with openai-compatible needs an address that can be used", async () => {
    expect(await init(compatible)).toMatchObject({ code: 2, err: expect.stringContaining("add --base-url <url>") });
    expect(await init([...compatible, "--base-url", "http://192.168.1.5/v1"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("To allow it: export SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP=true"),
    });
    const env = { OPENAI_COMPATIBLE_BASE_URL: "http://192.168.1.5/v1" };
    expect(await init(compatible, { env })).toMatchObject({ code: 2, err: expect.stringContaining("is plain http") });
    const allowed = { SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP: "true" };
    const metadata = await init([...compatible, "--base-url", "http://169.254.169.254/v1"], { env: allowed });
    expect(metadata).toMatchObject({ code: 2, err: expect.not.stringContaining("To allow it") });
  });

  const lan = ["--base-url", "http://192.168.1.5:8000/v1"];
  const lanConfig = {
    ok: true,
    config: { model: { base_url: "http://192.168.1.5:8000/v1" }, security: { allow_plain_http: true } },
  };

  test("writes a plain http address and its permission if the environment allows it", async () => {
    const env = { SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP: "true" };
    expect(await init([...compatible, ...lan], { env })).toMatchObject({ code: 0, err: "" });
    expect(await loaded()).toMatchObject(lanConfig);
  });

  test("keeps the permission of a file that it replaces, if the address needs it", async () => {
    await file("home/config.toml", "[security]\nallow_plain_http = true\n");
    expect(await init([...compatible, ...lan, "--force"])).toMatchObject({ code: 0, err: "" });
    expect(await loaded()).toMatchObject(lanConfig);
    expect((await init([...compatible, "--base-url", "https://gateway.example.org/v1", "--force"])).code).toBe(0);
    expect(await loaded()).toMatchObject({ ok: true, config: { security: { allow_plain_http: false } } });
  });

  test("writes the address of a proxy for any provider", async () => {
    const proxy = "https://proxy.example.org/v1";
    expect((await init(["-y", "--provider", "anthropic", "--base-url", proxy])).code).toBe(0);
    expect(await loaded()).toMatchObject({ config: { model: { provider: "anthropic", base_url: proxy } } });
  });

  test("without a model writes the rest, and prints how to get one", async () => {
    const { code, out } = await init(["-y"]);
    expect([code, await loaded()]).toMatchObject([
      0,
      { ok: true, config: { model: {}, budget: { monthly_limit_cents: 2_000 } } },
    ]);
    expect(out).toContain("No model was found. Set a key (export ANTHROPIC_API_KEY=…)");
  });

  test("gives a local model a price of 0, so that budgets do not refuse it", async () => {
    expect((await init(["-y", "--provider", "ollama", "--model", "qwen3:8b"])).code).toBe(0);
    expect(await loaded()).toMatchObject({
      ok: true,
      config: { budget: { pricing_overrides: { "ollama/qwen3:8b": { input: 0, output: 0 } } } },
    });
  });

  test("keeps the budget if the price is unknown, limits tokens besides, and says so", async () => {
    const { code, out } = await init(["-y", "--provider", "openai", "--model", "unknown-model"]);
    expect(code).toBe(0);
    expect(out).toContain("The price of unknown-model is unknown, so the budget of $20.00 a month cannot count it.");
    expect(out).toContain("Each run is limited to 1,000,000 tokens instead.");
    expect(await loaded()).toMatchObject({
      ok: true,
      config: {
        budget: { monthly_limit_cents: 2_000, per_run_limit_tokens: 1_000_000, unpriced: "count-tokens" },
      },
    });
  });

  test("says if the provider does not know the model, with near names", async () => {
    const { code, out } = await init(["-y", "--provider", "openai", "--model", "gpt-6-sool"]);
    expect(code).toBe(0);
    expect(out).toContain('"gpt-6-sool" is not a known model of openai. Did you mean gpt-6-sol');
    const known = await init(["-y", "--force", "--provider", "anthropic", "--model", "claude-sonnet-4-5-20250929"]);
    expect(known.out).not.toContain("not a known model");
  });

  test("replaces an existing file only with --force", async () => {
    await init(["-y"], { env: { OPENAI_API_KEY: "k" } });
    const before = await readFile(await userFile(), "utf8");
    const again = await init(["-y"], { env: { ANTHROPIC_API_KEY: "k" } });
    expect(again).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("already exists; replace it with --force"),
    });
    expect(await readFile(await userFile(), "utf8")).toBe(before);
    expect((await init(["-y", "--force"], { env: { ANTHROPIC_API_KEY: "k" } })).code).toBe(0);
    expect(await loaded()).toMatchObject({ config: { model: { provider: "anthropic" } } });
    expect(await readdir(dirname(await userFile()))).toEqual(["config.toml"]);
  });

  test("two at once: one writes, the other is refused", async () => {
    const both = await Promise.all([
      init(["-y"], { env: { OPENAI_API_KEY: "k" } }),
      init(["-y"], { env: { ANTHROPIC_API_KEY: "k" } }),
    ]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect((await loaded()).ok).toBe(true);
  });
});

describe("sheepdog init --project", () => {
  test("writes a file that only makes limits stricter, without a model", async () => {
    expect(await init(["--project"], { env: { OPENAI_API_KEY: "k" } })).toMatchObject({ code: 0, err: "" });
    expect(await loaded()).toMatchObject({ ok: true, config: { agent: { max_turns: 25 }, model: {} }, notes: [] });
  });

  test("names a model if a flag does, and says that it needs trust", async () => {
    const { code, out } = await init(["--project", "--provider", "google"]);
    expect([code, out]).toEqual([0, expect.stringContaining("sheepdog config trust")]);
    expect(await loaded()).toMatchObject({
      ok: true,
      config: { model: {} },
      notes: [expect.stringContaining("model.provider")],
    });
  });

  test("names the model if the only flag is its address", async () => {
    const proxy = ["--project", "--base-url", "https://proxy.example.org/v1"];
    expect((await init(proxy, { env: { OPENAI_API_KEY: "k" } })).code).toBe(0);
    const text = await readFile(join(await project(), "sheepdog.toml"), "utf8");
    expect(text).toContain('provider = "openai"');
    expect(text).toContain('base_url = "https://proxy.example.org/v1"');
  });
});

describe("sheepdog init at a terminal", () => {
  test("asks for the address of an openai-compatible server", async () => {
    const typed = "openai-compatible\nnowhere\nhttp://127.0.0.1:4000/v1\nmy-model\n0\n";
    const { code, err } = await init([], { typed });
    expect([code, err.match(/Which address \(base URL\)/g)?.length]).toEqual([0, 2]);
    const model = { provider: "openai-compatible", model_id: "my-model", base_url: "http://127.0.0.1:4000/v1" };
    expect(await loaded()).toMatchObject({ ok: true, config: { model } });
  });

  test("offers the address in the environment without its secrets, and leaves it there", async () => {
    const secrets = { path: "0123456789abcdef0123", query: "hunter2" };
    const env = { OPENAI_COMPATIBLE_BASE_URL: `https://gateway.example.org/${secrets.path}/v1?key=${secrets.query}` };
    const { code, out, err } = await init([], { env, typed: "openai-compatible\n\nmy-model\n0\n" });
    expect([code, err]).toEqual([0, expect.stringContaining("[https://gateway.example.org/…/v1] ")]);
    expect(await loaded()).toMatchObject({ ok: true, config: { model: { provider: "openai-compatible" } } });
    const text = await readFile(await userFile(), "utf8");
    expect(text).not.toContain("base_url");
    for (const secret of Object.values(secrets)) expect(text + out + err).not.toContain(secret);
  });

  const lan = "http://192.168.1.5:8000/v1";
  const lanConfig = { ok: true, config: { model: { base_url: lan }, security: { allow_plain_http: true } } };

  test("asks before plain http to another machine is allowed, and asks for another address after no", async () => {
    const { code, err } = await init([], { typed: `openai-compatible\n${lan}\n\n${lan}\nyes\nmy-model\n0\n` });
    expect([code, err.match(/Which address/g)?.length]).toEqual([0, 2]);
    expect(err).toContain("192.168.1.5:8000 is plain http to another machine");
    expect(err).toContain("Allow it (yes or no)? [no] ");
    expect(await loaded()).toMatchObject(lanConfig);
  });

  test("asks before plain http of a flag is allowed", async () => {
    const flags = ["--provider", "vllm", "--model", "m", "--base-url", lan];
    expect(await init(flags, { typed: "no\n" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("is plain http"),
    });
    expect((await init(flags, { typed: "y\n0\n" })).code).toBe(0);
    expect(await loaded()).toMatchObject(lanConfig);
  });

  test("asks before plain http of a running Ollama is allowed", async () => {
    vi.stubGlobal("fetch", async () => new Response('{"models":[{"name":"qwen3:8b"}]}'));
    const ollama = { env: { OLLAMA_HOST: "192.168.1.5:8000" }, typed: "\nyes\n\n0\n" };
    expect((await init([], ollama)).code).toBe(0);
    expect(await loaded()).toMatchObject({
      ...lanConfig,
      config: { ...lanConfig.config, model: { provider: "ollama" } },
    });
  });

  test("does not ask about plain http that is allowed already", async () => {
    const env = { SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP: "true" };
    const { code, err } = await init([], { env, typed: `openai-compatible\n${lan}\nmy-model\n0\n` });
    expect([code, err]).toEqual([0, expect.not.stringContaining("Allow it")]);
    expect(await loaded()).toMatchObject(lanConfig);
  });

  test("asks, takes the default for an empty line, and repeats the question after an invalid answer", async () => {
    const typed = "antropic\nanthropic\n\nlots\n7.50\n";
    const { code, err } = await init([], { env: { OPENAI_API_KEY: "k" }, typed });
    expect(code).toBe(0);
    expect(err).toContain(
      "Which provider? anthropic, openai (key is set), google, openrouter, ollama, " +
        "openai-compatible (another server) [openai] ",
    );
    expect(err).toContain('there is no provider "antropic"; did you mean "anthropic"?');
    expect(err).toContain("this is not an amount");
    expect(await loaded()).toMatchObject({
      config: {
        model: { provider: "anthropic", model_id: "claude-sonnet-5" },
        budget: { monthly_limit_cents: 750, warning_threshold_cents: 600 },
      },
    });
  });

  test("asks again for a name that the provider does not know, and for a price that is not listed", async () => {
    const typed = "openai\nmy-modle\nmy-model\n10\n3\n15\n";
    const { code, err, out } = await init([], { typed });
    expect(code).toBe(0);
    expect(err).toContain('"my-modle" is not a known model of openai. Which model? [my-modle] ');
    expect(err).toContain("The price of my-model is not listed. Dollars per million input tokens? [unknown] ");
    expect(out).not.toContain("unknown");
    expect(await loaded()).toMatchObject({
      ok: true,
      config: {
        budget: {
          monthly_limit_cents: 1_000,
          unpriced: "refuse-under-limit",
          pricing_overrides: { "openai/my-model": { input: 300, output: 1_500 } },
        },
      },
    });
  });

  test("keeps the budget and says what counts if the user does not know the price either", async () => {
    const { code, out } = await init([], { typed: "openai\nmy-model\n\n10\n\n" });
    expect([code, out]).toEqual([0, expect.stringContaining("so the budget of $10.00 a month cannot count it.")]);
    expect(await loaded()).toMatchObject({ config: { budget: { monthly_limit_cents: 1_000 } } });
  });

  test("refuses a tiny amount instead of reading it as no limit", async () => {
    const { code, err } = await init([], { typed: "\n\n0.001\n0.01\n" });
    expect([code, err]).toEqual([0, expect.stringContaining("this is not an amount")]);
    expect(await loaded()).toMatchObject({ ok: true, config: { budget: { monthly_limit_cents: 1 } } });
  });

  test("reads 0 as no limit", async () => {
    expect((await init([], { typed: "\n\n0\n" })).code).toBe(0);
    expect(await loaded()).toMatchObject({ ok: true, config: { budget: { monthly_limit_cents: 0 } } });
  });

  test("asks only for what the flags do not set", async () => {
    const { err } = await init(["--provider", "openai", "--model", "gpt-6-luna"], { typed: "\n" });
    expect(err).toBe("Budget of all runs per month, in dollars? 0: no limit. [20] ");
  });

  test.each(["", "openai\n", "openai\ngpt-6-sol\n", "antropic\n"])(
    "writes nothing if the answers end after %j",
    async (typed) => {
      expect(await init([], { typed })).toMatchObject({
        code: 130,
        out: "",
        err: expect.stringContaining("nothing was written\n"),
      });
      expect(await readdir(dirname(dirname(await userFile())))).not.toContain("home");
    },
  );

  test("is safe against hostile answers", async () => {
    await init([], { typed: '\u001b[2Jevil\nopenai\n"\\nx = 1\ngpt-6-sol\n\n' });
    expect(await loaded()).toMatchObject({
      ok: true,
      config: { model: { provider: "openai", model_id: "gpt-6-sol" } },
    });
  });
});

describe("invalid options", () => {
  test.each([
    [["--yes", "--provider", "opnai"], 'did you mean "openai"?'],
    [["-y", "--provider", "vllm"], "has no default model: add --model"],
    [["-y", "--model", "x"], "needs a provider"],
    [["-y", "--base-url", "https://proxy.example.org/v1"], "--base-url needs a provider: add --provider <name>"],
    [["--project", "--base-url", "https://proxy.example.org/v1"], "--base-url needs a provider: add --provider <name>"],
    [["-y", "--provider", "openai", "--model", 'x"\n[agent]'], "this is not the name of a model"],
    [[], "there is no terminal to ask questions on; use -y to accept what is found"],
  ])("%j is a usage error, and nothing is written", async (argv, sentence) => {
    const { code, out, err } = await init(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    expect(await readdir(dirname(dirname(await userFile())))).not.toContain("home");
  });

  test("a location that is not writable is reported in one sentence", async () => {
    await file("home", "a file in place of the folder");
    expect(await init(["-y"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^sheepdog: .*config\.toml cannot be written \(.*\)\n$/),
    });
    await mkdir(join(await project(), "sheepdog.toml"));
    expect(await init(["--project", "--force"])).toMatchObject({ code: 1, out: "" });
  });

  test("an unusual ending of the output is none of the configuration's business", async () => {
    const io = fakeIo({ env: await environment(), cwd: await project(), failing: { stdout: "EPIPE" } });
    expect([await main(["init", "-y"], io), io.err(), (await loaded()).ok]).toEqual([0, "", true]);
  });
});
