import { expect, onTestFinished, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { type ServerMode, startOtlpServer } from "../../../test/opentelemetry/otlp-server.ts";
import { createCheckContext } from "../check-context.ts";
import { openTelemetryCheck } from "./opentelemetry.ts";

/** What the check says with these variables. */
async function examined(env: Record<string, string>): Promise<readonly string[]> {
  const io = fakeIo({ env: { SHEEPDOG_HOME: "/nowhere/home", ...env }, cwd: "/" });
  return (await openTelemetryCheck.run(createCheckContext(io))).map(({ status, sentence }) => `${status}: ${sentence}`);
}

async function collector(mode: ServerMode) {
  const server = await startOtlpServer(mode);
  onTestFinished(() => server.close());
  return server;
}

test("without a collector, it says that nothing is exported", async () => {
  expect(await examined({})).toEqual(["ok: OpenTelemetry is off: nothing is exported."]);
});

test("a collector on this machine is asked with an empty export", async () => {
  const { url, requests, problems } = await collector("accept");
  expect(await examined({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual([
    `ok: Runs are exported to ${url}/v1/traces (http/protobuf, without content), which answers.`,
  ]);
  expect([requests.length, problems]).toEqual([1, []]);
  await examined({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  expect([requests.length, problems]).toEqual([2, []]);
});

test("a collector that refuses is a warning, since runs work without it", async () => {
  const { url } = await collector({ status: 401 });
  const env = { SHEEPDOG_OPENTELEMETRY__ENDPOINT: url, SHEEPDOG_OPENTELEMETRY__CAPTURE_CONTENT: "true" };
  expect((await examined(env)).join("\n")).toBe(
    `warn: Runs are exported to ${url}/v1/traces (http/protobuf, with content), which does not accept data ` +
      "(status 401). Runs work without it.",
  );
});

test("another machine is not asked, and no secret of its address is shown", async () => {
  const said = await examined({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://ann:secret-word@otlp.example.org?key=abc" });
  expect(said[0]).toContain("https://otlp.example.org/");
  expect(said[0]).toContain("sheepdog doctor --online");
  expect(said.join()).not.toMatch(/secret-word|abc/);
});

test("what cannot work is a warning", async () => {
  expect(await examined({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" })).toEqual([
    'warn: The OpenTelemetry endpoint "collector:4317" of OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https ' +
      "address. Write http://collector:4317",
  ]);
  const grpc = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(await examined(grpc)).toEqual([expect.stringContaining("the protocol grpc cannot be used")]);
});
