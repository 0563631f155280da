import type { Run } from "@sheepdog/agent";
import type { ControlMessage } from "./control-message.ts";

/** What came of an order: what it was carried out as. `refused`: there is no limit to add to. `over`: the run has ended, or is about to. */
export type Carried =
  | { readonly type: "done"; readonly order: ControlMessage }
  | { readonly type: "refused" }
  | { readonly type: "over" };

/** Has a run do what an order says. */
export function applyMessage(run: Run, order: ControlMessage): Carried {
  switch (order.type) {
    case "limit":
      return setLimit(run, order);
    case "steer":
      return run.steer(order.text) ? { type: "done", order } : { type: "over" };
    case "stop":
      run.cancel();
      return { type: "done", order };
    default:
      return order satisfies never;
  }
}

function setLimit(run: Run, order: Extract<ControlMessage, { type: "limit" }>): Carried {
  const set = "more" in order ? raised(run, order) : order;
  if (set === undefined) return { type: "refused" };
  return run.control(set) ? { type: "done", order: set } : { type: "over" };
}

/** The limit that holds and so much more; it warns at the same share of it. */
function raised(
  run: Run,
  { type, limit, more }: Extract<ControlMessage, { more: number }>,
): Extract<ControlMessage, { stop: number }> | undefined {
  const { stop = 0, warn = 0 } = run.limits()[limit] ?? {};
  if (stop === 0) return undefined;
  return { type, limit, stop: stop + more, ...(warn === 0 ? {} : { warn: Math.round((warn / stop) * (stop + more)) }) };
}
