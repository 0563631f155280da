import type { ServerResponse } from "node:http";
import type { Damage, Interruption } from "../fault.ts";
import type { Framing } from "../framing.ts";
import type { ContentStep, ReplyStep } from "../reply-steps.ts";
import type { ScriptedTurn } from "../script.ts";
import { describeStatus } from "../status-messages.ts";
import { pause, type Sleep, waitForAbort, yieldToEventLoop } from "../wait.ts";
import { badBytesMark, chunksOf, encodeFrame, type Frame } from "./frame.ts";
import type { ReplyHead, WireFormat } from "./wire-format.ts";

/** Everything needed to send a reply. */
export interface ReplyContext {
  readonly turn: ScriptedTurn;
  readonly head: ReplyHead;
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly response: ServerResponse;
  readonly sleep: Sleep;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

const defaultPingMs = 20;

/** Streams a reply and applies its fault. */
export async function playReply(steps: Iterable<ReplyStep>, context: ReplyContext): Promise<void> {
  const { response, format, turn } = context;
  response.writeHead(200, { "content-type": format.contentType, "cache-control": "no-cache" });
  response.flushHeaders();
  const framesOf = format.writer(context.head);
  if (context.framing.hasBom === true) await send(Buffer.from("\ufeff"), context);
  let damage: Damage["type"] | undefined;
  for (const step of steps) {
    if (step.type === "interruption") return await interrupt(step.fault, context);
    if (turn.fault?.type === "endless") await yieldToEventLoop();
    if (step.type === "delta") await pause(turn.deltaDelayMs, context.sleep, context.signal);
    damage ??= step.type === "delta" ? step.damage : undefined;
    const frames = framesOf(damage === "bad-utf8" ? withBadBytesMark(step) : step);
    for (const frame of frames) await sendFrame(frame, context, damage);
    if (frames.length > 0) damage = undefined;
  }
  response.end();
}

async function interrupt(fault: Interruption, context: ReplyContext): Promise<void> {
  const { response, format } = context;
  switch (fault.type) {
    case "silence":
      return await waitForAbort(context.signal);
    case "pings":
      return await pingForever(fault.everyMs ?? defaultPingMs, context);
    case "error": {
      const status = fault.status ?? 529;
      await sendFrame(format.errorFrame({ status, message: fault.message ?? describeStatus(status) }), context);
      response.end();
      return;
    }
    case "eof":
      response.end();
      return;
    case "cut":
      response.socket?.destroy();
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    default:
      return fault satisfies never;
  }
}

async function pingForever(everyMs: number, context: ReplyContext): Promise<never> {
  while (true) {
    await yieldToEventLoop();
    await pause(everyMs, context.sleep, context.signal);
    await sendFrame(context.format.ping, context);
  }
}

function withBadBytesMark(step: ContentStep): ContentStep {
  return step.type === "delta" ? { ...step, text: step.text + badBytesMark } : step;
}

async function sendFrame(frame: Frame, context: ReplyContext, damage?: Damage["type"]): Promise<void> {
  await send(encodeFrame(frame, { lineEnd: context.format.lineEnd, ...context.framing }, damage), context);
}

/** Sends bytes in chunks, each after the previous one was written. */
async function send(bytes: Buffer, context: ReplyContext): Promise<void> {
  for (const chunk of chunksOf(bytes, context.framing)) await write(chunk, context);
}

function write(chunk: Buffer, { response, signal }: ReplyContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    response.write(chunk, (error) => {
      signal.removeEventListener("abort", abort);
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}
