import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { counted, dollars } from "../terminal/amounts.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Played } from "./play-recording.ts";
import type { Stage } from "./stage.ts";

/** What was seen and saved, and what to try next. All figures come from what was just played. */
export function epilogue(all: readonly Played[], recordings: URL, stage: Stage): string[] {
  const { style, width } = stage;
  const seen = all.flatMap((played) => wrap(`${played.run.id}: ${howItWent(played)}`, width - 2).map((line) => `  ${line}`));
  const folder = shortest(fileURLToPath(recordings));
  const next = [`npx sheepdog analyze ${folder}`, `npx sheepdog analyze --explain ${folder}`].map((command) => `  ${style.cyan(command)}`);
  const invitation = wrap("Try next: look back over these recordings, or over your own", width).map(style.bold);
  return ["", style.bold("What the guardian saw"), ...seen, "", ...invitation, ...next];
}

function howItWent(played: Played): string {
  const { interventions, ran, refused, spentUsd, hasRecovered, ended } = played;
  const said = [...new Set(interventions.map((each) => each.level))].join(", ") || "nothing to say";
  const done = `${said}; ${counted(ran, "call")} run${refused === 0 ? "" : `, ${counted(refused, "call")} refused`}, ${dollars(spentUsd)}`;
  if (ended === undefined) return `${done}. ${hasRecovered ? "The run came back on course and finished." : "The run finished."}`;
  const left = played.run.steps.slice(ended.lastStep + 1);
  const calls = left.reduce((sum, step) => sum + step.calls.length, 0);
  const cost = left.reduce((sum, step) => sum + (step.usage?.costUsd ?? 0), 0);
  return `${done}. The run was ended (${ended.stop.reason}). The recording goes on for ${counted(calls, "more call")} and ${dollars(cost)}: saved.`;
}

function shortest(path: string): string {
  const near = relative(process.cwd(), path) || ".";
  const shown = near.length < path.length ? near : path;
  return /\s/.test(shown) ? `"${shown}"` : shown;
}
