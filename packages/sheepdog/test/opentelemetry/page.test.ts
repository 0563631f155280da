import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { resolveHome } from "../../src/home.ts";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { startOtlpServer } from "./otlp-server.ts";

const page = readFileSync(new URL("../../../../docs/opentelemetry.md", import.meta.url), "utf8");

/** The first block of a language. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? "";
}

test.skipIf(!isBuilt)("the commands at the beginning of the page give the trace that it shows", async (context) => {
  const look = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
  const sandbox = await createSandbox(context, [look, { text: "It says hello." }]);
  await sandbox.file("a.txt", "hello");
  const collector = await startOtlpServer();
  onTestFinished(() => collector.close());
  const [, , variable = "", , port = "", prompt = ""] =
    /^docker run (.*)\nexport (\w+)=(\S+):(\d+)\nsheepdog run "(.*)"\n$/.exec(block("sh")) ?? [];
  expect(port).toBe("4318");
  const endpoint = { [variable]: collector.url };
  const { code } = await sandbox.run(["run", "--model", "anthropic:claude-sonnet-4-5", prompt], { env: endpoint });
  expect([code, collector.problems]).toEqual([0, []]);
  const shown = block("text").trimEnd().split("\n");
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(shown.map((line) => line.trim()).sort());
  const depth = (id: string): number => {
    const span = collector.spans.find(({ spanId }) => spanId === id);
    return span === undefined ? 0 : 1 + depth(span.parentSpanId);
  };
  const depths = collector.spans.map(({ name, parentSpanId }) => `${"  ".repeat(depth(parentSpanId))}${name}`);
  expect(depths.sort()).toEqual(shown.toSorted());
});

test("the configuration of the page is valid", async (context) => {
  const { home, env } = await createSandbox(context, []);
  const folder = resolveHome({ SHEEPDOG_HOME: home });
  await writeFile(join(env["HOME"] ?? "", "config.toml"), block("toml"));
  const file = join(env["HOME"] ?? "", "config.toml");
  const loaded = await loadConfig({
    env: { OTLP_TOKEN: "a-token" },
    cwd: env["HOME"] ?? "",
    home: { ...folder, configFile: file },
  });
  expect(loaded).toMatchObject({
    ok: true,
    config: { opentelemetry: { headers: { authorization: "Bearer a-token" }, service_name: "night-shift" } },
  });
});
