import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { Seen } from "./observed-run.ts";
import type { Story } from "./story.ts";

const log = "step 3 of 4: waiting for the health check\n";

/** An agent that looks at the same file for ever, whatever it is told. */
export const willNotListen: Story = {
  name: "will_not_listen",
  title: "An agent that will not listen",
  prompt: "Tell me when the deployment is done; deploy.log says how far it is.",
  files: { "deploy.log": log },
  mind,
  isAsMeant: ({ reason }) => reason === "doom_loop",
};

function mind({ last, results, notices }: Seen): ScriptedTurn {
  if (last === undefined) return look("I'll look at the log.");
  if (last.isRefused)
    return last.text.includes("Nearly")
      ? look("I have to see the log.")
      : look("Perhaps by another name.", "./deploy.log");
  return look((notices === 0 ? excuses[results.length - 1] : objections[notices - 1]) ?? "Looking again.");
}

/** Before it was told, and each time after. */
const excuses = ["Not done yet. I'll look again.", "Still not done."];
const objections = ["Yes, but it may be done now.", "I'd rather look once more.", "Looking again."];

function look(text: string, path = "deploy.log"): ScriptedTurn {
  return { text, calls: [{ tool: "read", input: { path } }] };
}
