import { answerCallback, type Callback, type CallbackAnswer } from "../../channels/answers/webhook-callback.ts";
import { loadConfig } from "../../config/load-config.ts";
import { createRunPort } from "../../control/index.ts";
import { resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";

/** Applies a signed answer that a program sent to a channel of the type webhook. */
export async function receiveHook(request: Callback, { env, cwd }: Pick<Io, "env" | "cwd">): Promise<CallbackAnswer> {
  const home = resolveHome(env);
  return answerCallback(
    { home, env, port: createRunPort(home), loadConfig: () => loadConfig({ env, cwd, home }), now: Date.now },
    request,
  );
}
