import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../home.ts";
import type { ChannelTarget } from "../channel-settings.ts";
import type { NoticeRun, Topic } from "../notice.ts";
import { createPrivateFile, makePrivateFolder, readPrivateFile, writePrivateFile } from "../private-files.ts";

/**
 * What may be answered to one message. Its id is random, is known only to those who got the message, and each of its
 * actions is taken once.
 */
export interface AnswerRequest {
  readonly id: string;
  readonly channel: ChannelTarget;
  readonly run: NoticeRun;
  readonly topic: Topic;
  readonly answerBy?: number;
  /** The message at the vendor, once it is sent: the chat and the id in it. */
  readonly place?: string;
  readonly messageId?: string;
  /** How far its message has come. Absent: it was not tried yet. */
  readonly delivery?: {
    readonly isSent: boolean;
    readonly isRefused?: boolean;
    readonly attempts?: number;
    readonly problem?: string;
  };
}

/** The action that answers the question of a request. */
export const answerAction = "answer";

const requestId = /^[\w-]{22}$/;

/** Stores a request and returns its id. */
export function openRequest(home: Home, request: Omit<AnswerRequest, "id">): string {
  const id = randomBytes(16).toString("base64url");
  const folder = makePrivateFolder(home.dir, "channels", "requests", id);
  writePrivateFile(join(folder, "request.json"), { ...request, id });
  return id;
}

/** Records which message asks, and how far it has come. */
export function noteDelivery(
  home: Home,
  id: string,
  message: Pick<AnswerRequest, "place" | "messageId" | "delivery">,
): void {
  const request = findRequest(home, id);
  if (request !== undefined)
    writePrivateFile(join(requestFolder(home, id), "request.json"), { ...request, ...message });
}

export function findRequest(home: Home, id: string): AnswerRequest | undefined {
  if (!requestId.test(id)) return undefined;
  const value = readPrivateFile(join(requestFolder(home, id), "request.json"));
  return isRequest(value) ? value : undefined;
}

/** The request of the message that somebody replied to. */
export function findRequestByMessage(
  home: Home,
  { account, place, messageId }: { readonly account: string; readonly place: string; readonly messageId: string },
): AnswerRequest | undefined {
  return allRequests(home).find(
    (request) => request.channel.account === account && request.place === place && request.messageId === messageId,
  );
}

export function allRequests(home: Home): readonly AnswerRequest[] {
  try {
    return readdirSync(join(home.channelsDir, "requests")).flatMap((id) => findRequest(home, id) ?? []);
  } catch {
    return []; // there is no request yet
  }
}

/** Takes an action of a request. Returns false if it was taken before, by any process. */
export function claim(home: Home, id: string, action: string): boolean {
  return createPrivateFile(join(requestFolder(home, id), claimName(action)), { at: Date.now() });
}

/** Whether the question of a request is answered, here or elsewhere. */
export function isAnswered(home: Home, id: string): boolean {
  return existsSync(join(requestFolder(home, id), claimName(answerAction)));
}

/** Gives an action back that had no effect. */
export function releaseClaim(home: Home, id: string, action: string): void {
  rmSync(join(requestFolder(home, id), claimName(action)), { force: true });
}

/** Removes the requests of a run: nothing can be answered any more. */
export function closeRequests(home: Home, runId: string): void {
  for (const { id, run } of allRequests(home))
    if (run.runId === runId) rmSync(requestFolder(home, id), { recursive: true, force: true });
}

function requestFolder({ channelsDir }: Home, id: string): string {
  return join(channelsDir, "requests", id);
}

function claimName(action: string): string {
  return `taken-${createHash("sha256").update(action).digest("hex").slice(0, 32)}`;
}

function isRequest(value: unknown): value is AnswerRequest {
  if (typeof value !== "object" || value === null) return false;
  const { id, channel, run, topic } = value as Partial<AnswerRequest>; // each field is checked
  return (
    typeof id === "string" &&
    typeof channel?.account === "string" &&
    Array.isArray(channel.answerFrom) &&
    typeof run?.runId === "string" &&
    typeof topic?.type === "string"
  );
}
