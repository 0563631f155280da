/**
 * A process is killed during a tool call, and another process resumes the run. Completed calls are not repeated, and
 * the model reads that the outcome of the interrupted call is unknown.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, defineTool, ok, sqliteStores } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { z } from "zod";

const [, program = "", part, folder = ""] = process.argv;

if (part === undefined) {
  const work = await mkdtemp(join(tmpdir(), "sheepdog-"));
  for (const name of ["first", "second"]) {
    const [code, signal] = await once(fork(program, [name, work]), "exit");
    console.log(`${name.padEnd(7)} ended by ${signal ?? `itself (${code})`}`);
  }
  await rm(work, { recursive: true });
} else {
  const transfer = defineTool({
    name: "transfer",
    description: "Sends money.",
    kind: "send",
    input: z.object({ to: z.string(), amount: z.number() }),
    async run({ to }) {
      console.log(`${part.padEnd(7)} sends money to ${to}`);
      if (to === "Bob") process.kill(process.pid, "SIGKILL"); // simulates a crash during the call
      return ok("sent");
    },
  });
  const pay = (to: string) => ({ calls: [{ tool: "transfer", input: { to, amount: 10 } }] });
  const model = scriptedModel(
    part === "first" ? [pay("Ann"), pay("Bob")] : [{ text: "Ann has her money. I will ask Bob whether he has his." }],
  );
  const stores = await sqliteStores({ path: join(folder, "sheepdog.db") });
  const gate = { decide: async () => ({ tier: 0, decision: "allow", reason: "an example" }) as const };
  const runtime = createRuntime({ models: [model], tools: [transfer], stores, gate });

  const run = part === "first" ? runtime.run("ses_1", "Pay Ann and Bob.") : await runtime.resume("ses_1");
  const { reason, text } = await run.result;
  console.log(`${part.padEnd(7)} ${reason}: ${text}`);
  const { messages } = await stores.sessions.load("ses_1");
  for (const message of messages) if (message.role === "tool") console.log(`        result: ${message.content}`);
  await stores.close();
}
