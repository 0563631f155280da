import { homedir } from "node:os";
import type { Io } from "../../io.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import type { Played } from "./play-story.ts";
import type { Stage } from "./stage.ts";
import { pricedAs } from "./unbilled-stores.ts";

const MORE_TURNS = 20;

/** What the last lines are made of. */
interface Backstage {
  readonly env: Io["env"];
  /** Where the runs are; undefined where they go with the demo. */
  readonly keptIn: string | undefined;
}

/** What was spent and saved, where the runs are kept, and what to try next. All figures come from the runs that were just played. */
export function epilogue(
  all: readonly Played[],
  { style, width }: Stage,
  { env, keptIn }: Backstage,
): readonly string[] {
  const paragraph = (text: string) => plainLines(text, width - 2).map((line) => `  ${line}`);
  const spent = all.reduce((sum, { result }) => sum + (result.costNanoUsd ?? 0), 0);
  return [
    "",
    style.bold(`What was spent: ${usd(spent)}`),
    ...all.flatMap((played, place) => paragraph(`${place + 1}/${all.length} ${howItWent(played)}`)),
    ...paragraph(
      `The model was a script, and nothing was billed: the amounts are by the list price of ${pricedAs}.`,
    ).map(style.dim),
    "",
    style.bold("Try next"),
    ...(keptIn === undefined ? [] : paragraph(`Both runs are kept in ${shortened(keptIn)}.`)),
    ...columns(nextSteps(all, env, keptIn !== undefined), { style, width }),
  ];
}

function howItWent({ result, ran, refused, lastTurnNanoUsd }: Played): string {
  const done = `${counted(result.turns, "turn")}, ${counted(ran, "call")} run${refused === 0 ? "" : `, ${refused} refused`}, ${usd(result.costNanoUsd ?? 0)}`;
  if (result.state === "completed") return `came back on course and finished: ${done}.`;
  const saved = `At the pace of its last turn, ${MORE_TURNS} more would have cost ${usd(lastTurnNanoUsd * MORE_TURNS)}.`;
  return `was ended (${result.reason}): ${done}. ${saved}`;
}

function usd(nanoUsd: number): string {
  return dollars(nanoUsd / 1e9);
}

function shortened(path: string): string {
  return path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path;
}

type Step = readonly [command: string, what: string];

/** Commands as they can be copied from here. */
function nextSteps(all: readonly Played[], env: Io["env"], isKept: boolean): readonly Step[] {
  const sheepdog = env["npm_execpath"] === undefined ? "sheepdog" : "npx sheepdog"; // as it was called
  const last = all.at(-1)?.result.runId ?? "";
  const kept: readonly Step[] = [
    [`${sheepdog} runs`, "what has run"],
    [`${sheepdog} show ${last}`, "the second run, step by step"],
  ];
  return [
    ...(isKept ? kept : []),
    [`${sheepdog} run "Make the tests pass."`, "your own agent (a key or Ollama)"],
    [`${sheepdog} analyze runs.jsonl`, "where other agents were stuck"],
  ];
}

/** Commands stay whole whatever the width; what they do is said where there is room. */
function columns(steps: readonly Step[], { style, width }: Pick<Stage, "style" | "width">): readonly string[] {
  const [left, right] = [0, 1].map((place) => Math.max(...steps.map((step) => widthOf(step[place] ?? ""))));
  const isRoomy = (left ?? 0) + (right ?? 0) + 4 <= width;
  return steps.map(
    ([command, what]) =>
      `  ${style.cyan(isRoomy ? command.padEnd(left ?? 0) : command)}${isRoomy ? `  ${style.dim(what)}` : ""}`,
  );
}
