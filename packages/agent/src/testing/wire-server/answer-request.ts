import type { ServerResponse } from "node:http";
import { isRefusal } from "../fault.ts";
import { replySteps } from "../reply-steps.ts";
import type { ScriptPlayer } from "../script-player.ts";
import { pause, type Sleep } from "../wait.ts";
import { playReply } from "./play-reply.ts";
import { sendProblem, sendRefusal } from "./send-refusal.ts";
import type { WireFormat } from "./wire-format.ts";
import type { WireOutcome, WireRequest, WireServerOptions } from "./wire-server.ts";

/** A request and everything needed to answer it. */
export interface Exchange {
  readonly request: WireRequest;
  readonly format: WireFormat;
  readonly response: ServerResponse;
  readonly turnFor: ScriptPlayer<WireRequest>;
  readonly options: WireServerOptions;
  readonly sleep: Sleep;
  /** Aborted when the client disconnects ("left") or the server closes ("closed"). */
  readonly signal: AbortSignal;
}

/** Answers a request with its turn. A mistake in the script becomes a 400 with a sentence about it. */
export async function answerRequest(exchange: Exchange): Promise<WireOutcome> {
  try {
    await playTurn(exchange);
    return "sent";
  } catch (error) {
    const { response, signal } = exchange;
    if (signal.aborted) return signal.reason === "closed" ? "closed" : "left";
    if (response.headersSent) return destroy(response);
    sendProblem(response, exchange.format, {
      status: 400,
      message: error instanceof Error ? error.message : String(error),
    });
    return "sent";
  }
}

/** Handles a write that failed before the disconnect was noticed. */
function destroy(response: ServerResponse): WireOutcome {
  response.destroy();
  return "left";
}

async function playTurn({ request, format, response, turnFor, options, sleep, signal }: Exchange): Promise<void> {
  const turn = await turnFor(request);
  const steps = replySteps(turn, request, options.deltaChars);
  await pause(turn.delayMs, sleep, signal);
  if (turn.fault !== undefined && isRefusal(turn.fault))
    return await sendRefusal(turn.fault, { format, path: request.path, response, signal });
  await playReply(steps, {
    turn,
    head: request,
    format,
    framing: { ...options.framing, ...turn.framing },
    response,
    sleep,
    signal,
  });
}
