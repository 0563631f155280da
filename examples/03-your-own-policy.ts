/** A policy that is patient with polling and strict with e-mails, and a guardian state that survives a restart. */
import { createGuardian, defaultPolicy, type Policy } from "@sheepdog/guardian";

const policy: Policy = {
  ...defaultPolicy,
  name: "mail",
  detectors: { ...defaultPolicy.detectors, "side-effect-repeat": { hint: 2, block: 3, halt: 4 } },
  tools: [
    { match: "watch_*", kind: "poll", scale: 10 },
    { match: "bench", off: "all" },
  ],
};

function send(state: unknown): unknown {
  const guardian = createGuardian({ policy, now: () => 0, state });
  const decision = guardian.beforeCall({
    id: "call_1",
    tool: "send_email",
    args: { to: "ops@example.com", subject: "Build is red" },
  });
  if (decision.allow) guardian.afterCall("call_1", { status: "ok", content: "sent" });
  console.log(decision.allow ? "sent" : decision.message);
  for (const { level, message } of guardian.endTurn()) console.log(`${level}: ${message}`);
  return JSON.parse(JSON.stringify(guardian.snapshot()));
}

send(send(send(send(undefined))));
