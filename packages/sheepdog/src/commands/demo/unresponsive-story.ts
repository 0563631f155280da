import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { ObservedRun } from "./observed-run.ts";
import type { Story } from "./story.ts";

const log = "step 3 of 4: waiting for the health check\n";

/** An agent that reads the same file again and again, whatever the guardian says. */
export const unresponsiveStory: Story = {
  name: "unresponsive",
  title: "An agent that ignores every warning",
  prompt: "Tell me when the deployment is done; deploy.log shows its progress.",
  files: { "deploy.log": log },
  decide,
  isExpected: ({ reason }) => reason === "doom_loop",
};

function decide({ last, results, notices }: ObservedRun): ScriptedTurn {
  if (last === undefined) return readLog("I'll look at the log.");
  if (last.isRefused)
    return last.text.includes("Nearly")
      ? readLog("I have to see the log.")
      : readLog("Perhaps by another name.", "./deploy.log");
  return readLog((notices === 0 ? excuses[results.length - 1] : objections[notices - 1]) ?? "Looking again.");
}

/** Texts before the first notice. */
const excuses = ["Not done yet. I'll look again.", "Still not done."];
/** Texts after each notice. */
const objections = ["Yes, but it may be done now.", "I'd rather look once more.", "Looking again."];

function readLog(text: string, path = "deploy.log"): ScriptedTurn {
  return { text, calls: [{ tool: "read", input: { path } }] };
}
