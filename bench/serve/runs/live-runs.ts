import { createRuntime, defineTool, type Stores, sqliteStores } from "../../../packages/agent/dist/index.js";
import { anyInput } from "../../loop/any-input.ts";
import { conversation, system, toolDescription, toolName } from "../../loop/conversation.ts";
import { load } from "../load.ts";
import { delayedModel } from "./delayed-model.ts";

/** Runs that make a turn every few seconds until the process ends. */
export interface LiveRuns {
  /** Resolves when every run has made the turns of its history. */
  readonly started: Promise<void>;
  /** Milliseconds of each turn that has ended since the last call, less the delay of the model. */
  takeTurns(): readonly number[];
}

const maxTurns = 2_000;

/** Starts runs whose requests are spread evenly over the delay of the model. */
export async function startLiveRuns(database: string): Promise<LiveRuns> {
  const stores: Stores = await sqliteStores({ path: database });
  let turns: number[] = [];
  const script = conversation(maxTurns, load.resultBytes);
  const results = new Map(script.turns.map(({ path, result }) => [path, result]));
  const tool = defineTool({
    name: toolName,
    description: toolDescription,
    kind: "read",
    ...anyInput,
    run: (input) => results.get((input as { readonly path: string }).path) ?? "", // as the conversation calls it
  });
  const started = Array.from({ length: load.runs }, (_, index) => {
    const offsetMs = (index * load.replyMs) / load.runs;
    return new Promise<void>((resolve, reject) => {
      const model = delayedModel(script, {
        delayMs(turn) {
          if (turn < load.historyTurns) return 0;
          return turn === load.historyTurns ? offsetMs : load.replyMs;
        },
        onTurn(overheadMs) {
          turns.push(overheadMs);
        },
      });
      let calls = 0;
      const runtime = createRuntime({
        stores,
        models: [model],
        tools: [tool],
        system,
        gate: { decide: async () => ({ tier: 0, decision: "allow", reason: "it reads" }) },
        settings: { maxTurns, maxDurationSecs: 1_000_000, maxContextTokens: 1_000_000_000 },
        price: (_model, { input, output }) => input + output,
      });
      runtime.bus.subscribe(({ type }) => {
        if (type === "ToolEnd") calls += 1;
        if (calls === load.historyTurns) resolve();
      });
      const { result } = runtime.run(`ses_${index}`, script.prompt);
      void result.then(({ reason }) => {
        reject(new Error(`Expected a run without end; it ended with ${reason}.`));
      }, reject);
    });
  });
  return {
    started: Promise.all(started).then(() => {}),
    takeTurns() {
      const taken = turns;
      turns = [];
      return taken;
    },
  };
}
