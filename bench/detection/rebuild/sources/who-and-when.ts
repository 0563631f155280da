import type { Clone } from "../clone.ts";
import { firstCharacters } from "../cut.ts";
import { surferArguments } from "../formats/magentic-one.ts";
import { asList, asObject, asText, type Json } from "../json.ts";
import type { ParsedCall, ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** Who&When: failed runs of teams of agents, written down as one conversation. */
export const whoAndWhen: Source = {
  name: "who-and-when",
  repository: "ag2ai/Agents_Failure_Attribution",
  commit: "f4d2b6da464a826580e59b3a0eae15ea2d642d7c",
  licence: "MIT",
  readRuns,
};

const folder = "Who&When";

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files(folder)) {
    const runId = path.slice(folder.length + 1).replace(/\.json$/, "");
    if (!wanted.has(runId)) continue;
    const recording = await clone.object(blob);
    if (recording === undefined) continue;
    const messages = asList(recording["history"]).map(toMessage);
    const isMagenticOne = runId.startsWith("Hand-Crafted");
    yield {
      runId,
      model: isMagenticOne ? "Magentic-One gpt-4o" : "AG2 CaptainAgent gpt-4o",
      task: asText(recording["question"]),
      outcome: "fail",
      steps: isMagenticOne ? stepsOfMagenticOne(messages) : stepsOfCaptainAgent(messages),
      extra: { mistake_reason: recording["mistake_reason"] ?? null },
    };
  }
}

interface Message {
  readonly agent: string;
  readonly content: string;
  readonly index: number;
}

function toMessage(value: Json, index: number): Message {
  const { name, role, content } = asObject(value);
  return { agent: asText(name) || asText(role), content: asText(content), index };
}

/** The messages of all agents but the orchestrator are calls; its last instruction is their argument. */
function stepsOfMagenticOne(messages: readonly Message[]): readonly ParsedStep[] {
  let instruction = "";
  return messages.flatMap(({ agent, content, index }) => {
    const extra = { agent, historyIndex: index };
    if (agent === "human") return [];
    if (agent.startsWith("Orchestrator")) {
      if (agent.includes("->")) instruction = content;
      return [{ text: content, calls: [], extra }];
    }
    const isError = /^error|traceback|exitcode: [1-9]/im.test(firstCharacters(content, 400));
    const args = surferArguments(agent, content, instruction);
    return [{ text: "", calls: [{ name: agent, args, result: content, isError }], extra }];
  });
}

/** A message of the terminal is the result of the code in the last message of another agent. */
function stepsOfCaptainAgent(messages: readonly Message[]): readonly ParsedStep[] {
  const terminal = "Computer_terminal";
  const steps: { text: string; calls: ParsedCall[]; extra: { agent: string; historyIndex: number } }[] = [];
  for (const { agent, content, index } of messages) {
    const extra = { agent, historyIndex: index };
    if (agent !== terminal) {
      steps.push({ text: content, calls: [], extra });
      continue;
    }
    const author = steps.findLast((step) => step.extra.agent !== terminal);
    const call = {
      name: "execute_code",
      args: { code: codeIn(author?.text ?? "") },
      result: content,
      isError: /exitcode: [1-9]/.test(content),
    };
    if (author !== undefined && author.calls.length === 0) author.calls.push(call);
    else steps.push({ text: "", calls: [call], extra });
  }
  return steps;
}

function codeIn(text: string): string {
  const blocks = text.matchAll(/```(?:python|sh|bash)?\n([\s\S]*?)```/g);
  return Array.from(blocks, ([, code]) => code).join("\n");
}
