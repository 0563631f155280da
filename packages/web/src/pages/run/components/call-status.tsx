import { duration } from "../../../format/times.ts";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import type { Call, CallKind } from "../model/call.ts";

export const kindIcons: Readonly<Record<CallKind, IconName>> = {
  read: "read",
  edit: "edit",
  run: "bash",
  poll: "wait",
};

/** How a call ended, in a few words. */
export function CallStatus({ call }: { readonly call: Call }) {
  const { status, ms, refusedBy, isFailed } = call;
  if (refusedBy !== null)
    return (
      <span class={`lvl ${refusedBy === "guardian" ? "block" : "warn"}`}>
        <Icon name="block" />
        {refusedBy === "user" ? "not allowed" : `refused by the ${refusedBy}`}
      </span>
    );
  if (status === null) return <span class="st faint">running</span>;
  const took = ms === null || ms < 100 ? "" : duration(ms);
  if (!isFailed && status === "ok") return <span class="st faint num">{took}</span>;
  return (
    <span class={`st ${isFailed ? "bad" : "faint"}`}>
      {isFailed && <Icon name="x" />}
      {status === "error" ? "failed" : status} {took}
    </span>
  );
}
