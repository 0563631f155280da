import type { Run } from "@sheepdog/agent";
import type { ControlMessage } from "./control-message.ts";

/**
 * The result of applying a message. `applied` carries the message with the new limit in place of `more`; `refused`: the
 * run has no such limit to add to, or the text does not fit into its context; `ended`: the run has ended or is about
 * to.
 */
export type ApplyResult =
  | { readonly type: "applied"; readonly message: ControlMessage }
  | { readonly type: "refused" }
  | { readonly type: "ended" };

/** Applies a message to a run. */
export async function applyMessage(run: Run, message: ControlMessage): Promise<ApplyResult> {
  switch (message.type) {
    case "limit":
      return setLimit(run, message);
    case "steer":
      if ((await run.steeringProblem(message.text)) !== undefined) return { type: "refused" };
      return (await run.steer(message.text)) ? { type: "applied", message } : { type: "ended" };
    case "stop":
      run.cancel();
      return { type: "applied", message };
    default:
      return message satisfies never;
  }
}

function setLimit(run: Run, message: Extract<ControlMessage, { type: "limit" }>): ApplyResult {
  const absolute = "more" in message ? addToLimit(run, message) : message;
  if (absolute === undefined) return { type: "refused" };
  return run.control(absolute) ? { type: "applied", message: absolute } : { type: "ended" };
}

/** Adds to the limit in force. The warning stays at the same share of the limit. */
function addToLimit(
  run: Run,
  { type, limit, more }: Extract<ControlMessage, { more: number }>,
): Extract<ControlMessage, { stop: number }> | undefined {
  const { stop = 0, warn = 0 } = run.limits()[limit] ?? {};
  if (stop === 0) return undefined;
  return { type, limit, stop: stop + more, ...(warn === 0 ? {} : { warn: Math.round((warn / stop) * (stop + more)) }) };
}
