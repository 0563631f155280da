import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GateRule, ruleText } from "../protocol/gate-rule.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { type CallScope, classifyCall } from "./classify-call.ts";
import type { OnCommand, SimpleCommand } from "./command/simple-command.ts";
import { protectedIn } from "./files/protected-folders.ts";
import type { Gate, GateContext, GateDecision, PrincipleFinding, Tier } from "./gate.ts";
import { insteadOf } from "./instead-of.ts";
import { evaluatePrinciples, raisingFinding } from "./principles/evaluate-principles.ts";
import type { PrincipleInput } from "./principles/principle-input.ts";
import { building, printable, type Risk, reading, unclear } from "./risk/risk.ts";
import { findCommandPermission, findPermission, findRestriction, type RuledCall } from "./rules/apply-rules.ts";
import { suggestRule } from "./rules/suggest-rule.ts";
import { type SandboxExit, sandboxExit } from "./sandbox-exit.ts";
import { findWrittenCode } from "./written-code.ts";
import { writtenPaths } from "./written-paths.ts";

/**
 * What the gate allows without asking: `read` only reading, `edit` also editing in the workspace, `build` also building
 * and testing there and every tool that the embedding program declares.
 */
export type GateMode = "read" | "edit" | "build";

export interface GateOptions {
  /** False: there is no user to ask, so the gate denies instead of asking. Default: true. */
  readonly attended?: boolean;
  /** Default: `build`. */
  readonly mode?: GateMode;
  /** Hosts, such as `example.org` or `localhost:3000`, that reading tools may contact without asking. */
  readonly hosts?: readonly string[];
  /** Permission rules. They are read at each decision, so a rule that is added to the list applies at once. */
  readonly rules?: readonly GateRule[];
  /**
   * Folders of the program itself, such as the one with its keys and its database. Calls that read or change something
   * there need approval, also when the folder is in the workspace. A folder `.sheepdog` always is such a folder.
   */
  readonly protectedFolders?: readonly string[];
  /**
   * Whether an unattended run without a sandbox may run code that the agent wrote in this session. Default: `allow` in
   * a git workspace, where the code can be reviewed and undone, otherwise `deny`.
   */
  readonly unattendedCode?: "allow" | "deny";
}

/** The default gate. */
export interface ExplainingGate extends Gate {
  /** The same decision with the findings of all seven principles. Runs nothing. */
  explain(call: CallPart, tool: Tool, context: GateContext): ExplainedDecision;
}

/** A decision in which no principle is left out. */
export interface ExplainedDecision extends GateDecision {
  readonly principles: readonly PrincipleFinding[];
}

const highestAllowedTier = { read: 0, edit: 1, build: 2 } as const satisfies Record<GateMode, Tier>;

/**
 * Creates the default gate. It judges built-in and external tools by rules alone: by the real arguments of a call and
 * by links as they are at that moment, and it asks about everything it does not fully understand. Tools that the
 * embedding program declares itself are allowed in mode `build`, unless a rule says otherwise. It does not replace a
 * sandbox: it cannot see what the project's own code does.
 */
export function createGate(options: GateOptions = {}): ExplainingGate {
  const judge = createJudge(options);
  return {
    explain: judge,
    async decide(call, tool, context) {
      const { principles, ...decision } = judge(call, tool, context);
      const objections = principles.filter(({ verdict }) => verdict !== "fine");
      return objections.length === 0 ? decision : { ...decision, principles: objections };
    },
  };
}

/** A decision before the evidence is added to it. */
interface Verdict extends Pick<GateDecision, "decision" | "reason" | "rule" | "instead"> {
  /** The user can be offered a rule that allows such calls. */
  readonly isByTier?: true;
}

/** A call with everything that decides about it. */
interface JudgedInput extends PrincipleInput {
  /** Where the call would run; undefined without a sandbox. */
  readonly exit: SandboxExit | undefined;
}

