import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ok, type Tool } from "@sheepdog/agent";
import { z } from "zod";
import type { Step } from "./step.ts";

/** A tool with a side effect: it appends a line to a file of its session and call, so a second execution shows. */
export function noteTool(effects: string, step: Step): Tool {
  return {
    name: "note",
    kind: "mutate",
    description: "Writes a note.",
    input: z.strictObject({ text: z.string() }) as Tool["input"], // it receives the parsed input
    async run(input, { sessionId, callId }) {
      await step("note: before");
      append(join(effects, `${sessionId}.${callId}`), JSON.stringify(input));
      await step("note: in the middle");
      await new Promise(setImmediate);
      await step("note: after");
      return ok(`noted by ${callId}`);
    },
  };
}

/** A read-only tool. */
export function lookTool(effects: string, step: Step): Tool {
  return {
    name: "look",
    kind: "read",
    description: "Says how many notes there are.",
    input: z.strictObject({}),
    async run() {
      await step("look: before");
      const { length } = readdirSync(effects);
      await step("look: after");
      return ok(`${length} notes`);
    },
  };
}

/** How often each call of a session was executed, by call id. */
export function effectsIn(folder: string, sessionId: string): ReadonlyMap<string, number> {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${sessionId}.`));
  return new Map(
    files.map((file) => [
      file.slice(sessionId.length + 1),
      readFileSync(join(folder, file), "utf8").split("\n").length - 1,
    ]),
  );
}

function append(path: string, line: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  const file = openSync(path, "a", 0o600);
  writeSync(file, `${line}\n`);
  fsyncSync(file);
  closeSync(file);
}
