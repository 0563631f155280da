import { createRuntime, ok, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { z } from "zod";
import { sqliteStores } from "../../../src/stores/sqlite/sqlite-stores.ts";
import { databaseIn } from "../scenario.ts";
import { report, waitForFile } from "../step.ts";

export interface SpendInput {
  readonly folder: string;
  readonly sessionId: string;
  readonly waitFor: string;
  readonly limitNanoUsd: number;
}

/** Cost of a request; the reservation is at least as high. */
export const requestNanoUsd = 1_100_000;

/** Runs until the month's budget is spent, with a model that never answers and a tool that does nothing. */
export async function spend({ folder, sessionId, waitFor, limitNanoUsd }: SpendInput): Promise<void> {
  const stores = await sqliteStores({ path: databaseIn(folder) });
  let calls = 0;
  const model = scriptedModel([], {
    afterLast: () => ({ calls: [{ tool: "wait", input: { n: calls++ } }], usage: { input: 1_000, output: 100 } }),
  });
  const wait: Tool = {
    name: "wait",
    kind: "wait",
    description: "Does nothing.",
    input: z.looseObject({}),
    run: async () => ok(`waited ${calls}`),
  };
  const runtime = createRuntime({
    models: [model],
    tools: [wait],
    stores,
    settings: { maxTurns: 1_000, maxOutputTokens: 2_000, maxContextTokens: 200_000 },
    policy: { ...defaultPolicy, detectors: {}, limits: { "month-cost": { stop: limitNanoUsd } } },
    price: (_model, { input, output }) => (input + output) * 1_000,
  });
  report({ waiting: waitFor });
  await waitForFile(waitFor);
  const { reason, problem, turns } = await runtime.run(sessionId, "Spend it.").result;
  report({ reason, problem, turns });
  await stores.close();
}
