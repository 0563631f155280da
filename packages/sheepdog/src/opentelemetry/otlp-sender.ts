import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { gzipSync } from "node:zlib";
import type { OtlpTarget } from "./otlp-target.ts";
import type { OtlpProtocol } from "./settings.ts";

/** Undefined if the collector accepted the data, else why not. */
type SendResult = string | undefined;

/** Sends data to a collector. */
export interface OtlpSender {
  /** Sends it, and again after a wait if that may help. Never rejects. */
  send(data: Uint8Array): Promise<SendResult>;
  /** From now on, nothing is sent a second time. */
  stopRetries(): void;
  /** Ends all requests and waits. Nothing of it keeps the process alive. */
  close(): void;
}

/** Waits before the second and the third attempt. */
const RETRY_MS = [1_000, 3_000];
const MAX_RETRY_AFTER_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
const LATE = "no answer in time";

export function createOtlpSender(target: OtlpTarget, protocol: OtlpProtocol): OtlpSender {
  const url = new URL(target.url);
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ keepAlive: true, ...target.tls }) : new HttpAgent({ keepAlive: true });
  const closing = new AbortController();
  const stopping = new AbortController();

  function post(data: Uint8Array): Promise<Answer> {
    const body = target.isCompressed ? gzipSync(data) : data;
    const options = {
      method: "POST",
      agent,
      headers: {
        ...target.headers,
        "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
        "content-length": body.byteLength,
        ...(target.isCompressed ? { "content-encoding": "gzip" } : {}),
      },
    };
    return new Promise((resolve) => {
      try {
        const sent = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
        const stopWatching = endInTime(sent, closing.signal, target.timeoutMs);
        onAnswer(sent, (answer) => {
          stopWatching();
          resolve(answer);
        });
        sent.end(body);
      } catch (error) {
        resolve({ problem: describe(error), mayPass: false }); // such as a header that cannot be sent
      }
    });
  }

  return {
    async send(data) {
      for (let attempt = 0; ; attempt += 1) {
        const { problem, mayPass, retryAfterMs } = await post(data);
        const wait = RETRY_MS[attempt];
        if (problem === undefined || !mayPass || wait === undefined || stopping.signal.aborted) return problem;
        await waitFor(Math.max(wait, retryAfterMs ?? 0), stopping.signal);
        if (stopping.signal.aborted) return problem;
      }
    },
    stopRetries: () => stopping.abort(),
    close() {
      stopping.abort();
      closing.abort();
      agent.destroy();
    },
  };
}

interface Answer {
  /** Undefined if the data was accepted. */
  readonly problem: string | undefined;
  readonly mayPass: boolean;
  readonly retryAfterMs?: number;
}

function onAnswer(sent: ClientRequest, resolve: (answer: Answer) => void): void {
  sent.on("error", (error) => resolve({ problem: describe(error), mayPass: true }));
  sent.on("response", (response) => {
    const answer = readAnswer(response);
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) response.destroy();
    });
    response.on("close", () => resolve(answer));
    response.on("error", () => resolve(answer));
  });
}

/** Ends the request after a time, or when the sender closes. Returns a function that ends the watch. */
function endInTime(sent: ClientRequest, closing: AbortSignal, ms: number): () => void {
  const timer = setTimeout(end, ms).unref();
  closing.addEventListener("abort", end, { once: true });
  if (closing.aborted) end();
  function end(): void {
    sent.destroy(new Error(LATE));
  }
  return () => {
    clearTimeout(timer);
    closing.removeEventListener("abort", end);
  };
}

/** Redirects are not followed: the data and the headers go to the address that is configured. */
function readAnswer({ statusCode = 0, headers }: IncomingMessage): Answer {
  if (statusCode >= 200 && statusCode < 300) return { problem: undefined, mayPass: false };
  const seconds = Number(headers["retry-after"]);
  const retryAfterMs = seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
  return { problem: `status ${statusCode}`, mayPass: [429, 502, 503, 504].includes(statusCode), retryAfterMs };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** A wait that keeps no process alive. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
