import type { ServerResponse } from "node:http";
import type { Refusal } from "../fault.ts";
import { describeStatus } from "../status-messages.ts";
import { waitForAbort } from "../wait.ts";
import type { Problem, WireFormat } from "./wire-format.ts";

/** Everything needed to send a refusal. */
export interface RefusalContext {
  readonly format: WireFormat;
  /** Path and query of the request. */
  readonly path: string;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

const page = "<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n";

/** Answers a request without a stream, or does not answer at all. */
export async function sendRefusal(fault: Refusal, context: RefusalContext): Promise<void> {
  const { format, response } = context;
  switch (fault.type) {
    case "status": {
      const retryAfter = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      const body =
        fault.body ??
        JSON.stringify(
          format.errorBody({ status: fault.status, message: fault.message ?? describeStatus(fault.status) }),
        );
      response
        .writeHead(fault.status, { "content-type": "application/json", ...retryAfter, ...fault.headers })
        .end(body);
      return;
    }
    case "context-too-long":
      return sendProblem(response, format, format.contextTooLong);
    case "redirect":
      response.writeHead(fault.status ?? 307, { location: new URL(context.path, fault.to).href }).end();
      return;
    case "html":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
      return;
    case "no-answer":
      return await waitForAbort(context.signal);
    default:
      return fault satisfies never;
  }
}

/** Sends an HTTP error in the format of the provider. */
export function sendProblem(response: ServerResponse, format: WireFormat, problem: Problem): void {
  response
    .writeHead(problem.status, { "content-type": "application/json" })
    .end(JSON.stringify(format.errorBody(problem)));
}
