/** The three steps of a guarded loop: ask before a call, report its result, and read the notices after the turn. */
import { createGuardian } from "@sheepdog/guardian";

const guardian = createGuardian({ now: () => Date.now() });

// An agent that runs the same failing test again and again. A real loop would get these calls from a model.
const calls = Array.from({ length: 12 }, (_, i) => ({ id: `call_${i}`, tool: "bash", args: { command: "npm test" } }));

for (const call of calls) {
  const decision = guardian.beforeCall(call);
  if (decision.allow) guardian.afterCall(call.id, { status: "error", content: "Error: Cannot find module './sum.js'" });
  else console.log(`refused  ${decision.message}`);

  for (const intervention of guardian.endTurn()) console.log(`${intervention.level.padEnd(8)} ${intervention.message}`);
  if (guardian.stop !== undefined) {
    console.log(`ended    ${guardian.stop.reason}`);
    break;
  }
}
