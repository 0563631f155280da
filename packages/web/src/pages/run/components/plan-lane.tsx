import { Link } from "../../../app/router.tsx";
import type { RunDetail } from "../../../contract/index.ts";
import { counted, usd } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import { Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";

type Plan = RunDetail["plans"][number];
type PlanNode = Plan["nodes"][number];
const ROW = 11;

/** The nodes of a director's plan over time. */
export function PlanLane({ context: { detail, axis, now } }: { readonly context: LaneContext }) {
  const plan = detail.plans.at(-1);
  if (plan === undefined) return null;
  const nodes = detail.plans.flatMap((each) =>
    each.nodes.filter(({ startedAt, isKept }) => startedAt !== null && !isKept),
  );
  const failed = nodes.filter(({ state }) => state === "failed").length;
  return (
    <Lane
      title="Plan"
      detail={counted(detail.plans.length, "plan")}
      height={Math.max(40, nodes.length * ROW + 10)}
      value={counted(plan.nodes.length, "node")}
      {...(failed > 0 ? { valueDetail: `${failed} failed` } : {})}
    >
      {nodes.map((node, index) => {
        const from = Math.max(0, axis.x(node.startedAt ?? 0));
        const to = Math.min(100, axis.x(node.endedAt ?? now));
        if (to < 0 || from > 100) return null;
        return (
          <span
            class={`node-bar ${node.state}`}
            style={{ "--x": from, "--w": Math.max(0.4, to - from), "--y": `${5 + index * ROW}px` }}
            title={`${node.title}: ${node.state}, ${clock(node.startedAt ?? 0)}`}
          />
        );
      })}
    </Lane>
  );
}

const nodeIcons: Readonly<Record<string, IconName>> = {
  succeeded: "check",
  failed: "x",
  running: "play",
  blocked: "block",
};

/** The graph of the newest plan: stages from left to right, what each node waits for, and its run. */
export function PlanGraph({ plans }: { readonly plans: RunDetail["plans"] }) {
  const plan = plans.at(-1);
  if (plan === undefined || plan.nodes.length === 0) return null;
  const stages = [...new Set(plan.nodes.map(({ stage }) => stage))].sort((a, b) => a - b);
  return (
    <section class="panel plan" aria-labelledby="plan-h">
      <h2 id="plan-h">
        Plan{" "}
        <span class="faint">
          {plans.length > 1 ? `${plans.length} of ${plans.length}` : counted(plan.nodes.length, "node")}
        </span>
      </h2>
      {plan.diagnosis !== null && <p class="muted">Changed because: {plan.diagnosis}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus */}
      <div class="scroll-x" tabIndex={0}>
        <ol class="stages">
          {stages.map((stage) => (
            <li>
              {plan.nodes
                .filter((node) => node.stage === stage)
                .map((node) => (
                  <NodeBox node={node} after={plan.edges.filter(({ to }) => to === node.id)} />
                ))}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function NodeBox({ node, after }: { readonly node: PlanNode; readonly after: Plan["edges"] }) {
  const body = (
    <>
      <b class="cut">{node.title}</b>
      <span class="row faint">
        <Icon
          name={nodeIcons[node.state] ?? "wait"}
          class={node.state === "failed" ? "bad" : node.state === "succeeded" ? "ok" : ""}
        />
        {node.isKept ? "kept" : node.state}
        {node.costUsd !== null && <span class="num">{usd(node.costUsd)}</span>}
      </span>
      {after.length > 0 && (
        <small class="faint cut">
          after {after.map(({ from, when }) => (when === "success" ? from : `${from} (${when})`)).join(", ")}
        </small>
      )}
      {node.problem !== null && <small class="bad cut">{node.problem}</small>}
    </>
  );
  if (node.runId === null) return <div class="plan-node">{body}</div>;
  return (
    <Link class="plan-node" href={`/runs/${encodeURIComponent(node.runId)}`}>
      {body}
    </Link>
  );
}
