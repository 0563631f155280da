import { basename } from "node:path";
import { isObject } from "../../trajectory/parse-json.ts";
import type { CountingNotes, RecordedRun } from "../../trajectory/recorded-run.ts";
import { clipText } from "../clip.ts";
import { countingNotes, countWithoutUsage } from "../counting-notes.ts";
import { listField, objectField, optional, textField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader } from "../reader.ts";
import { createStepList } from "../step-list.ts";
import { functionCalls, functionResponses, partsText } from "./parts.ts";

/** Reads what gemini-cli saves before a change of a file: the history so far, and the call that it is about to run. */
export const geminiCheckpointReader: DocumentReader = {
  type: "document",
  format: "gemini-cli",
  label: "gemini-cli checkpoint",
  recognizes: (document) =>
    isObject(document) &&
    typeof objectField(document["toolCall"])["name"] === "string" &&
    (Array.isArray(document["clientHistory"]) || Array.isArray(document["history"])),
  *read(document, file) {
    const { clientHistory, toolCall, messageId } = objectField(document);
    const { steps, task, counting } = readHistory(listField(clientHistory), objectField(toolCall));
    // A prompt's id is that of its session with the number of the prompt: "<session>########3".
    const session = textField(messageId)?.split("####")[0];
    const run: RecordedRun = {
      id: `${textField(session) ?? "checkpoint"}:${basename(file).replace(/\.json$/, "")}`,
      source: "gemini-cli",
      ...optional("task", task),
      ...optional("counting", countingNotes({ ...counting, withoutUsage: countWithoutUsage(steps) })),
      steps,
    };
    if (steps.length === 0) yield skip(file, 0, "it is a gemini-cli checkpoint without a reply of a model");
    else yield runItem(run, file);
  },
};

interface ReadHistory {
  readonly steps: RecordedRun["steps"];
  readonly task: string | undefined;
  readonly counting: CountingNotes | undefined;
}

function readHistory(history: readonly unknown[], next: Readonly<Record<string, unknown>>): ReadHistory {
  const steps = createStepList();
  let task: string | undefined;
  const prompts = createPersonMessages();
  let isAfterSetup = false; // whether the message before tells the model about the folder and the system
  let syntheticReplies = 0;

  for (const [index, value] of history.entries()) {
    const { role, parts } = objectField(value);
    const entry = `clientHistory ${index + 1}`;
    if (role === "model" && isAfterSetup) {
      syntheticReplies++;
      isAfterSetup = false;
      continue;
    }
    if (role === "model") {
      steps.reply({ text: partsText(parts), position: { entry }, ...prompts.take() });
      for (const call of functionCalls(parts)) steps.call({ ...call, position: { entry } });
      continue;
    }
    const responses = functionResponses(parts);
    for (const { id, name, result, isError } of responses)
      steps.result(id, { result, isError: isError ? true : null }, name);
    const text = partsText(parts).trim();
    isAfterSetup = index === 0 && isSetup(text);
    if (responses.length > 0 || text === "" || isAfterSetup) continue;
    task ??= clipText(text);
    prompts.add(text);
  }
  const nextName = textField(next["name"]) ?? "unnamed tool";
  const open = steps.steps().flatMap(({ calls }) => calls.filter(({ status }) => status === "interrupted"));
  if (!steps.isEmpty && !open.some(({ name }) => name === nextName))
    steps.call({ name: nextName, args: next["args"], position: { entry: "toolCall" } });
  return { steps: steps.steps(), task, counting: steps.counting({ syntheticReplies }) };
}

/** The first message tells the model about the folder and the system. */
function isSetup(text: string): boolean {
  return /^(?:<session_context>|This is the Gemini CLI\b|This is the Qwen Code\b)/.test(text);
}
