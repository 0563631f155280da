import type { ServerResponse } from "node:http";
import type { Refusal } from "../fault.ts";
import { describeStatus } from "../status-messages.ts";
import { waitForAbort } from "../wait.ts";
import type { Problem, WireFormat } from "./wire-format.ts";

/** What a refusal is sent with. */
export interface RefusalContext {
  readonly format: WireFormat;
  /** Path and query of the request. */
  readonly path: string;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

const page =
  "<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in to the network</h1></body></html>\n";

/** Answers a request with something other than a stream, or with nothing. */
export async function sendRefusal(fault: Refusal, play: RefusalContext): Promise<void> {
  const { format, response } = play;
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
      response.writeHead(fault.status ?? 307, { location: new URL(play.path, fault.to).href }).end();
      return;
    case "html":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
      return;
    case "no-answer":
      return await waitForAbort(play.signal);
    default:
      return fault satisfies never;
  }
}

/** An HTTP error in the words of the format. */
export function sendProblem(response: ServerResponse, format: WireFormat, problem: Problem): void {
  response
    .writeHead(problem.status, { "content-type": "application/json" })
    .end(JSON.stringify(format.errorBody(problem)));
}
