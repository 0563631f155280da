import { contractOf, type HookOutput, hookContracts } from "@sheepdog/integrations/hooks";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { buildMark } from "../../hook/build-mark.ts";
import { compileSettings } from "../../hook/compile-settings.ts";
import { LOCK_WAIT_MS } from "../../hook/hook-process.ts";
import { interruptAgent } from "../../hook/interrupt-agent.ts";
import { emptyOutput, eventFolder, processHook, unansweredOutput } from "../../hook/process-hook.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** The options of `sheepdog hook`. */
export interface HookOptions {
  readonly observe?: true;
}

/** Makes the settings of hooks, which are missing or old, and answers the event. */
export async function hookCommand(agent: string, { observe = undefined }: HookOptions, io: Io): Promise<number> {
  const contract = contractOf(agent);
  if (contract === undefined) {
    const known = hookContracts.map((each) => each.agent).join(", ");
    await writeMessage(io, `there is no agent "${plainText(agent)}"; agents with hooks are ${known}`);
    return exitCode.failed; // not 2, which agents take for a refusal
  }
  const { env, cwd } = io;
  const home = resolveHome(env);
  const build = buildMark();
  const request = { contract, text: await readAll(io.stdin), isObserving: observe === true, env, cwd };
  const context = { home, build, now: Date.now, waitMs: LOCK_WAIT_MS };
  const output = await answer();
  if (output.stdout !== "") await write(io.stdout, output.stdout);
  if (output.stderr !== undefined) await write(io.stderr, output.stderr);
  if (output.interrupt !== undefined) interruptAgent(output.interrupt, process.ppid);
  return output.exitCode;

  /** Answers, and makes the settings before that if they are missing, or lack the prices of models. */
  async function answer(): Promise<HookOutput> {
    let output = processHook(request, context);
    for (let tries = 0; "missingModels" in output && tries < MAX_TRIES; tries++) {
      try {
        await compileSettings(home, { cwd: eventFolder(request), env, build }, output.missingModels);
      } catch (error) {
        return unansweredOutput(request, error); // as in a home that cannot be written
      }
      output = processHook(request, context);
    }
    return "missingModels" in output ? emptyOutput(request.contract) : output;
  }
}

/** Settings are made for the configuration, and again for the models that the recording then names. */
const MAX_TRIES = 3;

async function readAll(stdin: Io["stdin"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
