import { plainLines } from "../../src/render/timeline/plain-lines.ts";
import type { Views } from "./shown-decision.ts";
import type { ShownDecision } from "./ten-decisions.ts";

/** What the model reads after the answer "n". */
export const refusedByUser = "Not run: the user said no.";

const introduction = `# Ten decisions of the gate

What a user, a model and a reader of the audit trail see. [Security](security.md) explains the tiers. This page is
written by \`packages/sheepdog/test/gate/decisions-page.test.ts\`, which runs each call with a scripted model: once with
a user, for the question, and once without. There is no sandbox; with one, some questions end with "It runs outside the
sandbox." The workspace is \`/home/you/app\`. Long lines are folded, and the lines of \`sheepdog audit\` stand without
their time.

If the user types \`n\`, the model reads "${refusedByUser}", and the line of the audit trail has \`ask: no\` and
"The user said no."
`;

/** The text of `docs/gate-decisions.md`. */
export function decisionsPage(shown: readonly { readonly decision: ShownDecision; readonly views: Views }[]): string {
  return [introduction, ...shown.map(({ decision, views }, index) => section(index + 1, decision, views))].join("\n");
}

function section(number: number, { title, call, task, rules = [] }: ShownDecision, views: Views): string {
  const { question, results, auditLines } = views;
  const isAsked = question !== undefined;
  const ruleTexts = rules.map(({ command, decision }) => `A rule says \`${decision}\` for \`${command}\`.`);
  return [
    `## ${number}. ${title}\n`,
    [`The task is "${task}"`, ...ruleTexts, `The call of \`${call.tool}\`:\n`].join(" "),
    block(inputText(call.input)),
    ...(isAsked ? ["The question to the user:\n", block(question)] : ["The user is not asked.\n"]),
    `The result for the model, and the line of the audit trail${isAsked ? ", without a user" : ""}:\n`,
    block(results.unattended),
    block(auditLines.unattended),
  ].join("\n");
}

function inputText(input: ShownDecision["call"]["input"]): string {
  return "command" in input ? String(input["command"]) : JSON.stringify(input);
}

const COLUMNS = 100;

function block(text: string): string {
  const lines = text.split("\n").flatMap((line) => (line.length <= COLUMNS ? [line] : plainLines(line, COLUMNS)));
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`;
}
