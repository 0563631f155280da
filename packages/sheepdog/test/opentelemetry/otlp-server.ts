import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { decode } from "./protobuf.ts";

/** A value of an attribute: exactly one of the fields. */
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean | number;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
}
interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}

/** A span that the server has received and checked. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector for tests: an HTTP server that decodes OTLP strictly. */
export interface OtlpServer {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly requests: { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  /** What was wrong with the requests. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** How it answers: normally, with a status, or never. */
export type ServerMode = "accept" | "silent" | { readonly status: number };

export async function startOtlpServer(mode: ServerMode = "accept"): Promise<OtlpServer> {
  const received = {
    spans: [] as ReceivedSpan[],
    requests: [] as OtlpServer["requests"],
    problems: [] as string[],
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      received.problems.push(String(error));
      response.writeHead(400).end();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.from(await readText(request.setEncoding("latin1")), "latin1");
    received.requests.push({ path: request.url ?? "", headers: request.headers });
    if (mode === "silent") return;
    if (mode !== "accept") return void response.writeHead(mode.status).end();
    if (request.method !== "POST") throw new Error(`Expected POST, got ${request.method}.`);
    const data = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    const isJson = request.headers["content-type"] === "application/json";
    if (!isJson && request.headers["content-type"] !== "application/x-protobuf") throw new Error("Expected OTLP.");
    if (request.url !== "/v1/traces") throw new Error(`Expected the path of traces, got ${request.url}.`);
    const message: unknown = isJson ? JSON.parse(data.toString()) : decode("ExportTraceServiceRequest", data);
    received.spans.push(...readSpans(message as TraceRequest));
    response.writeHead(200, { "content-type": request.headers["content-type"] ?? "" }).end(isJson ? "{}" : "");
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Resource {
  readonly attributes?: readonly KeyValue[];
}
interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: readonly KeyValue[];
  }[];
  readonly status?: { readonly code?: number };
  readonly droppedAttributesCount?: number;
}

function readSpans({ resourceSpans = [] }: TraceRequest): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, toRecord(resource.attributes)))),
  );
}

/** Checks what the .proto files demand of a span. */
function readSpan(span: WireSpan, resource: Readonly<Record<string, unknown>>): ReceivedSpan {
  const { traceId, spanId, parentSpanId = "", name, kind, startTimeUnixNano: start, endTimeUnixNano: end } = span;
  if (!/^[\da-f]{32}$/.test(traceId) || !/^[\da-f]{16}$/.test(spanId)) throw new Error(`Expected ids of ${name}.`);
  if (!/^(?:[\da-f]{16})?$/.test(parentSpanId)) throw new Error(`Expected a parent of ${name}, got ${parentSpanId}.`);
  if (name === "" || ![1, 2, 3, 4, 5].includes(kind)) throw new Error(`Expected a name and a kind of ${spanId}.`);
  if (BigInt(end) < BigInt(start)) throw new Error(`Expected ${name} to end after its start.`);
  if ((span.droppedAttributesCount ?? 0) > 0) throw new Error(`Expected all attributes of ${name}.`);
  return {
    ...{ traceId, spanId, parentSpanId, name, kind, resource },
    status: span.status?.code ?? 0,
    attributes: toRecord(span.attributes),
    events: (span.events ?? []).map((event) => ({ name: event.name, attributes: toRecord(event.attributes) })),
  };
}

function toRecord(attributes: readonly KeyValue[] = []): Readonly<Record<string, unknown>> {
  const keys = attributes.map(({ key }) => key);
  if (new Set(keys).size !== keys.length || keys.includes("")) throw new Error(`Expected unique keys, got ${keys}.`);
  return Object.fromEntries(attributes.map(({ key, value = {} }) => [key, toValue(value)]));
}

function toValue(value: AnyValue): unknown {
  const [[field, content] = ["", undefined], ...rest] = Object.entries(value);
  if (rest.length > 0 || content === undefined) throw new Error(`Expected one value, got ${JSON.stringify(value)}.`);
  if (field === "arrayValue") return (value.arrayValue?.values ?? []).map(toValue);
  if (field === "boolValue") return content === true || content === 1;
  return field === "intValue" ? Number(content) : content;
}
