import { defaultPolicy } from "@sheepdog/guardian";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import {
  answerHook,
  type HookCall,
  type HookContract,
  type HookEvent,
  readSessionState,
} from "@sheepdog/integrations/hooks";

const TURNS = 9;
const error =
  "Exit code 1\nError: ENOENT: no such file or directory, open '/tmp/notes.txt'\n    at read (notes.js:1:2)";

/**
 * Plays a session that gets stuck, without any file. What V8 compiles meanwhile is what most hooks need, so that it can
 * be stored for them.
 */
export function warmUp(contract: HookContract): void {
  let state = readSessionState(undefined);
  const events = [{ type: "session-start" }, prompt, ...Array.from({ length: TURNS }, turn).flat(), stop, prompt];
  for (const [index, event] of events.entries()) {
    const named = { name: "", session: "", cwd: "/", ...event } as HookEvent; // one of those below
    const reaction = answerHook(readSessionState(JSON.parse(JSON.stringify(state))), {
      contract,
      event: named,
      at: index * 1_000,
      policy: defaultPolicy,
      attended: index % 2 === 0,
      redact: redactSecrets,
      usage,
    });
    contract.write(named, reaction.answer);
    ({ state } = reaction);
  }
}

const prompt = { type: "prompt", text: "Fix the tests.", origin: "person" };
const stop = { type: "stop", text: "The tests do not pass.", isContinued: true, isWaiting: false };
const usage = {
  ...{ inputTokens: 100, cacheReadTokens: 50, cacheWriteTokens: 0, outputTokens: 10, tokens: 110 },
  ...{ costNanoUsd: 1_000, isPriced: true },
};

/** A turn with two calls: one fails in the same way each time, and one brings something new. */
function turn(_: unknown, index: number): readonly object[] {
  const failing: HookCall = { id: `a${index}`, tool: "Bash", args: { command: "cat /tmp/notes.txt" } };
  const working: HookCall = { id: `b${index}`, tool: "Read", args: { file_path: `/src/file${index}.ts`, limit: 20 } };
  const text = `export const value${index} = ${index};\n`.repeat(20);
  return [
    { type: "before-call", call: failing },
    { type: "before-call", call: working },
    { type: "after-call", call: failing, status: "error", content: error },
    { type: "after-call", call: working, status: "ok", content: { type: "text", file: { content: text } } },
    {
      type: "turn-end",
      results: [
        { call: failing, content: error },
        { call: working, content: text },
      ],
    },
  ];
}
