import { basename } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { firstCharacters, lastCharacters } from "../cut.ts";
import { toArguments } from "../formats/arguments.ts";
import { outcomeOf } from "../formats/outcome.ts";
import { asList, asObject, asText } from "../json.ts";
import type { ParsedCall, ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** AgentErrorBench: questions of GAIA. An action is a block in the text of a reply. */
export const agentErrorBench: Source = {
  name: "agenterrorbench-gaia",
  repository: "mel-hsw/agent-failure-attribution",
  commit: "a308ff8dab6c040a6c6ebf4b199d399144b4fd6c",
  licence: "none stated",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files("data/AgentErrorBench/GAIA")) {
    const runId = basename(path, ".json");
    if (!wanted.has(runId)) continue;
    const recording = await clone.object(blob);
    if (recording === undefined) continue;
    const metadata = asObject(recording["metadata"]);
    const messages = asList(recording["messages"]).map((message) => {
      const { role, content } = asObject(message);
      return { role: asText(role), content: asText(content) };
    });
    yield {
      runId,
      model: asText(metadata["model"]) || (runId.split("_")[0] ?? ""),
      task: /Task: ([\s\S]*?)\n\n/.exec(messages[0]?.content ?? "")?.[1] ?? "",
      outcome: outcomeOf(Boolean(metadata["won"])),
      steps: stepsOfMessages(messages),
    };
  }
}

interface Message {
  readonly role: string;
  readonly content: string;
}

/** The message after a reply has the observation. */
function stepsOfMessages(messages: readonly Message[]): readonly ParsedStep[] {
  return messages.flatMap(({ role, content }, index) =>
    role === "assistant" ? [{ text: content, calls: callsIn(content, messages[index + 1]?.content ?? "") }] : [],
  );
}

const action = /<action>\s*(?:tool|action):\s*(\S+)\s*(?:parameters:\s*([\s\S]*?))?\s*<\/action>/;

function callsIn(reply: string, answer: string): readonly ParsedCall[] {
  const [, name, parameters] = action.exec(reply) ?? [];
  if (name === undefined) return [];
  const result = observationIn(answer);
  const isError = /\berror\b|exception|failed/i.test(firstCharacters(result, 300));
  return [{ name, args: toArguments(parameters || "{}"), result, isError }];
}

/** A phrase before the observation, and a phrase after it if more text follows. */
const observationHeading = /(?:current observation|latest observation)[^\n]*\s*/i;
const nextInstruction = /\n\s*(?:now it|you should|your admissible|now, )/i;

function observationIn(answer: string): string {
  const heading = observationHeading.exec(answer);
  if (heading === null) return lastCharacters(answer, 3000);
  return answer.slice(heading.index + heading[0].length).split(nextInstruction)[0] ?? "";
}
