import { basename } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { firstCharacters } from "../cut.ts";
import { toArguments } from "../formats/arguments.ts";
import type { JsonObject } from "../json.ts";
import type { ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";
import { mastRepository } from "./mast-repository.ts";

/** OpenManus on questions of GAIA, from the MAST collection: one log file a run. */
export const mastOpenManus: Source = { name: "mast-openmanus", ...mastRepository, readRuns };

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files("traces/OpenManus_GAIA")) {
    const runId = basename(path, ".log");
    if (!wanted.has(runId)) continue;
    const log = await clone.text(blob);
    if (log === undefined) continue;
    const messages = messagesOf(log);
    yield { runId, model: "gpt-4o", task: taskOf(messages), outcome: "unknown", steps: stepsOf(messages) };
  }
}

/** The messages of a log. Each begins with "<date> <time> | <level> | <place> - " and may have many lines. */
function messagesOf(log: string): readonly string[] {
  const records = log.split(/\n(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \| )/);
  return records.flatMap((record) => /^\d{4}-\S+ \S+ \| \w+\s*\| \S+ - ([\s\S]*)/.exec(record)?.[1] ?? []);
}

function taskOf(messages: readonly string[]): string {
  const prompt = messages.findLast((message) => message.includes("Read prompt")) ?? "";
  return prompt.slice(prompt.indexOf(":") + 1);
}

interface LoggedCall {
  readonly name: string;
  readonly args: JsonObject;
  result: string;
  isError: boolean | null;
}

function stepsOf(messages: readonly string[]): readonly ParsedStep[] {
  const steps: { text: string; calls: LoggedCall[] }[] = [];
  let names: readonly string[] = [];
  let unanswered: LoggedCall[] = [];
  for (const message of messages) {
    const thoughtsAt = message.indexOf("thoughts:");
    if (thoughtsAt >= 0) steps.push({ text: message.slice(thoughtsAt + "thoughts:".length).trim(), calls: [] });

    const [, prepared] = /Tools being prepared: (\[[^\n]*\])/.exec(message) ?? [];
    if (prepared !== undefined) names = Array.from(prepared.matchAll(/'([^']+)'/g), ([, name = ""]) => name);

    const [, args] = /Tool arguments: ([\s\S]*)/.exec(message) ?? [];
    const step = steps.at(-1);
    if (args !== undefined && step !== undefined) {
      unanswered = names.map((name, index) => toCall(name, index, args));
      step.calls.push(...unanswered);
    }

    const [, name, result] = /Tool '([^']+)' completed its mission! Result: ([\s\S]*)/.exec(message) ?? [];
    if (name !== undefined && result !== undefined) unanswered = answerCall(unanswered, name, result);
  }
  return steps;
}

/** The log has the arguments of the first call of a step only. */
function toCall(name: string, index: number, args: string): LoggedCall {
  return { name, args: index === 0 ? toArguments(args) : { _unlogged: true, i: index }, result: "", isError: null };
}

/** Stores a result in the first call of this tool, or in the first call, and returns the calls without a result. */
function answerCall(unanswered: readonly LoggedCall[], name: string, result: string): LoggedCall[] {
  const call = unanswered.find((waiting) => waiting.name === name) ?? unanswered[0];
  if (call === undefined) return [];
  call.result = result;
  call.isError = /\bError\b/.test(firstCharacters(result, 200));
  return unanswered.filter((waiting) => waiting !== call);
}
