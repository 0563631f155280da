import type { JsonObject } from "../../trajectory/json-fields.ts";
import { timeField } from "../fields.ts";

/** When a span or an event began: nanoseconds in a text, seconds and nanoseconds in a list, or an ISO date. */
export function spanTime(value: JsonObject): number | undefined {
  for (const name of ["startTimeUnixNano", "timeUnixNano", "startTime", "start_time", "time", "timestamp"]) {
    const time = timeOf(value[name]);
    if (time !== undefined) return time;
  }
  return undefined;
}

function timeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) {
    const [seconds, nanoseconds = 0] = value;
    const isPair = typeof seconds === "number" && typeof nanoseconds === "number";
    return isPair ? timeField(seconds * 1e3 + nanoseconds / 1e6) : undefined;
  }
  return typeof value === "string" && /^\d+$/.test(value) ? timeField(Number(value)) : timeField(value);
}
