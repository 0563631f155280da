import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { type Ancestry, createAncestry } from "./ancestry.ts";
import { createRunOfSpans, type RunOfSpans } from "./run-of-spans.ts";
import type { Span, SpanEvent } from "./span.ts";

/**
 * The runs of spans. An agent's span is a run. Its requests and calls are those below it; those without an agent
 * belong to the run of their trace, or of their conversation. An agent below another one is a subagent. Several spans
 * of an agent in one conversation are one run with several prompts, unless they have ids of runs.
 */
export function spanRuns(spans: readonly Span[], fallbackId: string): readonly RecordedRun[] {
  const byKey = new Map<string, Span>();
  let repeated = 0;
  for (const span of spans) {
    const other = byKey.get(span.key);
    const isCopy = other !== undefined && isSame(other, span); // in a file that was exported twice
    if (isCopy) repeated++;
    const key = other === undefined || isCopy ? span.key : `${span.key} ${byKey.size}`; // masked
    byKey.set(key, { ...span, key });
  }
  const unique = [...byKey.values()].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const ancestry = createAncestry(byKey);
  const owners = createOwners(ancestry, unique, fallbackId);
  const outerRequests = new Set(unique.flatMap((span) => outerRequest(span, ancestry) ?? []));
  const runs = new Map<string, RunOfSpans>();
  for (const { span, event } of moments(unique)) {
    const { id, parent } = owners.ownerOf(span);
    const run = runs.get(id) ?? createRunOfSpans(id, parent);
    runs.set(id, run);
    if (event === undefined) run.add(span, { isOuterRequest: outerRequests.has(span.key) });
    else run.addEvent(event, span);
    if (parent !== undefined) markChild(span, { ancestry, runs, owners });
  }
  const recorded = [...runs.values()].flatMap((run) => run.recorded() ?? []);
  const [first, ...rest] = recorded;
  if (repeated === 0 || first === undefined) return recorded;
  const repeatedUsage = (first.counting?.repeatedUsage ?? 0) + repeated;
  return [{ ...first, counting: { ...first.counting, repeatedUsage } }, ...rest];
}

function isSame(one: Span, other: Span): boolean {
  return one.at === other.at && one.operation === other.operation && one.call?.id === other.call?.id;
}

/** A span at its start, or an event of it. */
interface Moment {
  readonly at: number;
  readonly span: Span;
  readonly event?: SpanEvent;
}

function moments(spans: readonly Span[]): readonly Moment[] {
  const ofSpans = spans.flatMap((span): readonly Moment[] => {
    const at = span.at ?? 0;
    const events = span.events.map((event) => ({ at: event.at ?? at, span, event }));
    return span.operation === "other" ? events : [{ at, span }, ...events];
  });
  return ofSpans.sort((one, other) => one.at - other.at || ranks[one.span.operation] - ranks[other.span.operation]);
}

/** Of spans that start together, the outer one is first. */
const ranks = { agent: 0, other: 1, request: 2, tool: 3 } as const satisfies Record<Span["operation"], number>;

interface Owner {
  readonly id: string;
  readonly parent: string | undefined;
}

interface Owners {
  /** The run of a span. */
  ownerOf(span: Span): Owner;
}

function createOwners(ancestry: Ancestry, spans: readonly Span[], fallbackId: string): Owners {
  const known = new Map<string, Owner>();
  const ofTraces = new Map<string, Owner>();

  function ownerOf(span: Span): Owner {
    for (const agent of unknownAgents(span)) known.set(agent.key, find(agent));
    const owner = known.get(span.key) ?? find(span);
    known.set(span.key, owner);
    return owner;
  }

  /** The agents above a span whose runs are not known yet, the outermost first. */
  function unknownAgents(span: Span): readonly Span[] {
    const agents = new Set<Span>();
    let agent = ancestry.nearest(span, "agent");
    for (; agent !== undefined && !known.has(agent.key) && !agents.has(agent); agent = ancestry.nearest(agent, "agent"))
      agents.add(agent);
    return [...agents].reverse();
  }

  function find(span: Span): Owner {
    const agent = span.operation === "agent" ? span : ancestry.nearest(span, "agent");
    const { conversation } = span.names;
    if (agent === undefined) {
      const rest = { id: conversation ?? (span.trace || fallbackId), parent: undefined };
      return withAgentId(ofTraces.get(span.trace) ?? rest, span);
    }
    if (agent !== span) return withAgentId(ownerOf(agent), span);
    const above = ancestry.nearest(span, "agent");
    const { run = conversation ?? span.trace } = span.names;
    if (above === undefined) return { id: run, parent: undefined };
    const name = span.names.run ?? span.key;
    return { id: name, parent: ownerOf(above).id };
  }

  /** Claude Code names the subagent of a request; the subagent has no span of its own. */
  function withAgentId(owner: Owner, { names: { agentId, parentAgentId }, source }: Span): Owner {
    if (source !== "claude-code" || agentId === undefined || agentId === owner.id) return owner;
    return { id: agentId, parent: parentAgentId ?? owner.id };
  }

  for (const span of spans) {
    const isRoot = span.operation === "agent" && ancestry.nearest(span, "agent") === undefined;
    if (isRoot && !ofTraces.has(span.trace)) ofTraces.set(span.trace, ownerOf(span));
  }
  return { ownerOf };
}

/** The request above a request: two instrumentations recorded the same one, and the inner one is exact. */
function outerRequest(span: Span, ancestry: Ancestry): string | undefined {
  if (span.operation !== "request") return undefined;
  const above = ancestry.nearest(span, "request");
  const agent = ancestry.nearest(span, "agent");
  return above !== undefined && agent === ancestry.nearest(above, "agent") ? above.key : undefined;
}

/** Connects the call below which a subagent runs with its run. */
function markChild(
  span: Span,
  {
    ancestry,
    runs,
    owners,
  }: {
    readonly ancestry: Ancestry;
    readonly runs: ReadonlyMap<string, RunOfSpans>;
    readonly owners: Owners;
  },
): void {
  const call = ancestry.nearest(span, "tool");
  if (call?.call === undefined) return;
  const [caller, child] = [owners.ownerOf(call).id, owners.ownerOf(span).id];
  if (caller !== child) runs.get(caller)?.setChild(call.call.id, child);
}
