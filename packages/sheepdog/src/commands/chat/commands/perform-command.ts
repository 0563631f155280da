import { forkSession, type Run, type Stores } from "@sheepdog/agent";
import { newSessionId } from "../../../compose/ids.ts";
import { limitUnits } from "../../../config/policy/limit-units.ts";
import { dollars } from "../../../render/terminal/amounts.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import type { ChatStore } from "../chat-store.ts";
import { type CommandName, commands } from "./commands.ts";
import { exportTo } from "./export-to.ts";

/** What commands can do. */
export interface CommandHost {
  readonly store: ChatStore;
  readonly stores: Stores;
  readonly sessionId: string;
  readonly cwd: string;
  /** The one that goes on. */
  readonly run: Run | undefined;
  say(text: string, tone?: "plain" | "dim" | "warning"): void;
  open(sessionId: string): Promise<void>;
  openNew(): Promise<void>;
  choose(): Promise<void>;
  /** Goes on with the last run, or makes a prompt again. */
  again(prompt?: string): Promise<void>;
  mute(what: { readonly detector?: string; readonly tool?: string }): void;
  setRunLimit(nanoUsd: number): void;
  changeModel(model: string): Promise<void>;
  clear(): void;
  leave(): void;
}

const NANO = 1_000_000_000;
/** They take the session away from under a run. */
const onlyBetweenRuns: readonly CommandName[] = ["new", "sessions", "fork", "retry", "model"];

/** Does what a command asks for. */
export async function performCommand(name: CommandName, argument: string, host: CommandHost): Promise<void> {
  const hint = (text: string) => host.store.dispatch({ type: "hint", text });
  if (host.run !== undefined && onlyBetweenRuns.includes(name) && !(name === "model" && argument === ""))
    return hint(`/${name} waits until the run is over; Esc stops it.`);
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
    case "context":
      return context(host);
    case "budget":
      return host.say(budget(argument, host), "dim");
    case "mute":
      return mute(argument, host, hint);
    case "model":
      return argument === "" ? host.say(`The model is ${host.store.get().place.model}.`) : host.changeModel(argument);
    case "export":
      return host.say(await exportTo(argument, host));
    case "clear":
      return host.clear();
    case "quit":
      return host.leave();
    default:
      return name satisfies never;
  }
}

const keys = [
  ["Enter", "send; while a run goes on: queue it for after"],
  ["Ctrl-J, \\ Enter", "a new line"],
  ["Ctrl-S, Alt-Enter", "say it to the agent now; heard at the end of its turn"],
  ["Esc, Ctrl-C", "stop the run in good order; Ctrl-C twice leaves"],
  ["Up, Down", "take the queue back; what was typed before"],
  ["Ctrl-G", "why the guardian spoke, and mute it"],
  ["Ctrl-L", "clear the screen"],
  ["Ctrl-Z", "leave it for the shell; fg comes back"],
  ["Ctrl-A E W U K", "move and delete as in a shell"],
] as const;

function help(): string {
  const line = ([what, does]: readonly [string, string]) => `  ${what.padEnd(18)} ${does}`;
  return [
    "Commands:",
    ...Object.entries(commands).map(([name, does]) => line([`/${name}`, does])),
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

async function retry({ stores, sessionId, again }: CommandHost, hint: (text: string) => void): Promise<void> {
  const last = (await stores.sessions.load(sessionId)).runs.at(-1);
  if (last === undefined) return hint("Nothing was asked yet.");
  return last.state === "completed" ? again(last.prompt) : again();
}

async function cost({ stores, sessionId, say, store }: CommandHost): Promise<void> {
  const { session, day, month, dayName, monthName } = await stores.costs.totals(sessionId, Date.now());
  const unpriced = (await stores.costs.sums("model", { sessionId })).filter(({ unpricedTokens }) => unpricedTokens > 0);
  const { limits } = store.get().place;
  const amount = (nanoUsd: number, limit: number | undefined) =>
    `${dollars(nanoUsd / NANO)}${limit ? ` of ${dollars(limit / NANO)}` : ""}`;
  say(
    [
      `This session: ${amount(session, limits["session-cost"]?.stop)}`,
      `${dayName} (UTC): ${amount(day, limits["day-cost"]?.stop)}`,
      `${monthName}: ${amount(month, limits["month-cost"]?.stop)}`,
      ...unpriced.map(
        ({ key, unpricedTokens }) =>
          `Without a known price: ${unpricedTokens.toLocaleString("en-US")} tokens of ${key}`,
      ),
    ].join("\n"),
  );
}

function context({ store, say }: CommandHost): void {
  const { meter, place } = store.get();
  const share = Math.round((100 * meter.contextTokens) / place.maxContextTokens);
  say(
    `The last request and its reply have ${meter.contextTokens.toLocaleString("en-US")} of ${place.maxContextTokens.toLocaleString("en-US")} tokens (${share}%).`,
  );
}

/** The amount in dollars; 0 for none. It holds for this run and those that follow here. Gives back what to say about it. */
function budget(argument: string, { setRunLimit, store }: CommandHost): string {
  const limit = store.get().place.limits["run-cost"]?.stop ?? 0;
  if (argument === "")
    return limit > 0
      ? `A run may cost ${dollars(limit / NANO)}.`
      : "A run may cost as much as it takes. /budget 2.50 sets a limit.";
  const amount = argument.replace(/^\$/, "");
  const nanoUsd = /^0(?:\.0*)?$/.test(amount) ? 0 : limitUnits["run-cost"].read(`$${amount}`);
  if (nanoUsd === undefined) return "It must be dollars, as in /budget 2.50; 0 for no limit.";
  setRunLimit(nanoUsd);
  return nanoUsd === 0
    ? "From now on a run may cost as much as it takes."
    : `From now on a run may cost ${dollars(nanoUsd / NANO)}.`;
}

function mute(argument: string, { store, mute }: CommandHost, hint: (text: string) => void): void {
  const newest = store.get().interventions.at(-1);
  if (newest === undefined) hint("The guardian has said nothing yet.");
  else if (isLimit(newest.detector)) hint("A limit is not muted; /budget sets that of a run anew.");
  else mute({ detector: newest.detector, ...(argument === "" ? {} : { tool: argument }) });
}
