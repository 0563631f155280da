// The settings of the presets: the tables of the overview, and the table of defaults on each page.
import { detectors, levels, limitNames, seeds, stopReasons, watchers } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { defaultOf } from "./configuration.mjs";
import { list, table, wrap } from "./markdown.mjs";
import { pageSentence, presetSentence } from "./sentences.mjs";

const all = Object.values(presets);

/** The page of a detector, and of a limit. */
export const detectorPage = (name) => `docs/guardian/${name}.md`;
export const limitPage = (name) => `docs/guardian/limit-${name}.md`;

/** The detectors with the rungs of the default policy; the rules of the seed systems with those of their own preset. */
export function detectorsTable() {
  const everyDetector = [...detectors, ...watchers, ...seeds];
  return [
    list(everyDetector.map(({ name }) => `[${name}](${name}.md): ${pageSentence(detectorPage(name))}`)),
    table(
      ["detector", ...levels, "stop reason"],
      everyDetector.map(({ name, reason }) => {
        const rungs = all.find((policy) => name in policy.detectors)?.detectors[name] ?? {};
        return [`[${name}](${name}.md)`, ...levels.map((level) => rungs[level] ?? "–"), `\`${reason}\``];
      }),
    ),
  ].join("\n\n");
}

export function limitsTable() {
  return [
    list(limitNames.map((name) => `[${name}](limit-${name}.md): ${pageSentence(limitPage(name))}`)),
    table(
      ["limit", "unit", "set by", "stop reason"],
      limitNames.map((name) => [
        `[${name}](limit-${name}.md)`,
        units[name][0],
        all.flatMap((policy) => (isSet(policy.limits[name]) ? [`\`${policy.name}\``] : [])).join(", ") || "no preset",
        `\`${stopReasons[name]}\``,
      ]),
    ),
  ].join("\n\n");
}

export function presetsTable() {
  return [
    list(all.map(({ name }) => `\`${name}\`: ${presetSentence(name)}`)),
    table(
      ["preset", "mode", "while attended"],
      all.map(({ name, mode, attendedScale }) => [
        `\`${name}\``,
        mode,
        attendedScale === 1 ? "the same" : `block and halt × ${attendedScale}`,
      ]),
    ),
  ].join("\n\n");
}

/** The settings of a detector in each preset. */
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

/** The settings of a limit in each preset. */
export function limitDefaults(name) {
  const [unit, show] = units[name];
  const cell = (amount) => (amount === undefined ? "off" : show(amount));
  const keys = configurationKeys[name].map((key) => `\`${key}\` (default ${defaultOf(key)})`).join(" and ");
  return [
    `Unit: ${unit}. Stop reason: \`${stopReasons[name]}\`.`,
    wrap(`The command line sets this limit with every preset, by ${keys}; 0 is off. ${runtimeSentence(name)}In
      \`@sheepdog/guardian\` it is a part of the policy:`),
    table(
      ["preset", "warn", "stop"],
      byPreset(({ limits }) => [cell(limits[name]?.warn), cell(limits[name]?.stop)]),
    ),
  ].join("\n\n");
}

/** The limits that `createRuntime` sets where a policy has none. */
const limitsOfRuntime = ["turns", "time", "context"];

function runtimeSentence(name) {
  return limitsOfRuntime.includes(name)
    ? "`createRuntime` uses the same defaults where a policy has no such limit. "
    : "";
}

/** A line for each preset; presets with equal settings share one. */
function byPreset(cellsOf) {
  const lines = new Map();
  for (const policy of all) {
    const cells = cellsOf(policy);
    const key = cells.join("|");
    lines.set(key, { cells, names: [...(lines.get(key)?.names ?? []), `\`${policy.name}\``] });
  }
  return [...lines.values()].map(({ cells, names }) => [names.join(", "), ...cells]);
}

/** In `advise` mode the block is a second warning. */
function rungAt({ mode }, rungs, level) {
  if (rungs[level] === undefined) return "–";
  return level === "block" && mode === "advise" ? `${rungs[level]}, as a warning` : rungs[level];
}

function isSet(limit) {
  return limit?.warn !== undefined || limit?.stop !== undefined;
}

/** Settings of a detector besides its rungs. */
const settingsOf = {
  stall: { stallMs: ({ stallMs }) => stallMs },
  spawn: {
    depth: ({ spawn }) => spawn.depth,
    perRun: ({ spawn }) => spawn.perRun,
    perMinute: ({ spawn }) => spawn.perMinute,
  },
};

/** The keys of the configuration that set a limit on the command line. */
const configurationKeys = {
  context: ["agent.guardian.token_budget_soft", "agent.guardian.token_budget_hard"],
  "run-tokens": ["budget.per_run_limit_tokens"],
  "run-cost": ["budget.per_run_limit_cents"],
  "session-cost": ["budget.per_session_limit_cents"],
  "day-cost": ["budget.per_day_limit_cents"],
  "month-cost": ["budget.warning_threshold_cents", "budget.monthly_limit_cents"],
  turns: ["agent.max_turns"],
  time: ["agent.max_duration_secs"],
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
