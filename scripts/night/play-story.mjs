// Plays one story in the real runtime: loop, guardian, stores, costs. The model, the tools and the clock are scripted.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createRuntime } from "../../packages/agent/dist/index.js";
import { scriptedModel } from "../../packages/agent/dist/testing/index.js";
import { defaultPolicy } from "../../packages/guardian/dist/index.js";
import { createNightClock } from "./night-clock.mjs";
import { createOutcomes, createScriptedTools } from "./scripted-tools.mjs";

const allow = { tier: 1, decision: "allow", reason: "it is part of the story" };

/**
 * Plays a story into stores. `startAt` is the time of its prompt. A turn of the script is
 * `{ secs, text, calls: [{ tool, input, result, isError, secs }], usage }`, or a function of what is known so far.
 */
export async function playStory(story, { stores, startAt, folder }) {
  const { name, project, prompt, goal, model = "claude-sonnet-4-5", limitUsd = 5, maxContextTokens = 200_000 } = story;
  const clock = createNightClock(startAt, name);
  const outcomes = createOutcomes();
  const workspace = join(folder, project);
  mkdirSync(workspace, { recursive: true });
  let turn = 0;
  let run;
  const known = { clock, turn: () => turn, run: () => run };
  const nextTurn = () => {
    const next = story.script[turn] ?? story.afterLast;
    turn += 1;
    const scripted = typeof next === "function" ? next({ ...known, index: turn - 1 }) : next;
    clock.pass(scripted.secs ?? 6);
    const { calls = [], text, usage } = scripted;
    outcomes.set(calls);
    return {
      text,
      usage: usage ?? { input: 12_000 + turn * 400, output: 180 },
      calls: calls.map(({ tool, input }) => ({ tool, input })),
    };
  };
  const runtime = createRuntime({
    models: [
      scriptedModel([], {
        provider: story.provider ?? "anthropic",
        modelId: model,
        deltaChars: 400,
        afterLast: nextTurn,
        sleep: async () => {},
        ...(story.opinion === undefined ? {} : { opinion: { text: JSON.stringify(story.opinion) } }),
      }),
    ],
    tools: createScriptedTools(clock, outcomes),
    gate: { decide: async () => allow },
    workspace,
    stores,
    clock,
    settings: { maxTurns: 0, maxDurationSecs: 0, maxContextTokens, contextStrategy: "compact" },
    policy: {
      ...defaultPolicy,
      secondOpinion: story.opinion === undefined ? "off" : "before-force",
      limits: {
        ...defaultPolicy.limits,
        "run-cost": { stop: limitUsd * 1e9, warn: limitUsd * 0.8e9 },
        ...story.limits,
      },
    },
    attended: story.answer !== undefined,
    ...(story.answer === undefined
      ? {}
      : {
          askAboutRun: async (question) => {
            clock.pass(20);
            return story.answer(question, known);
          },
        }),
  });
  const sessionId = `ses_${name}0001`;
  run = goal === undefined ? runtime.run(sessionId, prompt) : runtime.runWithGoal(sessionId, prompt, goal);
  story.onRun?.(run, known);
  const result = await run.result;
  return { name, result, endedAt: clock.now() };
}
