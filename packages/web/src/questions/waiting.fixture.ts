import type { Waiting } from "../contract/index.ts";

/** A question at the block rung, for tests. */
export function waitingQuestion(fields: Partial<Waiting> & { readonly id: string }): Waiting {
  return {
    kind: "question",
    runId: "run_1",
    sessionId: "ses_1",
    project: "web-shop",
    task: "Make the checkout test pass",
    turn: 31,
    title: [{ text: "The checkout test failed 5 times the same way. Stop it?" }],
    level: "block",
    since: 0,
    answerBy: 252_000,
    command: "npx playwright test checkout",
    output: "Timeout 30000ms",
    diff: null,
    facts: [{ name: "Tried", value: [{ text: "5 runs in 9 minutes, no edit in between" }] }],
    otherwise: "Without an answer the command is refused and the run continues.",
    suggestion: "The button is now called Place order",
    choices: [],
    canAnswer: true,
    costUsd: 0.92,
    limitUsd: 5,
    ...fields,
  };
}
