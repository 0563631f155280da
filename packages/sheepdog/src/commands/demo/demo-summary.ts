import { homedir } from "node:os";
import type { Io } from "../../io.ts";
import { programName } from "../../program-name.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { pricedModel } from "./demo-price.ts";
import type { DemoScreen } from "./demo-screen.ts";
import { nightOf } from "./night.ts";
import type { StoryOutcome } from "./play-story.ts";

interface SummaryContext {
  readonly env: Io["env"];
  /** The folder with the saved runs; undefined if they are removed with the demo. */
  readonly savedIn: string | undefined;
  /** The user has a configuration file, which `init` would not replace. */
  readonly isConfigured: boolean;
}

/** The saving, the costs, where the runs are saved, and what to try next. All figures come from these runs. */
export function demoSummary(
  outcomes: readonly StoryOutcome[],
  { style, width }: DemoScreen,
  context: SummaryContext,
): readonly string[] {
  const { savedIn } = context;
  const paragraph = (text: string) => plainLines(text, width - 2).map((line) => `  ${line}`);
  return [
    "",
    ...outcomes.flatMap(savingTexts).flatMap((text) => plainLines(text, width).map(style.bold)),
    ...outcomes.flatMap(extrapolationTexts).flatMap(paragraph),
    ...outcomes.flatMap((outcome, index) => paragraph(`${index + 1}/${outcomes.length} ${outcomeText(outcome)}`)),
    ...paragraph(
      "The model is a script and nothing was billed. " +
        `All costs use the list price of ${pricedModel}, without a prompt cache.`,
    ).map(style.dim),
    "",
    style.bold("Try next"),
    ...(savedIn === undefined ? [] : paragraph(`Both runs are saved in ${shortPath(savedIn)}, marked as demo.`)),
    ...stepLines(nextSteps(context), { style, width }),
  ];
}

/** What the run that was stopped would have cost in a night, and what it did cost. */
function savingTexts({ result, lastTurnNanoUsd }: StoryOutcome): readonly string[] {
  if (result.state === "completed") return [];
  const { from, to, costNanoUsd } = nightOf(lastTurnNanoUsd);
  return [
    `Without a guardian this loop would run from ${from} to ${to} and cost ${usd(costNanoUsd)}. ` +
      `Sheepdog ended it at ${usd(result.costNanoUsd ?? 0)}.`,
  ];
}

function extrapolationTexts({ result, lastTurnNanoUsd }: StoryOutcome): readonly string[] {
  if (result.state === "completed") return [];
  const { turns, turnsPerMinute } = nightOf(lastTurnNanoUsd);
  return [
    `This is extrapolated: ${counted(turns, "turn")} at an assumed ${turnsPerMinute} a minute, ` +
      `each at the cost of the last turn of this run (${usd(lastTurnNanoUsd)}).`,
  ];
}

function outcomeText({ result, ran, refused }: StoryOutcome): string {
  const calls = `${counted(ran, "call")} run${refused === 0 ? "" : `, ${refused} refused`}`;
  const ending = result.state === "completed" ? "recovered and finished" : `was stopped (${result.reason})`;
  return `${ending}: ${counted(result.turns, "turn")}, ${calls}, ${usd(result.costNanoUsd ?? 0)}.`;
}

function usd(nanoUsd: number): string {
  return dollars(nanoUsd / 1e9);
}

function shortPath(path: string): string {
  return path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path;
}

type Step = readonly [command: string, description: string];

/** Commands that work at once: without a model, without files of the user. */
function nextSteps({ env, savedIn, isConfigured }: SummaryContext): readonly Step[] {
  const program = programName(env);
  const savedRunSteps: readonly Step[] = [
    [`${program} runs`, "list all runs"],
    [`${program} show last`, "the second run, step by step"],
  ];
  return [
    ...(savedIn === undefined ? [] : savedRunSteps),
    isConfigured
      ? [`${program} --help`, "all commands"]
      : [`${program} init`, "choose a model; then your own agent can run"],
    ...(savedIn === undefined ? [] : [[`${program} serve`, "see both runs in the browser"] as const]),
  ];
}

/** Commands are never cut; the descriptions are shown if all of them fit. */
function stepLines(steps: readonly Step[], { style, width }: Pick<DemoScreen, "style" | "width">): readonly string[] {
  const widest = (column: 0 | 1) => Math.max(...steps.map((step) => widthOf(step[column])));
  const commandWidth = widest(0);
  const fits = commandWidth + widest(1) + 4 <= width;
  return steps.map(([command, description]) =>
    fits ? `  ${style.cyan(command.padEnd(commandWidth))}  ${style.dim(description)}` : `  ${style.cyan(command)}`,
  );
}
