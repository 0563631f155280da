/**
 * A loop that streams, with a budget: a reply that repeats itself is cut off, and no request is made once the budget
 * is spent. The cost of a request is known only afterwards, so the limit can be exceeded by one request at most.
 */
import { createGuardian, defaultPolicy } from "@sheepdog/guardian";

const CENT = 10_000_000; // in nano-dollars
const limits = { "run-cost": { warn: 8 * CENT, stop: 10 * CENT } };
const guardian = createGuardian({ now: () => Date.now(), policy: { ...defaultPolicy, limits } });

// Replies of a model. The second one repeats itself.
const replies = [
  "I will read the report, then compare the figures of both quarters.",
  `The totals differ. ${"Let me check the totals once more. ".repeat(80)}`,
  "The totals differ by 4 %, because March was counted twice.",
  "Next I will look at the other regions.",
  "The other regions are fine.",
];

/** Streams a reply to the guardian; returns its text, cut off where it starts to repeat. */
function stream(reply: string): string {
  guardian.observe({ type: "stream-start" });
  let text = "";
  for (const piece of reply.match(/.{1,6}/gs) ?? []) {
    text += piece;
    const cut = guardian
      .delta("text", piece)
      .find(({ effect, isApplied }) => isApplied && (effect === "interrupt" || effect === "stop"));
    if (cut !== undefined) return `${text.slice(0, text.length - (cut.surplus ?? 0))}[cut]`;
  }
  return text;
}

for (const [i, reply] of replies.entries()) {
  guardian.userMessage(i === 0 ? "person" : "automatic"); // the first question, then automatic prompts to continue
  if (guardian.stop !== undefined) break;
  const text = stream(reply);
  console.log(`reply    ${text}`);
  guardian.message(text);
  guardian.observe({ type: "usage", used: { "run-cost": 3 * (i + 1) * CENT }, isPriced: true });
  for (const { level, message } of guardian.endTurn()) console.log(`${level.padEnd(8)} ${message}`);
  if (guardian.nearBudget()) console.log("         little is left");
}
if (guardian.stop !== undefined) console.log(`ended    ${guardian.stop.reason}: ${guardian.stop.message}`);
