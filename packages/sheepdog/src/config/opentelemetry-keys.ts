import { z } from "zod";
import { configKey } from "./config-key.ts";

const text = z.string().min(1);

/** The keys of `[opentelemetry]`. */
export const openTelemetryKeys = z.strictObject({
  enabled: configKey(
    z.boolean().optional(),
    "nothing",
    "Whether runs are sent to an OpenTelemetry collector. Default: true if `endpoint` or a variable such as " +
      "`OTEL_EXPORTER_OTLP_ENDPOINT` is set. `OTEL_SDK_DISABLED=true` always turns it off.",
  ),
  endpoint: configKey(
    z
      .string()
      .regex(/^https?:\/\/\S+$/, "an http or https address")
      .optional(),
    "nothing",
    "The address of the collector, without `/v1/traces`. Default: that of the `OTEL_*` variables, else " +
      "`http://localhost:4318`.",
  ),
  headers: configKey(
    z.record(text, z.string()).default({}),
    "nothing",
    'Headers of each request to the collector, such as `authorization = "Bearer $' +
      '{OTLP_TOKEN}"`. If `endpoint` is ' +
      "set, the headers of the `OTEL_*` variables are not sent.",
  ),
  protocol: configKey(
    z.enum(["http/protobuf", "http/json"]).optional(),
    "nothing",
    "The format. Default: `OTEL_EXPORTER_OTLP_PROTOCOL`, else `http/protobuf`.",
  ),
  capture_content: configKey(
    z.boolean().default(false),
    "nothing",
    "Whether spans have prompts, replies, arguments and results. Secrets are masked.",
  ),
  service_name: configKey(
    text.optional(),
    "nothing",
    "The `service.name` of spans. Default: `OTEL_SERVICE_NAME`, else `sheepdog`.",
  ),
  resource_attributes: configKey(
    z.record(text, z.string()).default({}),
    "nothing",
    'Further attributes of the resource, such as `"deployment.environment.name" = "ci"`. They are added to those of ' +
      "`OTEL_RESOURCE_ATTRIBUTES`.",
  ),
});
