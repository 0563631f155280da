/**
 * A loop that streams, with a budget: a reply that repeats itself is cut off, and no request is made once the budget is spent.
 * What a request costs is known only after it, so the limit can be passed by one request at most.
 */
import { createGuardian, defaultPolicy } from "@sheepdog/guardian";

const CENT = 10_000_000; // in nano-dollars
const limits = { "run-cost": { warn: 8 * CENT, stop: 10 * CENT } };
const guardian = createGuardian({ now: () => Date.now(), policy: { ...defaultPolicy, limits } });

// What a model might stream. The second reply gets caught in itself.
const replies = [
  "I will read the report, then compare the figures of both quarters.",
  `The totals differ. ${"Let me check the totals once more. ".repeat(80)}`,
  "The totals differ by 4 %, because March was booked twice.",
  "Next I will look at the other regions.",
  "The other regions are fine.",
];

/** The reply as far as it is worth keeping. */
function listen(reply: string): string {
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
  guardian.userMessage(i === 0 ? "person" : "automatic"); // a question, then "go on"
  if (guardian.stop !== undefined) break;
  const text = listen(reply);
  console.log(`reply    ${text}`);
  guardian.message(text);
  guardian.observe({ type: "usage", used: { "run-cost": 3 * (i + 1) * CENT }, isPriced: true });
  for (const { level, message } of guardian.endTurn()) console.log(`${level.padEnd(8)} ${message}`);
  if (guardian.nearBudget()) console.log("         little is left");
}
if (guardian.stop !== undefined) console.log(`ended    ${guardian.stop.reason}: ${guardian.stop.message}`);
