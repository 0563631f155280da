import type { Mode } from "@sheepdog/guardian";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { optional, textField, timeField } from "../fields.ts";
import type { LineResult } from "../reader.ts";
import { createHookedRun, type HookedRun } from "./hooked-run.ts";

/** Collects the lines of one spool: the run of the main agent and those of its subagents. */
export interface HookedSession {
  add(line: JsonObject, number: number): LineResult;
  runs(): readonly RecordedRun[];
}

/** Creates an empty session. */
export function createHookedSession(fallbackId: string): HookedSession {
  const runs = new Map<string, HookedRun>();
  const main = createHookedRun();
  let header: JsonObject = {};
  let mode: Mode = "guide";
  let lastAt: number | undefined;
  let isEnded = false;

  function runOf(subagent: string | undefined): HookedRun {
    if (subagent === undefined) return main;
    const run = runs.get(subagent) ?? createHookedRun();
    runs.set(subagent, run);
    return run;
  }

  function addHeader(line: JsonObject): LineResult {
    header = { ...header, ...line };
    mode = line["mode"] === "advise" || line["mode"] === "observe" ? line["mode"] : "guide";
    const model = textField(line["model"]);
    if (model !== undefined) main.setModel(model);
    return "read";
  }

  function recorded(
    run: HookedRun,
    ids: Pick<RecordedRun, "id" | "parent">,
    parentEnd?: string,
  ): RecordedRun | undefined {
    const { guardian, ...rest } = run.recorded(parentEnd);
    if (rest.steps.length === 0) return undefined;
    const activity = isEnded ? "ended" : guardian.activity;
    return {
      ...ids,
      ...optional("source", textField(header["agent"])),
      ...optional("project", textField(header["cwd"])),
      ...rest,
      guardian: { ...guardian, mode, activity, ...optional("lastAt", lastAt) },
    };
  }

  return {
    add(line, number) {
      lastAt = timeField(line["at"]) ?? lastAt;
      if (line["type"] === "session") return addHeader(line);
      const subagent = textField(line["subagent"]);
      if (subagent === undefined) isEnded = line["type"] === "end" || (isEnded && line["type"] === "hook");
      return runOf(subagent).add(line, number);
    },
    runs() {
      const id = textField(header["session"]) ?? fallbackId;
      const { outcome } = main.recorded();
      const subagents = [...runs].map(([name, run]) => recorded(run, { id: `${id}/${name}`, parent: id }, outcome));
      return [recorded(main, { id }), ...subagents].filter((run) => run !== undefined);
    },
  };
}
