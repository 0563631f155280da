import { describe, expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { headersFrom } from "./otlp-headers.ts";
import { otlpTarget } from "./otlp-target.ts";
import { chooseOpenTelemetry, type OpenTelemetrySettings } from "./settings.ts";

const configOf = (opentelemetry: object) => configSchema.parse({ opentelemetry }).opentelemetry;
const choose = (opentelemetry: object, env: Record<string, string> = {}) =>
  chooseOpenTelemetry(configOf(opentelemetry), env);
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

function settingsOf(opentelemetry: object, env: Record<string, string> = {}): OpenTelemetrySettings {
  const choice = choose({ enabled: true, ...opentelemetry }, env);
  if (!choice.isOn) throw new Error("Expected it to be on.");
  return choice.settings;
}

describe("it is on", () => {
  test.each([
    [{}, {}, false],
    [{ endpoint: "http://collector:4318" }, {}, true],
    [{ enabled: true }, {}, true],
    [{}, collector, true],
    [{}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/t" }, true],
    [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, false],
    [{ enabled: false }, collector, false],
    [{ enabled: true }, { OTEL_SDK_DISABLED: "TRUE" }, false],
    [{}, { ...collector, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }, false],
  ])("with %j and %j: %s", (config, env, isOn) => {
    expect(choose(config, env as Record<string, string>).isOn).toBe(isOn);
  });

  test("for the signals that the variables leave on", () => {
    expect(settingsOf({}).signals).toEqual(["traces", "metrics"]);
    expect(settingsOf({}, { OTEL_TRACES_EXPORTER: "none" }).signals).toEqual(["metrics"]);
    expect(settingsOf({}, { OTEL_METRICS_EXPORTER: "console, otlp" }).signals).toEqual(["traces", "metrics"]);
  });

  test("not with a protocol that cannot be used, and says so", () => {
    expect(choose({}, { ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toEqual({
      isOn: false,
      problem: expect.stringContaining("the protocol grpc cannot be used"),
    });
    const both = { traces: "http/json", metrics: "http/json" };
    expect(settingsOf({ protocol: "http/json" }, { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).protocols).toEqual(both);
  });

  test("with the protocol of each signal", () => {
    const env = { ...collector, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" };
    expect(settingsOf({}, env).protocols).toEqual({ traces: "http/json", metrics: "http/protobuf" });
    expect(choose({}, { ...collector, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "grpc" }).isOn).toBe(false);
  });

  test("for the signal whose address is known, if only one is", () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/t" };
    expect(settingsOf({}, env).signals).toEqual(["traces"]);
    expect(settingsOf({}, { ...env, ...collector }).signals).toEqual(["traces", "metrics"]);
  });
});

describe("the target", () => {
  const target = (opentelemetry: object, env: Record<string, string> = {}, signal: "traces" | "metrics" = "traces") =>
    otlpTarget(settingsOf(opentelemetry, env), signal, env);

  test("is the address of the configuration, of the variables, or this machine", () => {
    expect(target({}).url).toBe("http://localhost:4318/v1/traces");
    expect(target({}, collector).url).toBe("http://collector:4318/v1/traces");
    expect(target({ endpoint: "https://otlp.example.org/base/" }, collector, "metrics").url).toBe(
      "https://otlp.example.org/base/v1/metrics",
    );
    const own = { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:4318/in" };
    expect([target({}, own).url, target({}, own, "metrics").url]).toEqual([
      "http://traces:4318/in",
      "http://collector:4318/v1/metrics",
    ]);
  });

  test("gets the headers of the variables only at the address of the variables", () => {
    const env = { ...collector, OTEL_EXPORTER_OTLP_HEADERS: "api-key=abc%20d,broken" };
    expect(target({ headers: { team: "sheep" } }, env).headers).toEqual({ "api-key": "abc d", team: "sheep" });
    expect(target({ endpoint: "http://other:4318", headers: { team: "sheep" } }, env).headers).toEqual({
      team: "sheep",
    });
    expect(headersFrom({ OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=%zz" }, "traces")).toEqual({ a: "%zz" });
  });

  test("has the timeout and the compression of the variables", () => {
    const env = { OTEL_EXPORTER_OTLP_TIMEOUT: "500", OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip" };
    expect(target({}, env)).toMatchObject({ timeoutMs: 500, isCompressed: false });
    expect(target({}, env, "metrics")).toMatchObject({ isCompressed: true });
    expect(target({}, { OTEL_EXPORTER_OTLP_TIMEOUT: "soon" }).timeoutMs).toBe(10_000);
  });

  test.each(["collector:4318", "ftp://collector", "http://"])("is never %s", (address) => {
    expect(() => target({}, { OTEL_EXPORTER_OTLP_ENDPOINT: address })).toThrow(
      `The OpenTelemetry endpoint "${address}" of OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address.`,
    );
  });

  test("is completed once, also if its address has the path of a signal", () => {
    const endpoint = "http://collector:4318/v1/traces/";
    expect(target({ endpoint }).url).toBe("http://collector:4318/v1/traces");
    expect(target({}, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, "metrics").url).toBe(
      "http://collector:4318/v1/metrics",
    );
    const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" };
    expect(() => target({}, wrong)).toThrow("Write http://collector:4318");
  });

  test("needs its certificates", () => {
    expect(() => target({}, { OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere/ca.pem" })).toThrow("cannot be read");
  });
});