function createJudge(options: GateOptions) {
  const { attended = true, mode = "build", hosts = [], rules = [], protectedFolders = [], unattendedCode } = options;
  const allowedHosts = new Set(hosts);
  const allowedTier = highestAllowedTier[mode];

  /** Asks, or denies if there is no user. */
  const needsApproval = (reason: string): Pick<GateDecision, "decision" | "reason"> =>
    attended ? { decision: "ask", reason } : { decision: "deny", reason: `${reason} There is no user to approve it.` };

  function byRulesAndTier(input: JudgedInput, principles: readonly PrincipleFinding[]): Verdict {
    const { call, tool, risk, commands, context, writtenCode } = input;
    const ruled: RuledCall = { tool: tool.name, risk, commands, workspace: context.workspace };
    const denying = findRestriction(rules, "deny", ruled);
    if (denying !== undefined)
      return {
        decision: "deny",
        reason: `A rule of the user forbids it: ${ruleText(denying)}.`,
        rule: ruleText(denying),
      };
    if (risk.isOutside && tool.isConfined) return { decision: "deny", reason: risk.reason };
    const asking = findRestriction(rules, "ask", ruled);
    if (asking !== undefined) {
      const warning = risk.tier > allowedTier ? `${risk.reason} ` : "";
      const reason = `${warning}A rule of the user asks for approval: ${ruleText(asking)}.`;
      return { ...needsApproval(reason), rule: ruleText(asking) };
    }
    if (tool.origin === undefined && mode === "build")
      return { decision: "allow", reason: "A tool of the embedding program." };
    const raised = raisingFinding(principles);
    if (raised !== undefined) return needsApproval(raised.reason);
    if (writtenCode.length > 0 && input.exit === "outside")
      return needsApproval(`${risk.reason} It would run outside the sandbox.`);
    if (writtenCode.length > 0 && !attended && input.exit !== "inside" && !mayRunWrittenCode(context))
      return {
        decision: "deny",
        reason:
          `${printable(writtenCode[0] ?? "")} was written in this session, and an unattended run without a sandbox ` +
          "may not run such code here (security.unattended_code).",
      };
    if (risk.tier <= allowedTier) return { decision: "allow", reason: risk.reason };
    const permission = findPermission(rules, ruled);
    if (permission !== undefined) return allowedBy(permission);
    const lowered = lowerByRules(call, tool, context);
    if (lowered.rule !== undefined && lowered.risk.tier <= allowedTier) return allowedBy(lowered.rule);
    return { ...needsApproval(lowered.risk.reason), isByTier: true };
  }

  const scopeOf = (workspace: string, onCommand: OnCommand): CallScope => ({
    workspace,
    hosts: allowedHosts,
    protectedFolders: protectedIn(workspace, protectedFolders),
    onCommand,
  });

  function mayRunWrittenCode({ workspace }: GateContext): boolean {
    return (unattendedCode ?? (isInGit(workspace) ? "allow" : "deny")) === "allow";
  }

  /** The risk of everything in a command line that no rule allows. */
  function lowerByRules(call: CallPart, tool: Tool, { workspace }: GateContext): Lowered {
    let rule: GateRule | undefined;
    const onCommand = (command: SimpleCommand): Risk | undefined => {
      const permission = findCommandPermission(rules, tool.name, command);
      rule ??= permission;
      return permission === undefined ? undefined : reading;
    };
    const risk = riskOf(call, tool, scopeOf(workspace, onCommand));
    return { risk, rule };
  }

  return (call: CallPart, tool: Tool, context: GateContext): ExplainedDecision => {
    const found = new Map<string, SimpleCommand>(); // a line may be judged twice
    const onCommand = (command: SimpleCommand): undefined => {
      const key = JSON.stringify([command.words, command.folders]);
      const earlier = found.get(key);
      if (earlier === undefined || command.risk.tier > earlier.risk.tier) found.set(key, command);
    };
    const classified = riskOf(call, tool, scopeOf(context.workspace, onCommand));
    const commands = [...found.values()];
    const writtenFiles = writtenPaths(classified.paths ?? [], context.workspace);
    const writtenCode = findWrittenCode(commands, context, writtenFiles);
    const risk = withWrittenCode(classified, writtenCode);
    const exit = context.isSandboxed === true ? sandboxExit(risk, commands) : undefined;
    const input: JudgedInput = { call, tool, risk, commands, context, writtenCode, exit };
    const principles = evaluatePrinciples(input);
    const { isByTier, ...verdict } = withExit(exit, risk, byRulesAndTier(input, principles));
    const suggestion =
      verdict.decision === "ask" && isByTier ? suggestedRule(tool, risk, commands, allowedTier) : undefined;
    const instead = verdict.decision === "allow" ? {} : { instead: insteadOf(input) };
    const lessons = (context.lessons ?? []).map(({ id }) => id);
    return {
      tier: risk.tier,
      principles,
      ...(risk.patterns === undefined ? {} : { patterns: risk.patterns }),
      ...(risk.paths === undefined ? {} : { paths: risk.paths.slice(0, maxPaths) }),
      ...(lessons.length === 0 ? {} : { lessons }),
      ...(writtenFiles.length === 0 ? {} : { writtenFiles }),
      ...(exit === "outside" ? { leavesSandbox: true } : {}),
      ...instead,
      ...verdict,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  };
}

/** A command gets a rule of its own, and a tool of another program one with its name. */
function suggestedRule(
  { name, origin }: Tool,
  { tier }: Risk,
  commands: readonly SimpleCommand[],
  allowedTier: Tier,
): GateRule | undefined {
  if (origin !== "external") return suggestRule(name, commands, allowedTier);
  return tier < 4 && commands.length === 0 ? { tool: name, decision: "allow" } : undefined;
}

/** The most paths in one decision. */
const maxPaths = 50;

interface Lowered {
  readonly risk: Risk;
  /** The first rule that allows a command of the line. */
  readonly rule: GateRule | undefined;
}

function allowedBy(rule: GateRule): Verdict {
  return { decision: "allow", reason: `A rule of the user allows it: ${ruleText(rule)}.`, rule: ruleText(rule) };
}

/** What one command of a line needs does not take the others out of the sandbox. */
function withExit(exit: SandboxExit | undefined, risk: Risk, verdict: Verdict): Verdict {
  if (exit !== "mixed" || verdict.decision === "deny") return verdict;
  return {
    decision: "deny",
    reason: `${risk.reason} The rest of the line would leave the sandbox with it.`,
    instead: "Do what needs this in a call of its own, and the rest in another one that uses files of the workspace.",
  };
}

/** Code that the agent has just written counts at least as running the project's own code. */
function withWrittenCode(risk: Risk, [file]: readonly string[]): Risk {
  if (file === undefined) return risk;
  const reason = `${risk.reason} ${printable(file)} was written in this session.`;
  return { ...risk, tier: risk.tier > building.tier ? risk.tier : building.tier, reason };
}

function isInGit(workspace: string): boolean {
  let folder = resolve(workspace);
  for (; dirname(folder) !== folder; folder = dirname(folder)) if (existsSync(join(folder, ".git"))) return true;
  return existsSync(join(folder, ".git"));
}

/** A call that cannot be classified has the highest risk. */
function riskOf(call: CallPart, tool: Tool, scope: CallScope): Risk {
  try {
    return classifyCall(call, tool, scope);
  } catch (error) {
    return unclear(`The call could not be classified: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
