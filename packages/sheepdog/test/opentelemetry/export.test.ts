import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
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

/** The names of the spans, each below its parent. */
function tree({ spans }: OtlpServer, parent = "", depth = 0): readonly string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const isBelow = ({ parentSpanId }: ReceivedSpan) =>
    parent === "" ? !known.has(parentSpanId) : parentSpanId === parent;
  return spans
    .filter(isBelow)
    .flatMap(({ name, spanId }) => [
      `${"  ".repeat(depth)}${name}`,
      ...tree({ spans } as OtlpServer, spanId, depth + 1),
    ])
    .toSorted((a, b) => (depth === 0 ? 0 : a.localeCompare(b) * 0));
}

const model = "claude-sonnet-4-5";
const run = ["run", "--model", `anthropic:${model}`];

built("a run arrives at the collector as protobuf: spans, metrics and the resource", async (context) => {
  const { sandbox, collector, env } = await collected(context);
  const { code, err } = await sandbox.run([...run, "--json", "Read a.txt."], { env });
  expect([code, collector.problems]).toEqual([0, []]);
  expect(err).not.toContain("OpenTelemetry");
  expect(new Set(collector.requests.map(({ headers }) => headers["content-type"]))).toEqual(
    new Set(["application/x-protobuf"]),
  );
  expect([...tree(collector)].sort()).toEqual(
    [
      "invoke_agent sheepdog",
      "  turn",
      `    chat ${model}`,
      "    execute_tool read",
      "  turn",
      `    chat ${model}`,
    ].sort(),
  );
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
  const metrics = Object.fromEntries(collector.metrics.map((metric) => [metric.name, metric]));
  expect(
    metrics["gen_ai.client.token.usage"]?.points.map(({ attributes, count }) => [
      attributes["gen_ai.token.type"],
      count,
    ]),
  ).toEqual([
    ["input", 2],
    ["output", 2],
  ]);
  expect(metrics["sheepdog.run.cost"]?.points[0]?.value).toBeGreaterThan(0);
  expect(metrics["sheepdog.tool.calls"]?.points).toEqual([
    { attributes: { "gen_ai.tool.name": "read", "sheepdog.tool.status": "ok" }, value: 1 },
  ]);
});

built("the configuration decides about address, format, headers, names and content", async (context) => {
  const { sandbox, collector } = await collected(context);
  const config = [
    "[opentelemetry]",
    `endpoint = "${collector.url}/"`,
    'protocol = "http/json"',
    "capture_content = true",
    'service_name = "night-shift"',
    'headers = { authorization = "Bearer ${OTLP_TOKEN}" }',
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

built("a collector that refuses the connection is named once, and changes nothing", async (context) => {
  const { sandbox } = await collected(context);
  const free = createServer();
  const port = await new Promise<number>((resolve) =>
    free.listen(0, "127.0.0.1", () => resolve((free.address() as { port: number }).port)),
  );
  await new Promise((resolve) => free.close(resolve));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const { code, out, err } = await sandbox.run([...run, "Read a.txt."], { env });
  expect([code, out]).toEqual([0, "It says hello.\n"]);
  expect(err.match(/OpenTelemetry/g)).toHaveLength(1);
  expect(err).toContain(`The OpenTelemetry collector at 127.0.0.1:${port} did not accept all data (ECONNREFUSED)`);
});

built("a collector that never answers is left after a second", async (context) => {
  const { sandbox, env } = await collected(context, "silent");
  const { code, out, err } = await sandbox.run([...run, "Read a.txt."], { env });
  expect([code, out]).toEqual([0, "It says hello.\n"]);
  expect(err).toContain("no answer within 1 second");
});

built("a run that fails keeps its exit code, and its span has the reason", async (context) => {
  const { sandbox, collector, env } = await collected(context, "accept", [
    { fault: { type: "status", status: 401 } },
  ] as never);
  const { code } = await sandbox.run([...run, "Go."], { env });
  expect(code).toBe(7);
  const root = collector.spans.find(({ parentSpanId }) => parentSpanId === "");
  expect(root).toMatchObject({ status: 2, attributes: { "error.type": "provider_error" } });
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

built.each([
  ["OTEL_SDK_DISABLED", "true"],
  ["OTEL_TRACES_EXPORTER", "none"],
])("%s=%s sends no spans", async (name, value) => {
  const { sandbox, collector, env } = await collected({ onTestFinished });
  await sandbox.run([...run, "Go."], { env: { ...env, [name]: value } });
  expect(collector.spans).toEqual([]);
  expect(collector.requests.length).toBe(name === "OTEL_SDK_DISABLED" ? 0 : 1);
});

built("a project file cannot send runs anywhere until it is trusted", async (context) => {
  const { sandbox, collector } = await collected(context);
  await sandbox.file("sheepdog.toml", `[opentelemetry]\nendpoint = "${collector.url}"\ncapture_content = true\n`);
  const { code } = await sandbox.run([...run, "Go."]);
  expect([code, collector.requests]).toEqual([0, []]);
});
