// The examples of the pages: scripted runs with the messages of the guardian, quoted from playing them.
import { defaultPolicy, presets } from "@sheepdog/guardian/presets";
import { play } from "@sheepdog/guardian/testing";
import { list, wrap } from "./markdown.mjs";
import { detectorRuns, limitRuns } from "./runs.mjs";

/** The beginning of a page: what an agent does, in words, and the first thing that the guardian says about it. */
export function example(name) {
  const { story } = detectorRuns[name] ?? limitRuns[name];
  const [first] = playExample(name).interventions;
  const calls = first.evidence.length > 0 ? `After call ${first.call + 1}` : "Then";
  return [wrap(story), `${calls} the guardian ${reactionText(first)}:`, wrap(`> ${first.message}`, "> ")].join("\n\n");
}

function reactionText({ effect, denies, isForUser }) {
  if (denies !== undefined) return "refuses the call and tells the model";
  if (isForUser) return "tells the user";
  return { tell: "tells the model", interrupt: "interrupts the reply and tells the model", stop: "ends the run" }[
    effect
  ];
}

/** A run that a detector ends, its interventions, and a similar run without any. */
export function detectorSays(name) {
  const { stop, isConfirmed } = playExample(name);
  const { preset = "default", speaks, silent, silentStory } = detectorRuns[name];
  const { interventions, summary } = play(silent(), { policy: presets[preset] });
  if (interventions.length > 0)
    throw new Error(`Expected no intervention in the silent run of ${name}, got ${summary.join(", ")}`);
  return [
    "The example as a script for tests:",
    code(speaks),
    "The first message of each level, and the first refusal:",
    list(firstOfEachLevel(name).map((each) => `**${each.level}** ${describe(each)}: ${each.message}`)),
    wrap(`${endOf(isConfirmed)} with the reason \`${stop.reason}\`.`),
    wrap(`A similar run without intervention. ${silentStory}`),
    code(silent),
  ].join("\n\n");
}

function endOf(isConfirmed) {
  if (!isConfirmed) return "The run ends";
  return "These calls are only similar: the run ends if a [second opinion](../second-opinion.md) agrees, here";
}

/** The same for a limit. */
export function limitSays(name) {
  const { stop } = playExample(name);
  const { limit, speaks } = limitRuns[name];
  return [
    wrap(`With \`limits: { ${quotedKey(name)}: { warn: ${grouped(limit.warn)}, stop: ${grouped(limit.stop)} } }\`:`),
    code(speaks),
    "The guardian says:",
    list(firstOfEachLevel(name).map((each) => `**${each.level}** (${effectText(each)}): ${each.message}`)),
    `The run ends with the reason \`${stop.reason}\`.`,
  ].join("\n\n");
}

/** The example of a detector or a limit, which no other detector may end. */
function playExample(name) {
  const run = detectorRuns[name] ?? limitRuns[name];
  if (run === undefined) throw new Error(`Expected a run of ${name} in scripts/docs/runs.mjs, found none`);
  const policy =
    run.limit === undefined
      ? presets[run.preset ?? "default"]
      : { ...defaultPolicy, detectors: {}, limits: { [name]: run.limit } };
  const result = playWithOpinion(run.speaks(), policy);
  if (result.stop === undefined || !result.summary.every((each) => each.startsWith(`${name} `)))
    throw new Error(`Expected only ${name} to end its run, got ${result.summary.join(", ") || "nothing"}`);
  return result;
}

/** Plays a run by the rules alone. If they do not end it, a second opinion agrees. */
function playWithOpinion(script, policy) {
  const alone = play(script, { policy });
  if (alone.stop !== undefined) return { ...alone, isConfirmed: false };
  const asking = { ...policy, secondOpinion: "before-force" };
  return { ...play(script, { policy: asking, opinion: () => ({ verdict: "stuck" }) }), isConfirmed: true };
}

/** The first intervention of each level, and the first refusal. */
function firstOfEachLevel(name) {
  const levelOf = ({ id }) => id.split("/")[1];
  return playExample(name).interventions.filter(
    (each, i, all) => i === all.findIndex((other) => levelOf(other) === levelOf(each)),
  );
}

function describe(intervention) {
  return `at count ${Number(intervention.count.toFixed(1))} (${effectText(intervention)})`;
}

function effectText({ effect, denies, isForUser }) {
  if (denies !== undefined) return "deny, in place of the result";
  return isForUser ? `${effect}, for the user only` : effect;
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
