import { forkSession, type Run, type Stores } from "@sheepdog/agent";
import { newSessionId } from "../../../compose/ids.ts";
import { limitUnits } from "../../../config/policy/limit-units.ts";
import { dollars } from "../../../render/terminal/amounts.ts";
import { percent } from "../../../render/terminal/percent.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import type { ChatStore } from "../chat-store.ts";
import { type CommandName, commands } from "./commands.ts";
import type { McpHost } from "./mcp-commands.ts";
import { sessionChanges } from "./session-changes.ts";
import { exportToFile } from "./session-export.ts";

/** What a command can use. */
export interface CommandHost extends McpHost {
  readonly store: ChatStore;
  readonly stores: Stores;
  readonly sessionId: string;
  readonly cwd: string;
  /** The current run. */
  readonly run: Run | undefined;
  open(sessionId: string): Promise<void>;
  openNew(): Promise<void>;
  choose(): Promise<void>;
  /** Resumes the last run, or runs a prompt again. */
  retry(prompt?: string): Promise<void>;
  mute(scope: { readonly detector?: string; readonly tool?: string }): void;
  setRunLimit(nanoUsd: number): void;
  changeModel(model: string): Promise<void>;
  clear(): void;
  leave(): void;
}

const NANO = 1_000_000_000;
/** Commands that replace the session or the model, which is not possible during a run. */
const onlyBetweenRuns: readonly CommandName[] = ["new", "sessions", "fork", "retry", "model"];

/** Performs a command. */
export async function performCommand(name: CommandName, argument: string, host: CommandHost): Promise<void> {
  const hint = (text: string) => host.store.dispatch({ type: "hint", text });
  if (host.run !== undefined && onlyBetweenRuns.includes(name) && !(name === "model" && argument === ""))
    return hint(`/${name} is not possible during a run; Esc stops the run.`);
  switch (name) {
    case "help":
      return host.say(help());
    case "new":
      return host.openNew();
    case "sessions":
      return host.choose();
    case "fork":
      return fork(host);
    case "retry":
      return retry(host, hint);
    case "cost":
      return cost(host);
    case "diff":
      return showDiff(host);
    case "context":
      return context(host);
    case "budget":
      return host.say(budget(argument, host), "dim");
    case "mute":
      return mute(argument, host, hint);
    case "model":
      return argument === "" ? host.say(`The model is ${host.store.get().session.model}.`) : host.changeModel(argument);
    case "mcp":
      return (await import("./mcp-commands.ts")).mcpCommand(argument, host);
    case "export":
      return host.say(await exportToFile(argument, host));
    case "clear":
      return host.clear();
    case "quit":
      return host.leave();
    default:
      return name satisfies never;
  }
}

const keys = [
  ["Enter", "send; during a run: queue the prompt"],
  ["Ctrl-J, \\ Enter", "a new line"],
  ["Ctrl-S, Alt-Enter", "send to the running agent, which reads it after its turn"],
  ["Esc, Ctrl-C", "stop the run; Ctrl-C twice leaves"],
  ["Up, Down", "take back the queue; earlier prompts"],
  ["Ctrl-G", "why the guardian intervened, and mute it"],
  ["Ctrl-L", "clear the screen"],
  ["Ctrl-Z", "suspend; fg resumes"],
  ["Ctrl-A E W U K", "move and delete as in a shell"],
] as const;

function help(): string {
  const line = ([name, description]: readonly [string, string]) => `  ${name.padEnd(18)} ${description}`;
  return [
    "Commands:",
    ...Object.entries(commands).map(([name, description]) => line([`/${name}`, description])),
    line(["!command", "run a command in the shell; the agent does not see it"]),
    "Keys:",
    ...keys.map(line),
  ].join("\n");
}

async function fork({ stores, sessionId, say, open }: CommandHost): Promise<void> {
  const to = newSessionId();
  try {
    await forkSession(stores, { from: sessionId, to, at: Date.now() });
  } catch (error) {
    return say(error instanceof Error ? error.message : String(error), "warning");
  }
  await open(to);
}

async function retry(host: CommandHost, hint: (text: string) => void): Promise<void> {
  const lastRun = (await host.stores.sessions.load(host.sessionId)).runs.at(-1);
  if (lastRun === undefined) return hint("There is no prompt to retry yet.");
  return lastRun.state === "completed" ? host.retry(lastRun.prompt) : host.retry();
}

async function cost({ stores, sessionId, say, store }: CommandHost): Promise<void> {
  const { session, day, month, dayName, monthName } = await stores.costs.totals(sessionId, Date.now());
  const unpriced = (await stores.costs.sums("model", { sessionId })).filter(({ unpricedTokens }) => unpricedTokens > 0);
  const { limits } = store.get().session;
  const amount = (nanoUsd: number, limit: number | undefined) =>
    `${dollars(nanoUsd / NANO)}${limit ? ` of ${dollars(limit / NANO)}` : ""}`;
  say(
    [
      `This session: ${amount(session, limits["session-cost"]?.stop)}`,
      `${dayName} (UTC): ${amount(day, limits["day-cost"]?.stop)}`,
      `${monthName}: ${amount(month, limits["month-cost"]?.stop)}`,
      ...unpriced.map(
        ({ key, unpricedTokens }) => `Without a price: ${unpricedTokens.toLocaleString("en-US")} tokens of ${key}`,
      ),
    ].join("\n"),
  );
}

async function showDiff({ stores, sessionId, store, say }: CommandHost): Promise<void> {
  const changes = await sessionChanges(stores, sessionId);
  if (changes.length === 0) return say("No file was changed with edit or write in this session.");
  for (const entry of changes) store.dispatch({ type: "say", entry });
  say("Changes that commands made are not in this list.", "dim");
}

function context({ store, say }: CommandHost): void {
  const { meter, session } = store.get();
  const [used, max] = [meter.contextTokens, session.maxContextTokens].map((count) => count.toLocaleString("en-US"));
  say(`The context has ${used} of ${max} tokens (${percent(meter.contextTokens, session.maxContextTokens)}).`);
}

/** Sets the limit in dollars for this run and later ones; 0 removes it. Returns what to say about it. */
function budget(argument: string, { setRunLimit, store }: CommandHost): string {
  const limit = store.get().session.limits["run-cost"]?.stop ?? 0;
  if (argument === "")
    return limit > 0
      ? `The cost limit of a run is ${dollars(limit / NANO)}.`
      : "A run has no cost limit. /budget 2.50 sets one.";
  const amount = argument.replace(/^\$/, "");
  const nanoUsd = /^0(?:\.0*)?$/.test(amount) ? 0 : limitUnits["run-cost"].read(`$${amount}`);
  if (nanoUsd === undefined) return "The limit must be in dollars, as in /budget 2.50; 0 removes it.";
  setRunLimit(nanoUsd);
  return nanoUsd === 0
    ? "A run now has no cost limit."
    : `The cost limit of a run was changed to ${dollars(nanoUsd / NANO)}.`;
}

function mute(argument: string, { store, mute }: CommandHost, hint: (text: string) => void): void {
  const newest = store.get().interventions.at(-1);
  if (newest === undefined) hint("The guardian has not intervened yet.");
  else if (isLimit(newest.detector)) hint("A limit cannot be muted; /budget changes the cost limit of a run.");
  else mute({ detector: newest.detector, ...(argument === "" ? {} : { tool: argument }) });
}
