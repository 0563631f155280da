import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedRun, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { createTokenCounter } from "../codex/token-counts.ts";
import { textField } from "../fields.ts";
import type { LineResult } from "../reader.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList, type OpenCall } from "../step-list.ts";
import { callItem } from "./exec-item.ts";

/** Collects the run of one thread. */
export interface ExecThread {
  readonly id: string;
  turnStarted(): void;
  turnCompleted(usage: unknown): void;
  failed(): void;
  item(event: string, item: JsonObject, line: number): LineResult;
  run(): RecordedRun | undefined;
}

/** What the newest reply holds so far. */
type Phase = "nothing" | "reasoning" | "text" | "calls" | "results";

/**
 * Creates an empty thread. The stream does not tell where a model request ends: a reply is taken to be reasoning, then
 * a text, then calls. It states the sum of the thread's tokens at the end of each turn, and the last reply of the turn
 * gets what was added.
 */
export function createExecThread(id: string): ExecThread {
  const steps = createStepList();
  const tokens = createTokenCounter();
  let turn = 0;
  /** The usage that the newest reply has so far, or usage before the first reply. */
  let newest: RecordedUsage | undefined;
  const started = new Map<string, OpenCall>();
  let repeatedUsage = 0;
  let isPrompted = false; // whether a prompt waits for its first reply
  let phase: Phase = "nothing";
  let outcome: string | undefined;

  /** Begins a reply unless the newest one is in one of these phases. */
  function enter(next: Phase, earlier: readonly Phase[], line: number): void {
    if (!earlier.includes(phase)) {
      if (!steps.isEmpty) newest = undefined;
      steps.reply({ position: { line }, ...(isPrompted ? { user: true } : {}) });
      isPrompted = false;
    }
    phase = next;
  }

  function call(event: string, item: JsonObject, line: number): boolean {
    const read = callItem(item);
    if (read === undefined) return false;
    const { name, args, result, isInstant = false } = read;
    const isUpdate = event === "item.updated";
    if (isUpdate && !isInstant) return true;
    if (isInstant && event === "item.completed") return true; // the list as it is at the end of the turn
    const id = `${turn}/${textField(item["id"])}`;
    const key = JSON.stringify([id, name, args]); // ids may not be unique
    const isEnd = event === "item.completed" || isInstant;
    const known = isEnd && !isInstant ? (started.get(key) ?? steps.openCall(id, name)) : undefined;
    if (known === undefined) enter("calls", ["reasoning", "text", "calls"], line);
    const made = known ?? steps.call({ id, name, args, position: { line } });
    if (!started.has(key)) started.set(key, made);
    if (!isEnd) return true;
    made.end(result);
    started.delete(key);
    phase = "results";
    return true;
  }

  return {
    id,
    turnStarted() {
      turn++;
      isPrompted = true;
      phase = "nothing";
    },
    turnCompleted(usage) {
      outcome = "completed";
      const read = isObject(usage) ? tokens.read({ total_token_usage: usage }) : undefined;
      if (read === "repeat") repeatedUsage++;
      else if (read !== undefined) {
        const usage = newest === undefined ? read.usage : addUsage(newest, read.usage); // the turn may have no items
        newest = { ...usage, isSum: true, request: `codex-exec:${id}:${read.total}` };
        if (!steps.isEmpty) steps.amend({ usage: newest });
      }
    },
    failed() {
      outcome = "failed";
    },
    item(event, item, line) {
      const kind = textField(item["type"]) ?? "item without a type";
      if (kind === "error") return "read";
      if (kind !== "agent_message" && kind !== "reasoning")
        return call(event, item, line) ? "read" : { unknown: `item ${kind}` };
      if (event !== "item.completed") return "read";
      if (kind === "reasoning") enter("reasoning", ["reasoning"], line);
      else {
        enter("text", ["reasoning"], line);
        steps.amend({ text: textField(item["text"]) ?? "" });
      }
      return "read";
    },
    run: () =>
      recordedRun(steps.steps(), { id, source: "codex", outcome, counting: steps.counting({ repeatedUsage }) }),
  };
}
