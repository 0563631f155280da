import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { traceIdsOf } from "@sheepdog/agent/opentelemetry";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { type OtlpServer, type ReceivedSpan, type ServerMode, startOtlpServer } from "./otlp-server.ts";

const read = { text: "I look.", calls: [{ tool: "read", input: { path: "a.txt" } }] };
const script = [read, { text: "It says hello." }];
const built = test.skipIf(!isBuilt);

/** A home with a model and a collector. */
async function collected(context: Pick<TestContext, "onTestFinished">, mode: ServerMode = "accept", turns = script) {
  const sandbox = await createSandbox(context, turns);
  await sandbox.file("a.txt", "hello from a.txt");
  const collector = await startOtlpServer(mode);
  onTestFinished(() => collector.close());
  return { sandbox, collector, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } };
}

/** The names of the spans with those of their parents, in any order. */
function paths({ spans }: OtlpServer): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const path = ({ name, parentSpanId }: ReceivedSpan): string => {
    const parent = byId.get(parentSpanId);
    return parent === undefined ? name : `${path(parent)} > ${name}`;
  };
  return spans.map(path).sort();
}

const model = "claude-sonnet-4-5";
const run = ["run", "--model", `anthropic:${model}`];

built("a run arrives at the collector as protobuf: spans and the resource", async (context) => {
  const { sandbox, collector, env } = await collected(context);
  const { code, err } = await sandbox.run([...run, "--json", "Read a.txt."], { env });
  expect([code, collector.problems]).toEqual([0, []]);
  expect(err).not.toContain("OpenTelemetry");
  expect(new Set(collector.requests.map(({ headers }) => headers["content-type"]))).toEqual(
    new Set(["application/x-protobuf"]),
  );
  const turn = "invoke_agent sheepdog > turn";
  expect(paths(collector)).toEqual([
    "invoke_agent sheepdog",
    ...[turn, turn],
    ...[`${turn} > chat ${model}`, `${turn} > chat ${model}`],
    `${turn} > execute_tool read`,
  ]);
  const root = collector.spans.find(({ parentSpanId }) => parentSpanId === "");
  expect(root?.resource).toMatchObject({ "service.name": "sheepdog", "service.instance.id": expect.any(String) });
  expect({ traceId: root?.traceId, spanId: root?.spanId }).toEqual(
    traceIdsOf(String(root?.attributes["sheepdog.run.id"])),
  );
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  const chat = collector.spans.find(({ name }) => name.startsWith("chat"));
  expect(chat).toMatchObject({
    kind: 3,
    attributes: {
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": model,
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.response.id": expect.any(String),
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(sandbox.server.url).port),
    },
  });
  expect(JSON.stringify(collector.spans)).not.toMatch(/hello|I look|Read a\.txt/);
});

built("the configuration decides about address, format, headers, names and content", async (context) => {
  const { sandbox, collector } = await collected(context);
  const config = [
    "[opentelemetry]",
    `endpoint = "${collector.url}/"`,
    'protocol = "http/json"',
    "capture_content = true",
    'service_name = "night-shift"',
    `headers = { authorization = "Bearer \${OTLP_TOKEN}" }`,
    'resource_attributes = { "deployment.environment.name" = "ci" }',
  ];
  await sandbox.run(["config", "set", "agent.max_turns", "9"]);
  await writeFile(join(sandbox.home, "config.toml"), `${config.join("\n")}\n`);
  const env = {
    OTLP_TOKEN: "shepherd-token-5581",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    OTEL_EXPORTER_OTLP_HEADERS: "x-other=for-another-backend",
    OTEL_RESOURCE_ATTRIBUTES: "team=sheep",
    TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  };
  const { code } = await sandbox.run([...run, "Read a.txt with shepherd-token-5581."], { env });
  expect([code, collector.problems]).toEqual([0, []]);
  const [{ headers }] = collector.requests as [OtlpServer["requests"][number]];
  expect(headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer shepherd-token-5581" });
  expect(headers["x-other"]).toBeUndefined();
  const root = collector.spans.find(({ name }) => name === "invoke_agent sheepdog");
  expect(root).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
    resource: { "service.name": "night-shift", team: "sheep", "deployment.environment.name": "ci" },
  });
  const text = JSON.stringify(collector.spans);
  expect(text).toContain("hello from a.txt");
  expect(text).toContain("It says hello.");
  expect(text).not.toContain("shepherd-token-5581");
});

/** A port of this machine on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

built("a collector that is dead or never answers is named once, and changes nothing else", async (context) => {
  const [dead, silent] = [await collected(context), await collected(context, "silent")];
  const port = await freePort();
  const [first, second] = await Promise.all([
    dead.sandbox.run([...run, "Go."], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } }),
    silent.sandbox.run([...run, "Go."], { env: silent.env }),
  ]);
  for (const { code, out, err } of [first, second]) {
    expect([code, out]).toEqual([0, "It says hello.\n"]);
    expect(err.match(/OpenTelemetry/g)).toHaveLength(1);
  }
  expect(first.err).toContain(
    `The OpenTelemetry collector at 127.0.0.1:${port} did not accept all data (ECONNREFUSED)`,
  );
  expect(second.err).toContain("no answer within 1 second");
});

/** Records the URL of every module that Node loads. */
const hooks = `import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + "\\n");
  return next(url, context);
}`;
const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const registerHooks = dataUrl(`import { register } from "node:module"; register("${dataUrl(hooks)}");`);

built("nothing of it is loaded if it is off", async (context) => {
  const sandbox = await createSandbox(context, [{ text: "Hello." }]);
  const env = { NODE_OPTIONS: `--import ${registerHooks}`, LOADED: join(sandbox.workspace, "loaded") };
  expect((await sandbox.run([...run, "Go."], { env })).code).toBe(0);
  const urls = (await readFile(env.LOADED, "utf8")).split("\n");
  expect(urls.filter((url) => url.includes("open-agent"))).toHaveLength(1);
  expect(urls.filter((url) => /opentelemetry|connect-tracing|start-sdk|otlp-(?:sender|target)/.test(url))).toEqual([]);
});

built("a run that was killed continues its trace when it is resumed", async (context) => {
  const slow = { calls: [{ tool: "bash", input: { command: "sleep 60" } }] };
  const { sandbox, collector, env } = await collected(context, "accept", [read, slow, { text: "Done." }] as never);
  const quick = { ...env, OTEL_BSP_SCHEDULE_DELAY: "100" };
  const running = sandbox.start([...run, "--stream-json", "Go."], { env: quick });
  await running.says('"tool":"bash"');
  await expect.poll(() => collector.spans.map(({ name }) => name), { timeout: 20_000 }).toContain("execute_tool read");
  running.child.kill("SIGKILL");
  await running.ended;
  const { code } = await sandbox.run(["run", "--continue"], { env });
  expect([code, collector.problems]).toEqual([0, []]);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === "");
  expect(roots).toHaveLength(1);
  const turns = collector.spans.filter(({ name }) => name === "turn").map(({ parentSpanId }) => parentSpanId);
  expect(turns.length).toBeGreaterThanOrEqual(2);
  expect(new Set(turns)).toEqual(new Set([roots[0]?.spanId]));
});
