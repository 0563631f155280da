// What the guardian says, quoted from playing a scripted run.
import { defaultPolicy, presets } from "@sheepdog/guardian/presets";
import { play } from "@sheepdog/guardian/testing";
import { table } from "./markdown.mjs";
import { detectorRuns, limitRuns } from "./runs.mjs";

/** A run that brings a detector to speak, all it says, and one that looks alike. */
export function detectorSays(name) {
  const { stop } = played(name);
  const { preset = "default", speaks, silent } = detectorRuns[name];
  const quiet = play(silent(), { policy: presets[preset] });
  if (quiet.interventions.length > 0)
    throw new Error(`Expected nothing to be said in the silent run of ${name}, got ${quiet.said.join(", ")}`);
  return [
    code(speaks),
    table(
      ["count", "level", "effect", "message"],
      firstOfEach(name).map((each) => [Number(each.count.toFixed(1)), each.level, effectOf(each), each.message]),
    ),
    `The run ends as \`${stop.reason}\`. This one looks alike, and nothing is said:`,
    code(silent),
  ].join("\n\n");
}

/** The same for a limit. */
export function limitSays(name) {
  const { stop } = played(name);
  const { limit, speaks } = limitRuns[name];
  return [
    `With \`limits: { ${quotedKey(name)}: { warn: ${grouped(limit.warn)}, stop: ${grouped(limit.stop)} } }\`:`,
    code(speaks),
    table(
      ["level", "effect", "message"],
      firstOfEach(name).map((each) => [each.level, effectOf(each), each.message]),
    ),
    `The run ends as \`${stop.reason}\`.`,
  ].join("\n\n");
}

/** The run of a detector or a limit, in which nobody else may name the cause. */
function played(name) {
  const run = detectorRuns[name] ?? limitRuns[name];
  if (run === undefined) throw new Error(`Expected a run of ${name} in scripts/docs/runs.mjs, found none`);
  const policy =
    run.limit === undefined
      ? presets[run.preset ?? "default"]
      : { ...defaultPolicy, detectors: {}, limits: { [name]: run.limit } };
  const came = play(run.speaks(), { policy });
  if (came.stop === undefined || !came.said.every((each) => each.startsWith(`${name} `)))
    throw new Error(`Expected ${name}, and nobody else, to end its run, got ${came.said.join(", ") || "nothing"}`);
  return came;
}

/** Each level once, and the first refusal. */
function firstOfEach(name) {
  const isNew = (each, place, list) =>
    place === list.findIndex((other) => other.id.split("/")[1] === each.id.split("/")[1]);
  return played(name).interventions.filter(isNew);
}

function effectOf({ effect, denies, isForUser }) {
  if (denies !== undefined) return "deny: the refusal itself";
  return isForUser ? `${effect}, people only` : effect;
}

/** The code of a run, as it stands in runs.mjs. */
function code(run) {
  const [first, ...rest] = run
    .toString()
    .replace(/^\(\) =>\s*/, "")
    .split("\n");
  const indent = Math.min(...rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return ["```ts", [first, ...rest.map((line) => line.slice(indent))].join("\n"), "```"].join("\n");
}

function quotedKey(name) {
  return /^\w+$/.test(name) ? name : `"${name}"`;
}

function grouped(amount) {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, "_");
}
