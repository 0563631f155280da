import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { RunPort } from "../../control/run-port.ts";
import type { Home } from "../../home.ts";
import type { Io } from "../../io.ts";
import { type ChannelSettings, readChannels } from "../channel-settings.ts";
import { createPrivateFile, makePrivateFolder } from "../private-files.ts";
import { applyAnswer, type IncomingAnswer } from "./apply-answer.ts";
import { signatureProblem, toleranceMs } from "./signature.ts";

/** A signed answer as it arrives at `serve`. */
export interface Callback {
  /** The name of the channel. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface CallbackContext {
  readonly home: Home;
  readonly env: Io["env"];
  readonly port: Pick<RunPort, "send">;
  readonly loadConfig: () => Promise<LoadedConfig>;
  readonly now: () => number;
}

/** What the sender gets: a status of HTTP and a sentence. */
export interface CallbackAnswer {
  readonly status: number;
  readonly isDone: boolean;
  readonly text: string;
}

const callbackSchema = z.object({
  request: z.string(),
  action: z.enum(["approve", "deny", "continue", "stop", "tell", "raise", "reply"]),
  text: z.string().max(10_000).optional(),
  sender: z.string().min(1).max(200),
});

/** Applies the answer of a program: signed with the secret of the channel, not older than minutes, and each once. */
export async function answerCallback(context: CallbackContext, callback: Callback): Promise<CallbackAnswer> {
  const { home, port, now } = context;
  const channel = await findChannel(context, callback.name);
  const { secret } = channel?.secrets ?? {};
  if (channel === undefined || secret === undefined)
    return refused(404, "There is no webhook with a secret and answer_from of this name.");
  const problem = signatureProblem(callback.body, callback.headers, { now: now(), secret });
  if (problem !== undefined) return refused(401, problem);
  const id = callback.headers["webhook-id"] ?? "";
  if (!isNew(home, `${channel.account} ${id}`, now())) return refused(409, "This message was received before.");
  const read = callbackSchema.safeParse(parseJson(callback.body));
  if (!read.success)
    return refused(400, "The body needs request, action and sender; action is one of approve, deny, continue, stop, …");
  const mayAnswer = (sender: string) => channel.answerFrom.includes(sender);
  const { isApplied, text } = await applyAnswer({ home, port, now, mayAnswer }, incoming(channel, id, read.data));
  return { status: isApplied ? 200 : 409, isDone: isApplied, text };
}

function incoming({ account }: ChannelSettings, id: string, sent: z.infer<typeof callbackSchema>): IncomingAnswer {
  const { request: requestId, action, text, sender } = sent;
  const known = { account, type: "webhook", messageId: id, sender, place: "", requestId, action };
  return text === undefined ? known : { ...known, text };
}

async function findChannel({ env, loadConfig }: CallbackContext, name: string): Promise<ChannelSettings | undefined> {
  const loaded = await loadConfig();
  if (!loaded.ok) return undefined;
  return readChannels(loaded.config, env).channels.find(
    (channel) => channel.name === name && channel.type === "webhook" && channel.answerFrom.length > 0,
  );
}

/** Remembers the id of a message for as long as its signature is valid. */
function isNew(home: Home, id: string, now: number): boolean {
  const folder = makePrivateFolder(home.dir, "channels", "received");
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = now } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > 3 * toleranceMs) rmSync(path, { force: true });
  }
  return createPrivateFile(join(folder, createHash("sha256").update(id).digest("hex")), {});
}

function refused(status: number, text: string): CallbackAnswer {
  return { status, isDone: false, text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses it
  }
}
