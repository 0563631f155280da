import type { ExplainedDecision, Tier } from "@sheepdog/agent";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { leftOut } from "./open-gate.ts";

const tierWords: Readonly<Record<Tier, string>> = {
  0: "only reads",
  1: "changes files in the workspace",
  2: "runs the project's own code",
  3: "reaches beyond the workspace",
  4: "is destructive or not understood",
};

interface Layout {
  readonly style: Style;
  readonly width: number;
}

const decisionWords = { allow: "allowed", ask: "needs your approval", deny: "refused" } as const;

/** A decision for people: what is decided, why, and which principles object. */
export function decisionLines(decision: ExplainedDecision, { style, width }: Layout): readonly string[] {
  const { tier, reason, rule, instead, suggestion, leavesSandbox, patterns = [], paths = [], principles } = decision;
  const part = (title: string, text: string) => {
    const [first = "", ...rest] = plainLines(plainText(text), Math.max(20, width - titleWidth));
    return [style.dim(title.padEnd(titleWidth)) + first, ...rest.map((line) => " ".repeat(titleWidth) + line)];
  };
  const notablePaths = paths.filter(({ access, location }) => access !== "read" || location !== "inside");
  const objections = principles.filter(({ verdict }) => verdict !== "fine");
  return [
    `${style.bold(decisionWords[decision.decision])}: T${tier}, ${tierWords[tier]}`,
    ...part("why", reason),
    ...(leavesSandbox === undefined ? [] : part("sandbox", "it would run outside")),
    ...(rule === undefined ? [] : part("rule", rule)),
    ...(patterns.length === 0 ? [] : part("patterns", patterns.join(", "))),
    ...notablePaths.flatMap(({ path, access, location }, at) =>
      part(at === 0 ? "files" : "", `${access} ${path} (${location})`),
    ),
    ...objections.flatMap(({ principle, verdict, reason: why }) => part(principle, `${verdict}: ${why}`)),
    ...(instead === undefined || decision.decision !== "deny" ? [] : part("model reads", instead)),
    ...(suggestion?.command === undefined ? [] : part("as a rule", suggestion.command)),
    ...part("left out", leftOut),
  ];
}

const titleWidth = "proportionality".length + 2;

/** A decision for programs. */
export function decisionDocument(decision: ExplainedDecision): Readonly<Record<string, unknown>> {
  const { tier, decision: decided, reason, principles, patterns = [], paths = [], rule, instead } = decision;
  const { leavesSandbox } = decision;
  return {
    schemaVersion: 1,
    tier,
    decision: decided,
    reason,
    principles,
    patterns,
    paths,
    ...(leavesSandbox === undefined ? {} : { leavesSandbox }),
    ...(rule === undefined ? {} : { rule }),
    ...(instead === undefined ? {} : { instead }),
  };
}
