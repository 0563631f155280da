import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";
import type { LineReader } from "../reader.ts";
import { createLoggedRun, type LoggedRun } from "./logged-run.ts";

/**
 * Sheepdog's own run logs, and the output of `sheepdog run --stream-json`: one event a line. A log of level 3 has the
 * results of calls, one of level 2 how they ended, one of level 1 only the prompt and the answer.
 */
export const sheepdogLogReader: LineReader = {
  type: "lines",
  format: "sheepdog",
  label: "Sheepdog",
  recognizes: (lines) => lines.some(isEvent),
  open: () => {
    const runs = new Map<string, LoggedRun>();
    return {
      line(value: JsonObject, line: number) {
        if (!isEvent(value)) return { unknown: textField(value["type"]) ?? "a line without a type" };
        const runId = String(value["runId"]);
        const run = runs.get(runId) ?? createLoggedRun(runId);
        runs.set(runId, run);
        return run.add(value, line);
      },
      end: () => {
        const parents = new Map([...runs].flatMap(([id, run]) => run.children().map((child) => [child, id])));
        return [...runs.values()].flatMap((run) => run.recorded(parents) ?? []);
      },
    };
  },
};

function isEvent({ type, runId, sessionId, seq }: JsonObject): boolean {
  const hasIds = textField(runId) !== undefined && textField(sessionId) !== undefined;
  return hasIds && typeof seq === "number" && typeof type === "string" && /^[A-Z][A-Za-z]+$/.test(type);
}
