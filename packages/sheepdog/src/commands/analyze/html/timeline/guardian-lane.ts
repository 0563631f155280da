import type { Level } from "@sheepdog/guardian";
import type { EpisodeFacts, LookBackRun } from "../../../../look-back/look-back-run.ts";
import { counted } from "../../../../render/terminal/amounts.ts";
import { type Html, html } from "../html.ts";
import { endLine, lane } from "./lane.ts";
import { levelName, levelRank } from "./levels.ts";
import type { RunAxis } from "./run-axis.ts";

const HEIGHT = 66;
const STEP = 11;
const MAX_EPISODES = 120;
/** Glyphs closer than this, in percent, would cover each other. */
const GLYPH_PERCENT = 2.4;

/** Each loop as a bar that rises with the level; hatched, since it would have happened. */
export function guardianLane({ episodes }: LookBackRun, axis: RunAxis): Html {
  const shown = episodes.slice(0, MAX_EPISODES);
  const highest = shown
    .flatMap(({ interventions }) => interventions)
    .toSorted((a, b) => levelRank[b.level] - levelRank[a.level] || a.call - b.call)[0];
  if (highest === undefined) return html``;
  const plot = html`
    <svg class="plot" width="100%" height="${HEIGHT}" aria-hidden="true">
      ${shown.flatMap((episode) => episodeSteps(episode, axis))}
      ${endLine(axis, HEIGHT)}
      ${glyphs(shown, axis)}
    </svg>
  `;
  return lane({
    title: "Guardian",
    note: counted(episodes.length, "loop"),
    plot,
    value: levelName[highest.level],
    of: highest.call < 0 ? "would have" : `would have, call ${(highest.call + 1).toLocaleString("en-US")}`,
  });
}

function episodeSteps({ interventions, repeatedCalls }: EpisodeFacts, axis: RunAxis): readonly Html[] {
  const last = Math.max(repeatedCalls.at(-1)?.[1] ?? -1, interventions.at(-1)?.call ?? -1);
  return interventions.map(({ level, call }, index) => {
    const from = axis.after(call);
    const to = axis.after(interventions[index + 1]?.call ?? last);
    const width = Math.max(0.35, to - from).toFixed(3);
    const height = STEP * levelRank[level];
    const y = HEIGHT - height;
    const x = Math.min(from, 99.6);
    return html`
      <g class="${level}">
        <rect fill="url(#h-${level})" x="${x}%" y="${y}" width="${width}%" height="${height}"/>
        <rect class="step-top" x="${x}%" y="${y}" width="${width}%" height="2"/>
      </g>
    `;
  });
}

/** The first level and the last of each loop, as far as there is space. */
function glyphs(episodes: readonly EpisodeFacts[], axis: RunAxis): readonly Html[] {
  const wanted = episodes
    .flatMap(({ interventions }) => interventions)
    .map(({ level, call }) => ({ level, x: Math.min(Math.max(axis.after(call), 0.9), 99.1) }))
    .toSorted((a, b) => levelRank[b.level] - levelRank[a.level] || a.x - b.x);
  const placed: { readonly level: Level; readonly x: number }[] = [];
  for (const glyph of wanted) if (placed.every(({ x }) => Math.abs(x - glyph.x) >= GLYPH_PERCENT)) placed.push(glyph);
  return placed.map(({ level, x }) => {
    const y = HEIGHT - STEP * levelRank[level] - 17;
    return html`
      <svg class="glyph ${level}" x="${x}%" y="${Math.max(0, y)}" width="1" height="15">
        <circle cx="0" cy="7.5" r="8.5"/>
        <use href="#i-${level}" x="-7.5" width="15" height="15"/>
      </svg>
    `;
  });
}
