import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, defineTool, failed, ok, type RuntimeOptions, sqliteStores } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheepdog-secrets-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The places where a secret can enter a run. */
const entrances = [
  "prompt",
  "steering",
  "goal",
  "reply text",
  "thinking",
  "tool name",
  "tool arguments",
  "tool result",
  "tool error",
  "tool details",
  "gate reason",
  "judge hint",
  "provider error",
] as const;
type Entrance = (typeof entrances)[number];

/** Secrets that are recognised by their shape, wherever they stand. */
const secret = fc
  .tuple(
    fc.constantFrom("sk-", "ghp_", "xoxb-", "AKIA", "eyJ"),
    fc.stringMatching(/^[A-Za-z0-9]{12}$/),
    fc.stringMatching(/^[A-Z0-9]{8}7$/),
  )
  .map((parts) => parts.join(""));

test("a secret that enters anywhere is found in no event, log, database or failed result", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...entrances), secret, async (entrance, value) => {
      const home = await mkdtemp(join(folder, "home-"));
      const published = await runWithSecret(entrance, value, home);
      expect(published).not.toContain(value);
      for (const [name, text] of await filesBelow(home))
        expect({ name, holds: text.includes(value) }).toMatchObject({ holds: false });
    }),
    { numRuns: 60, seed: 11 },
  );
}, 120_000);

/** Runs a conversation with the secret at one entrance; returns everything published about it. */
async function runWithSecret(entrance: Entrance, value: string, home: string): Promise<string> {
  const at = (place: Entrance, text: string) => (place === entrance ? `${text} ${value}` : text);
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    input: z.looseObject({}),
    kind: "mutate",
    async run() {
      if (entrance === "tool error") throw new Error(`It failed with ${value}.`);
      const details = { note: at("tool details", "fine") };
      return entrance === "tool result" ? failed(`It says ${value}.`, details) : ok("It says nothing.", details);
    },
  });
  const model = scriptedModel([
    {
      thinking: at("thinking", "Let me look."),
      text: at("reply text", "I look."),
      calls: [
        { tool: "look", input: { note: at("tool arguments", "here") } },
        ...(entrance === "tool name" ? [{ tool: value, input: {} }] : []),
      ],
    },
    ...(entrance === "provider error" ? [] : [{ text: "Done." }, { text: "Done again." }, { text: "And again." }]),
  ]);
  const gate: NonNullable<RuntimeOptions["gate"]> = {
    decide: async () => ({ tier: 1, decision: "allow", reason: at("gate reason", "fine") }),
  };
  const judged = { hints: 0 };
  const judge: NonNullable<RuntimeOptions["judge"]> = {
    async evaluate({ isAnswer }) {
      if (!isAnswer) return { type: "continue" };
      judged.hints += 1;
      return judged.hints > 1 ? { type: "accept" } : { type: "retry", hint: at("judge hint", "Say more.") };
    },
  };
  const stores = await sqliteStores({ path: join(home, "sheepdog.db") });
  const runtime = createRuntime({
    models: [model],
    tools: [tool],
    gate,
    judge,
    stores,
    workspace: home,
    price: () => 1,
    log: { dir: join(home, "logs"), level: 3 },
  });
  const published: unknown[] = [];
  runtime.bus.subscribe((event) => void published.push(event));
  const run = runtime.runWithGoal("ses_1", at("prompt", "Look around."), { text: at("goal", "Everything is seen.") });
  run.steer(at("steering", "Take care."));
  const result = await run.result;
  await stores.close();
  return JSON.stringify(result.state === "completed" ? published : [published, result]);
}

async function filesBelow(home: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => [entry.name, await readFile(join(entry.parentPath, entry.name), "latin1")] as const),
  );
}
