import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStores } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/package-root.ts";
import { commandFiles, everLoadedBy, loadedWith } from "./import-graph.ts";
import { isBuilt } from "./is-built.ts";
import { scratchFolder } from "./scratch-folder.ts";

const file = scratchFolder();
const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));
const cli = fileURLToPath(new URL("dist/cli.js", packageRoot));

/** The file with Ink and React, which draw on the terminal. */
const drawingFile = /\/dist\/ink-[^/]+\.js$/;
/** The file with the OpenTelemetry SDK. */
const exportingFile = /\/dist\/opentelemetry-[^/]+\.js$/;
/** The file with the library for comparing texts; others begin with "diff-" and a word. */
const comparingFile = /\/dist\/diff-[\w-]{8}\.js$/;
const providers = ["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/google", "@ai-sdk/openai-compatible"];

describe.skipIf(!isBuilt)("by the imports in the built files", () => {
  const start = isBuilt ? loadedWith(cli) : { files: new Set<string>(), packages: new Set<string>() };
  const commands = isBuilt ? commandFiles(start) : new Map<string, string>();
  const of = (name: string): string => {
    const found = commands.get(name);
    if (found === undefined) throw new Error(`Expected one of ${[...commands.keys()].join(", ")}; got ${name}.`);
    return found;
  };

  test("every start loads only a few files of our own", () => {
    expect([...start.packages]).toEqual([]);
    expect(start.files.size).toBeLessThanOrEqual(3);
  });

  test("nothing of MCP is loaded with a run, a chat or doctor before a server is configured", () => {
    for (const name of ["run-command", "chat-command", "doctor-command"]) {
      const { files, packages } = loadedWith(of(name));
      expect([...files].filter((each) => /\/dist\/(?:open-mcp|mcp-server)-/.test(each))).toEqual([]);
      expect([...packages].filter((each) => each.includes("/mcp") || each.startsWith("@modelcontextprotocol"))).toEqual(
        [],
      );
    }
  });

  test("every command is loaded when it runs", () => {
    for (const name of [
      "demo",
      "run",
      "chat",
      "runs",
      "show",
      "analyze",
      "cost",
      "budget",
      "init",
      "doctor",
      "memory",
      "prune",
      "completion",
    ])
      expect([...commands.keys()]).toContain(`${name}-command`);
  });

  test("only chat can load the terminal drawing library", () => {
    const drawing = [...commands].filter(([, path]) =>
      [...everLoadedBy(path, start).files].some((loaded) => drawingFile.test(loaded)),
    );
    expect(drawing.map(([name]) => name)).toEqual(["chat-command"]);
  });

  test("the library for comparing texts is loaded when a change is shown", () => {
    for (const name of ["run-command", "show-command", "chat-command"]) {
      expect([...loadedWith(of(name)).files].filter((file) => comparingFile.test(file))).toEqual([]);
      expect([...everLoadedBy(of(name), start).files].filter((file) => comparingFile.test(file))).toHaveLength(1);
    }
  });

  test("runs can load OpenTelemetry, and no command does at its start", () => {
    const exporting = [...commands].filter(([, path]) =>
      [...everLoadedBy(path, start).files].some((loaded) => exportingFile.test(loaded)),
    );
    expect(exporting.map(([name]) => name)).toEqual(expect.arrayContaining(["run-command", "chat-command"]));
    for (const [, path] of commands)
      expect([...loadedWith(path).files].filter((loaded) => exportingFile.test(loaded))).toEqual([]);
  });

  test("a run without channels loads nothing of them, and a mail or a socket is loaded when it is used", () => {
    const ofChannels = /\/dist\/(?:notify-about-run|kinds|channel-settings|ws|nodemailer)-[^/]+\.js$/;
    for (const name of ["run-command", "chat-command", "doctor-command"])
      expect([...loadedWith(of(name)).files].filter((path) => ofChannels.test(path))).toEqual([]);
    const delivering = [...loadedWith(of("notify/deliver-command")).files];
    expect(delivering.filter((path) => /\/(?:ws|nodemailer)-[^/]+\.js$/.test(path))).toEqual([]);
    const ever = [...everLoadedBy(of("notify/deliver-command"), start).files];
    expect(ever.filter((path) => /\/(?:ws|nodemailer)-[^/]+\.js$/.test(path)).length).toBeGreaterThanOrEqual(2);
  });

  test("no command loads a provider's package before it is used", () => {
    for (const [name, path] of commands)
      expect([name, [...loadedWith(path).packages].filter((each) => providers.includes(each))]).toEqual([name, []]);
  });

  test("commands without an agent do not load one", () => {
    expect([...loadedWith(of("completion-command")).packages]).toEqual([]);
    const ofConfiguration = ["zod", "smol-toml"]; // prices may be configured
    const others = [...loadedWith(of("analyze-command")).packages].filter((name) => !name.startsWith("@sheepdog/"));
    expect(others.filter((name) => !ofConfiguration.includes(name))).toEqual([]);
    const agentFiles = [...loadedWith(of("analyze-command")).files].filter((file) => file.includes("/agent/dist/"));
    expect(agentFiles.filter((file) => !file.endsWith("/timeline/index.js"))).toEqual([]); // it has texts of amounts
  });
});

/** Records the URL of every loaded module. */
const hooks = `import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.TRACE, url + "\\n");
  return next(url, context);
}`;
const registerHooks = `import { register } from "node:module"; register("${dataUrl(hooks)}");`;
const traced = dataUrl(registerHooks);

describe.skipIf(!isBuilt)("by what Node loads", () => {
  async function packagesLoaded(...argv: readonly string[]): Promise<readonly string[]> {
    const [trace, home] = [await file("trace", ""), dirname(await file("home/x"))];
    const env = { PATH: process.env["PATH"], SHEEPDOG_HOME: home, TRACE: trace };
    const { status } = spawnSync(process.execPath, ["--import", traced, bin, ...argv], { cwd: home, env });
    expect(status).toBe(0);
    const urls = readFileSync(trace, "utf8").split("\n");
    expect(urls.some((url) => url.endsWith("/bin/sheepdog.js"))).toBe(true);
    return [
      ...new Set(
        urls.flatMap(
          (url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1] ?? ownPackage(url),
        ),
      ),
    ].sort();
  }

  function ownPackage(url: string): string | readonly string[] {
    if (drawingFile.test(url)) return "ink";
    const [, name] = /\/packages\/(guardian|records|agent|integrations)\//.exec(url) ?? [];
    return name === undefined ? [] : `@sheepdog/${name}`;
  }

  test.each([[["--version"]], [["--help"]], [[]], [["run", "--help"]], [["completion", "bash"]]])(
    "%j loads no package",
    async (argv) => {
      expect(await packagesLoaded(...argv)).toEqual([]);
    },
  );

  test.each([[["runs"]], [["cost"]], [["runs", "--json"]]])(
    "%j loads neither a provider's package nor what draws on the terminal",
    async (argv) => {
      await (await sqliteStores({ path: await file("home/sheepdog.db") })).close();
      const loaded = await packagesLoaded(...argv);
      expect(loaded).toContain("@sheepdog/agent");
      expect(loaded.filter((name) => providers.includes(name) || name === "ink")).toEqual([]);
    },
  );
});

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
