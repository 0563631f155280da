// What the presets ask for: the tables of the overview, and the table of defaults on each page.
import { detectors, levels, limitNames, seeds, stopReasons, watchers } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { table } from "./markdown.mjs";
import { detectorSentence, pageSentence, presetSentence } from "./sentences.mjs";

const all = Object.values(presets);

/** The pages there have to be, by what they are about. */
export const detectorPage = (name) => `docs/guardian/${name}.md`;
export const limitPage = (name) => `docs/guardian/limit-${name}.md`;

/** The detectors with the rungs of the default policy; the rules of the seed systems with those of their own preset. */
export function detectorsTable() {
  return table(
    ["detector", "finds", ...levels, "ends the run as"],
    [...detectors, ...watchers, ...seeds].map(({ name, reason }) => {
      const rungs = all.find((policy) => name in policy.detectors)?.detectors[name] ?? {};
      return [
        `[${name}](${name}.md)`,
        detectorSentence(name),
        ...levels.map((level) => rungs[level] ?? "–"),
        `\`${reason}\``,
      ];
    }),
  );
}

export function limitsTable() {
  return table(
    ["limit", "holds", "unit", "set by", "ends the run as"],
    limitNames.map((name) => [
      `[${name}](limit-${name}.md)`,
      pageSentence(limitPage(name)),
      units[name][0],
      all.flatMap((policy) => (isSet(policy.limits[name]) ? [`\`${policy.name}\``] : [])).join(", ") || "no preset",
      `\`${stopReasons[name]}\``,
    ]),
  );
}

export function presetsTable() {
  return table(
    ["preset", "mode", "while attended", "what it is"],
    all.map(({ name, mode, attendedScale }) => [
      `\`${name}\``,
      mode,
      attendedScale === 1 ? "the same" : `block and halt × ${attendedScale}`,
      presetSentence(name),
    ]),
  );
}

/** Preset by preset, what a detector is set to. */
export function detectorDefaults(name) {
  const settings = Object.entries(settingsOf[name] ?? {});
  return table(
    ["preset", ...levels, ...settings.map(([setting]) => setting)],
    byPreset((policy) => {
      const rungs = policy.detectors[name];
      const cells = levels.map((level) => (rungs === undefined ? "off" : rungAt(policy, rungs, level)));
      return [...cells, ...settings.map(([, valueIn]) => (rungs === undefined ? "–" : valueIn(policy)))];
    }),
  );
}

/** Preset by preset, what a limit is set to. */
export function limitDefaults(name) {
  const [unit, show] = units[name];
  const cell = (amount) => (amount === undefined ? "off" : show(amount));
  return [
    `Unit: ${unit}. Reason to stop: \`${stopReasons[name]}\`.`,
    table(
      ["preset", "warn", "stop"],
      byPreset(({ limits }) => [cell(limits[name]?.warn), cell(limits[name]?.stop)]),
    ),
  ].join("\n\n");
}

/** A line for each preset; those that say the same share one. */
function byPreset(cellsOf) {
  const lines = new Map();
  for (const policy of all) {
    const cells = cellsOf(policy);
    const key = cells.join("|");
    lines.set(key, { cells, names: [...(lines.get(key)?.names ?? []), `\`${policy.name}\``] });
  }
  return [...lines.values()].map(({ cells, names }) => [names.join(", "), ...cells]);
}

/** Where calls are never denied, the block speaks as one more warning. */
function rungAt({ mode }, rungs, level) {
  if (rungs[level] === undefined) return "–";
  return level === "block" && mode === "advise" ? `${rungs[level]}, as a warning` : rungs[level];
}

function isSet(limit) {
  return limit?.warn !== undefined || limit?.stop !== undefined;
}

/** What a policy sets for a detector besides its rungs. */
const settingsOf = {
  stall: { stallMs: ({ stallMs }) => stallMs },
  spawn: {
    depth: ({ spawn }) => spawn.depth,
    perRun: ({ spawn }) => spawn.perRun,
    perMinute: ({ spawn }) => spawn.perMinute,
  },
};

const dollars = (nanoUsd) => `$${nanoUsd / 1e9}`;
const money = ["nano-dollars (1,000,000,000 are $1)", dollars];
const units = {
  context: ["percent of the window", (share) => `${share} %`],
  "run-tokens": ["tokens", String],
  "run-cost": money,
  "session-cost": money,
  "day-cost": money,
  "month-cost": money,
  turns: ["turns", String],
  time: ["milliseconds", String],
};
