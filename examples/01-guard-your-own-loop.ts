/** The three questions a loop asks: may I run this call, here is how it ended, is there anything to tell the model? */
import { createGuardian } from "@sheepdog/guardian";

const guardian = createGuardian({ now: () => Date.now() });

// An agent that runs the same failing test again and again. A real loop would get these calls from a model.
const calls = Array.from({ length: 12 }, (_, i) => ({ id: `call_${i}`, tool: "bash", args: { command: "npm test" } }));

for (const call of calls) {
  const verdict = guardian.beforeCall(call);
  if (verdict.allow) guardian.afterCall(call.id, { status: "error", content: "Error: Cannot find module './sum.js'" });
  else console.log(`refused  ${verdict.message}`);

  for (const intervention of guardian.endTurn()) console.log(`${intervention.level.padEnd(8)} ${intervention.message}`);
  if (guardian.stop !== undefined) {
    console.log(`ended    ${guardian.stop.reason}`);
    break;
  }
}
