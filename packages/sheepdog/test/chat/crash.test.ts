import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const sleeping = { text: "I wait.", calls: [{ tool: "bash", input: { command: "sleep 47" } }] };

/** The last modes that the terminal received for its cursor, pastes and updates. */
function lastModes(bytes: string): readonly string[] {
  const last = (on: string, off: string) => (bytes.lastIndexOf(on) > bytes.lastIndexOf(off) ? on : off);
  return [last("[?25h", "[?25l"), last("[?2004h", "[?2004l"), last("[?2026h", "[?2026l")];
}
const restored = ["[?25h", "[?2004l", "[?2026l"];

/** A chat during a run. */
async function duringRun(
  sandbox: Sandbox,
  context: Parameters<typeof startChat>[1],
  env: Record<string, string> = {},
): ReturnType<typeof startChat> {
  const terminal = await startChat(sandbox, context, { env });
  await terminal.shows(ready);
  await terminal.say("begin");
  await terminal.shows("bash sleep 47");
  return terminal;
}

describe.skipIf(!canTest)("a chat that ends unexpectedly", () => {
  test.for(["SIGTERM", "SIGHUP"] as const)(
    "by %s cancels its run, restores the terminal, and says how to continue",
    async (signal, context) => {
      const sandbox = await createSandbox(context, [sleeping]);
      const terminal = await duringRun(sandbox, context);
      process.kill(await terminal.pid(), signal);
      expect(await terminal.ended()).toEqual({ code: 143, isRestored: true });
      await terminal.shows("To resume: sheepdog chat --resume ses_");
      expect(lastModes(await terminal.bytes())).toEqual(restored);
      const listed = await sandbox.run(["runs", "--json"]);
      expect(JSON.parse(listed.out)).toMatchObject({ runs: [{ state: "cancelled" }] });
    },
  );

  test("by an uncaught exception restores the terminal, and can be resumed", async (context) => {
    const sandbox = await createSandbox(context, [sleeping, { text: "Picked up again." }]);
    const bomb = join(sandbox.workspace, "bomb.mjs");
    await writeFile(bomb, 'process.on("SIGUSR2", () => { throw new Error("the roof \\u001b[2Jfell in"); });');
    const terminal = await duringRun(sandbox, context, { NODE_OPTIONS: `--import=${bomb}` });
    process.kill(await terminal.pid(), "SIGUSR2");
    expect(await terminal.ended()).toEqual({ code: 1, isRestored: true });
    const shown = await terminal.shows("the chat crashed: the roof fell in. To resume: sheepdog chat --resume ses_");
    expect(lastModes(await terminal.bytes())).toEqual(restored);
    const sessionId = /--resume (ses_\w+)/.exec(shown)?.[1] ?? "";
    const again = await startChat(sandbox, context, { args: ["--resume", sessionId] });
    await again.shows("The last run was interrupted");
    await again.type("/retry");
    await again.press("Enter");
    await again.shows("Picked up again.");
    expect(sandbox.server.requests[1]?.text).toMatch(/unknown|interrupted/i);
  });

  test("by SIGKILL loses no message", async (context) => {
    const sandbox = await createSandbox(context, [sleeping, { text: "Still here." }]);
    const terminal = await duringRun(sandbox, context);
    process.kill(await terminal.pid(), "SIGKILL");
    expect((await terminal.ended()).code).toBe(137);
    const again = await startChat(sandbox, context, { args: ["--continue"] });
    const shown = await again.shows("The last run was interrupted");
    expect(shown).toContain("begin");
    await again.type("please continue");
    await again.press("Enter");
    await again.shows("Still here.");
  });

  test("by a closed terminal leaves no process", async (context) => {
    const sandbox = await createSandbox(context, [sleeping]);
    const terminal = await duringRun(sandbox, context);
    const pid = await terminal.pid();
    await terminal.close();
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
