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
    [{}, { ...collector, OTEL_TRACES_EXPORTER: "none" }, false],
    [{}, { ...collector, OTEL_TRACES_EXPORTER: "console, otlp" }, true],
    [{}, { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://collector:4318/m" }, false],
  ])("with %j and %j: %s", (config, env, isOn) => {
    expect(choose(config, env as Record<string, string>).isOn).toBe(isOn);
  });

  test("not with a protocol that cannot be used, and says so", () => {
    expect(choose({}, { ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toEqual({
      isOn: false,
      problem: expect.stringContaining("the protocol grpc cannot be used"),
    });
  });

  test("with the protocol of the configuration, of the variable for traces, or of the one for all data", () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    expect(settingsOf({}).protocol).toBe("http/protobuf");
    expect(settingsOf({ protocol: "http/json" }, env).protocol).toBe("http/json");
    expect(settingsOf({}, { ...env, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }).protocol).toBe("http/json");
    expect(settingsOf({}, { OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "grpc" }).protocol).toBe("http/protobuf");
  });
});

describe("the target", () => {
  const target = (opentelemetry: object, env: Record<string, string> = {}) =>
    otlpTarget(settingsOf(opentelemetry, env), env);

  test("is the address of the configuration, of the variables, or this machine", () => {
    expect(target({}).url).toBe("http://localhost:4318/v1/traces");
    expect(target({}, collector).url).toBe("http://collector:4318/v1/traces");
    expect(target({ endpoint: "https://otlp.example.org/base/" }, collector).url).toBe(
      "https://otlp.example.org/base/v1/traces",
    );
    const own = { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:4318/in" };
    expect(target({}, own).url).toBe("http://traces:4318/in");
  });

  test("gets the headers of the variables only at the address of the variables", () => {
    const env = { ...collector, OTEL_EXPORTER_OTLP_HEADERS: "api-key=abc%20d,broken" };
    expect(target({ headers: { team: "sheep" } }, env).headers).toEqual({ "api-key": "abc d", team: "sheep" });
    expect(target({ endpoint: "http://other:4318", headers: { team: "sheep" } }, env).headers).toEqual({
      team: "sheep",
    });
    const both = { OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=2", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=%zz" };
    expect(headersFrom(both)).toEqual({ a: "%zz", b: "2" });
  });

  test("has the timeout and the compression of the variables", () => {
    const env = { OTEL_EXPORTER_OTLP_TIMEOUT: "500", OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip" };
    expect(target({}, env)).toMatchObject({ timeoutMs: 500, isCompressed: false });
    const own = { OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "50", OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip" };
    expect(target({}, { ...env, ...own })).toMatchObject({ timeoutMs: 50, isCompressed: true });
    expect(target({}, { OTEL_EXPORTER_OTLP_TIMEOUT: "soon" }).timeoutMs).toBe(10_000);
  });

  test.each(["collector:4318", "ftp://collector", "http://"])("is never %s", (address) => {
    expect(() => target({}, { OTEL_EXPORTER_OTLP_ENDPOINT: address })).toThrow(
      `The OpenTelemetry endpoint "${address}" of OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address.`,
    );
  });

  test("is completed once, also if it has the path of traces", () => {
    const endpoint = "http://collector:4318/v1/traces/";
    expect(target({ endpoint }).url).toBe("http://collector:4318/v1/traces");
    expect(target({}, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).url).toBe("http://collector:4318/v1/traces");
    const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" };
    expect(() => target({}, wrong)).toThrow("Write http://collector:4318");
  });

  test("needs its certificates", () => {
    expect(() => target({}, { OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere/ca.pem" })).toThrow("cannot be read");
  });
});
