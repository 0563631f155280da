/** A goal: the run ends when a judge accepts the answer, by rules and by the model. */
import { createRuntime, type Goal } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";

const goal: Goal = {
  text: "The user knows what the flock costs.",
  criteria: [
    { type: "OutputContains", text: "$" },
    { type: "Custom", name: "isShort" },
    { type: "LlmJudge", text: "The answer names the number of sheep." },
  ],
  constraints: [{ level: "must", text: "No more than five turns.", rule: { type: "MaxTurns", turns: 5 } }],
};

// The model of the agent answers three times; the judge's model refuses once.
const agent = scriptedModel([
  { text: "The sheep cost a lot." },
  { text: "They cost $900." },
  { text: "12 sheep cost $900." },
]);
const judge = scriptedModel([
  { text: '{"verdict":"retry","hint":"Say how many sheep there are.","criteria":[{"number":3,"met":false}]}' },
  { text: '{"verdict":"accept","criteria":[{"number":3,"met":true}]}' },
]);
const runtime = createRuntime({
  models: [agent],
  judgeModel: judge,
  checks: { isShort: ({ output }) => output.length < 100 || "The answer has to be shorter." },
});

const run = runtime.runWithGoal("ses_1", "What does the flock cost?", goal);
for await (const event of run) {
  if (event.type === "GoalEvaluated") console.log(`score   ${event.score.toFixed(2)} of ${event.threshold}`);
  if (event.type === "JudgeVerdict") console.log(`${event.verdict.padEnd(7)} ${event.reason ?? ""}`.trimEnd());
}
const { reason, text } = await run.result;
console.log(`ended   ${reason}: ${text}`);
