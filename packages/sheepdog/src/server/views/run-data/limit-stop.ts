import type { LimitName, Policy } from "@sheepdog/guardian";

/** The amount at which a limit stops a run, in its own unit; undefined if there is none. */
export function limitStop(limits: Policy["limits"], name: LimitName): number | undefined {
  const stop = limits[name]?.stop;
  return stop === undefined || stop <= 0 ? undefined : stop;
}
