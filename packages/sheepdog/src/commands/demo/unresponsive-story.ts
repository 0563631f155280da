import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { ObservedRun } from "./observed-run.ts";
import type { Story } from "./story.ts";

/** Long enough that a turn costs what a turn of a real agent costs; the backup's line has a name of its own. */
const settings = ["users", "invoices", "photos", "backup", "search", "mail"]
  .flatMap((service) => [`[${service}]`, ...Array.from({ length: 60 }, (_, index) => settingLine(service, index)), ""])
  .join("\n");

function settingLine(service: string, index: number): string {
  return index === 41 ? "patience = 30" : `${service}-worker-${index} = { memory = 512, restart = true }`;
}

/** An agent that guesses the name of a setting, and rewords its guess whatever the guardian says. */
export const unresponsiveStory: Story = {
  name: "unresponsive",
  title: "An agent that rewords an edit that cannot work",
  prompt: "The backup gives up after 30 seconds. Change that to 60 in settings.ini.",
  files: { "settings.ini": settings },
  decide,
  opinion: { verdict: "stuck", advice: "Search the settings for 30 in place of guessing the name" },
  isExpected: ({ reason }) => reason === "tool_failures",
};

function decide({ last, results }: ObservedRun): ScriptedTurn {
  if (last === undefined)
    return { text: "I'll read the settings first.", calls: [{ tool: "read", input: { path: "settings.ini" } }] };
  if (last.tool !== "edit" && last.isError) return { text: `I could not read it: ${last.text}` };
  const guess = guesses[(results.length - 1) % guesses.length] ?? firstGuess;
  return { text: guess.text, calls: [{ tool: "edit", input: { path: "settings.ini", ...guess.edit } }] };
}

const firstGuess = { text: "I remember the line.", edit: replacing("backup_timeout = 30") };
/** None of these lines is in the file. */
const guesses = [
  firstGuess,
  { text: "Perhaps without spaces.", edit: replacing("backup_timeout=30") },
  { text: "With a colon, then.", edit: replacing("backup_timeout: 30") },
  { text: "It must be in capital letters.", edit: replacing("BACKUP_TIMEOUT = 30") },
  { text: "Or with a hyphen.", edit: replacing("backup-timeout = 30") },
  { text: "One of these has to fit.", edit: replacing("backup_timeout = 30") },
];

function replacing(old: string): { readonly old: string; readonly new: string } {
  return { old, new: old.replace("30", "60") };
}
