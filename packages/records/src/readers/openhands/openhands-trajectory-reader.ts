import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField } from "../fields.ts";
import { type ReadItem, runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { countUnknown } from "../unknown-kinds.ts";
import { createOpenhandsTrajectory } from "./openhands-trajectory.ts";

/** Reads a trajectory that OpenHands saved before its SDK: a list of events, each an action or an observation. */
export const openhandsTrajectoryReader: DocumentReader = {
  type: "document",
  format: "openhands",
  label: "OpenHands",
  recognizes: (document) => isTrajectory(eventsOf(document)),
  *read(document, file): Generator<ReadItem> {
    const unknown = countUnknown("entries");
    const trajectory = createOpenhandsTrajectory(file);
    for (const [index, event] of eventsOf(document).entries()) {
      const kind = isObject(event) ? trajectory.event(event, `event ${String(event["id"] ?? index)}`) : "a value";
      if (kind !== undefined) unknown.add(kind, 1);
    }
    const run = trajectory.run();
    yield run === undefined ? skip(file, 0, "this trajectory has no reply of a model") : runItem(run, file);
    const leftOut = unknown.item(file, "OpenHands");
    if (leftOut !== undefined) yield leftOut;
  },
};

/** Reads the output of OpenHands' evaluation: one task a line, with its events in `history`. */
export const openhandsEvaluationReader: LineReader = {
  type: "lines",
  format: "openhands",
  label: "OpenHands",
  recognizes: (lines) => lines.some((line) => "instance_id" in line && isTrajectory(listField(line["history"]))),
  open(file) {
    const trajectories: ReturnType<typeof createOpenhandsTrajectory>[] = [];
    return {
      line(value, line) {
        if (!Array.isArray(value["history"])) return { unknown: "a line without a history" };
        const trajectory = createOpenhandsTrajectory(String(value["instance_id"] ?? `${file}:${line}`), line);
        trajectories.push(trajectory);
        let unknown: string | undefined;
        for (const event of listField(value["history"])) {
          const [only = event] = Array.isArray(event) ? event : [event]; // earlier: pairs of action and observation
          const rest = Array.isArray(event) ? event.slice(1) : [];
          for (const each of [only, ...rest]) if (isObject(each)) unknown ??= trajectory.event(each);
        }
        return unknown === undefined ? "read" : { unknown };
      },
      end: () => trajectories.flatMap((trajectory) => trajectory.run() ?? []),
    };
  },
};

function eventsOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const { trajectory, history } = isObject(document) ? document : ({} as JsonObject);
  return listField(trajectory ?? history);
}

/** Whether these are events of OpenHands: the first ones name an action or an observation, and who made it. */
function isTrajectory(events: readonly unknown[]): boolean {
  const first = events.slice(0, 5).map((event) => (Array.isArray(event) ? event[0] : event));
  const isEvent = (value: unknown) =>
    isObject(value) &&
    (typeof value["action"] === "string" || typeof value["observation"] === "string") &&
    ("source" in value || "args" in value || "extras" in value);
  return first.length > 0 && first.every(isEvent);
}
