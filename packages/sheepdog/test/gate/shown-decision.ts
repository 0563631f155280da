import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinTools, type CallPart, createGate, ok, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { vi } from "vitest";
import { createProgress } from "../../src/commands/run/progress.ts";
import { createTerminalAsker } from "../../src/commands/run/terminal-asker.ts";
import { fakeIo } from "../fake-io.ts";
import { openTestHome, type TestHome } from "../test-home.ts";
import type { ShownDecision } from "./ten-decisions.ts";

/** What is seen of a decision. */
export interface Views {
  /** The question of an attended run; undefined if there is none. */
  readonly question?: string;
  /** The result that the model reads after the answer "n", and in an unattended run. */
  readonly results: { readonly attended: string; readonly unattended: string };
  /** The lines of `sheepdog audit`, without the time. */
  readonly auditLines: { readonly attended: string; readonly unattended: string };
}

const COLUMNS = 100;

/** Runs the call in two runs with a scripted model, with and without a user who says no. No tool does anything. */
export async function viewsOf(decision: ShownDecision, folder: string): Promise<Views> {
  const attended = await runCall(decision, join(folder, "attended"), true);
  const unattended = await runCall(decision, join(folder, "unattended"), false);
  return {
    ...(attended.question === "" ? {} : { question: attended.question }),
    results: { attended: attended.result, unattended: unattended.result },
    auditLines: { attended: attended.auditLine, unattended: unattended.auditLine },
  };
}

async function runCall({ call, task, rules = [] }: ShownDecision, folder: string, attended: boolean) {
  const workspace = await createWorkspace(folder);
  const home = await openTestHome(join(folder, "home"));
  const asker = createAsker(workspace);
  await home.runPrompt("ses_a", task, [{ calls: [call] }, { text: "Done." }], {
    workspace,
    gate: createGate({ attended, rules }),
    tools: builtinTools({ workspace }).map(withoutEffect),
    attended,
    ...(attended ? { approve: asker.approve } : {}),
  });
  const shown = (text: string) => text.replaceAll(workspace, "/home/you/app").trimEnd();
  const view = {
    question: shown(asker.shown()),
    result: shown(await resultText(home)),
    auditLine: shown((await home.sheepdog("audit")).out).replace(/^\S+ {2}/, ""),
  };
  await home.close();
  return view;
}

/** A workspace with a repository, a link that leads out of it, and a file with secrets. */
async function createWorkspace(folder: string): Promise<string> {
  const workspace = join(folder, "app");
  await mkdir(join(workspace, ".git"), { recursive: true });
  await mkdir(join(folder, "home"));
  await writeFile(join(folder, "notes.txt"), "");
  await writeFile(join(workspace, "package.json"), '{ "scripts": { "test": "true" } }\n');
  await writeFile(join(workspace, ".env"), "");
  await symlink("../notes.txt", join(workspace, "notes.txt"));
  return workspace;
}

/** No call of these tests may have an effect, even if the gate allowed it by mistake. */
function withoutEffect(tool: Tool): Tool {
  return { ...tool, run: async () => ok("ok") };
}

/** Asks at a terminal, where the user types "n". */
function createAsker(cwd: string) {
  let type = (_: string): void => {};
  const typed = new ReadableStream<Uint8Array>({
    start(controller) {
      type = (line) => controller.enqueue(Buffer.from(`${line}\n`));
    },
  });
  const io = {
    ...fakeIo({ isTTY: true, columns: COLUMNS, cwd, env: { NO_COLOR: "1" } }),
    stdin: Object.assign(typed, { isTTY: true }),
  };
  const rules = { list: [], file: "/home/you/.sheepdog/config.toml", allowAlways: async () => undefined };
  const progress = createProgress(io, { verbose: false, isShown: true });
  const asker = createTerminalAsker(io, progress, { caughtUp: async () => {}, rules });
  const approve: NonNullable<RuntimeOptions["approve"]> = async (call: CallPart, reason, signal, rule) => {
    const answer = asker.approve(call, reason, signal, rule);
    await vi.waitFor(() => {
      if (!io.err().includes("then Enter:")) throw new Error("Expected a question.");
    });
    type("n");
    return answer;
  };
  return { approve, shown: () => io.err() };
}

async function resultText({ stores }: TestHome): Promise<string> {
  const { messages } = await stores.sessions.load("ses_a");
  return messages.flatMap((message) => (message.role === "tool" ? [message.content] : [])).join("\n");
}
