import type { ServerResponse } from "node:http";
import type { Damage, Interruption } from "../fault.ts";
import type { Framing } from "../framing.ts";
import type { ContentStep, ReplyStep } from "../reply-steps.ts";
import type { ScriptedTurn } from "../script.ts";
import { describeStatus } from "../status-messages.ts";
import { pause, type Sleep, waitForAbort, yieldToEventLoop } from "../wait.ts";
import { badBytesMark, chunksOf, encodeFrame, type Frame } from "./frame.ts";
import type { ReplyHead, WireFormat } from "./wire-format.ts";

/** What a reply is sent with. */
export interface ReplyContext {
  readonly turn: ScriptedTurn;
  readonly head: ReplyHead;
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly response: ServerResponse;
  readonly sleep: Sleep;
  /** Aborted when the client leaves or the server is closed. */
  readonly signal: AbortSignal;
}

const defaultPingMs = 20;

/** Streams a reply, and does to it what its fault says. */
export async function playReply(steps: Iterable<ReplyStep>, play: ReplyContext): Promise<void> {
  const { response, format, turn } = play;
  response.writeHead(200, { "content-type": format.contentType, "cache-control": "no-cache" });
  response.flushHeaders();
  const framesOf = format.writer(play.head);
  if (play.framing.hasBom === true) await send(Buffer.from("\ufeff"), play);
  let damage: Damage["type"] | undefined;
  for (const step of steps) {
    if (step.type === "interruption") return await interrupt(step.fault, play);
    if (turn.fault?.type === "endless") await yieldToEventLoop();
    if (step.type === "delta") await pause(turn.deltaDelayMs, play.sleep, play.signal);
    damage ??= step.type === "delta" ? step.damage : undefined;
    const frames = framesOf(damage === "bad-utf8" ? marked(step) : step);
    for (const frame of frames) await sendFrame(frame, play, damage);
    if (frames.length > 0) damage = undefined;
  }
  response.end();
}

async function interrupt(fault: Interruption, play: ReplyContext): Promise<void> {
  const { response, format } = play;
  switch (fault.type) {
    case "silence":
      return await waitForAbort(play.signal);
    case "pings":
      return await pingForever(fault.everyMs ?? defaultPingMs, play);
    case "error": {
      const status = fault.status ?? 529;
      await sendFrame(format.errorFrame({ status, message: fault.message ?? describeStatus(status) }), play);
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

async function pingForever(everyMs: number, play: ReplyContext): Promise<never> {
  while (true) {
    await yieldToEventLoop();
    await pause(everyMs, play.sleep, play.signal);
    await sendFrame(play.format.ping, play);
  }
}

function marked(step: ContentStep): ContentStep {
  return step.type === "delta" ? { ...step, text: step.text + badBytesMark } : step;
}

async function sendFrame(frame: Frame, play: ReplyContext, damage?: Damage["type"]): Promise<void> {
  await send(encodeFrame(frame, { lineEnd: play.format.lineEnd, ...play.framing }, damage), play);
}

/** Sends bytes, one chunk of the body after the other, each only when the one before is on its way. */
async function send(bytes: Buffer, play: ReplyContext): Promise<void> {
  for (const chunk of chunksOf(bytes, play.framing)) await write(chunk, play);
}

function write(chunk: Buffer, { response, signal }: ReplyContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    response.write(chunk, (error) => {
      signal.removeEventListener("abort", leave);
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}
