import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Sandbox, createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

const sleeping = { text: "I wait.", calls: [{ tool: "bash", input: { command: "sleep 47" } }] };

/** What a terminal is told last about its cursor and about pastes. */
function lastModes(bytes: string): readonly string[] {
  const last = (on: string, off: string) => (bytes.lastIndexOf(on) > bytes.lastIndexOf(off) ? on : off);
  return [last("[?25h", "[?25l"), last("[?2004h", "[?2004l"), last("[?2026h", "[?2026l")];
}
const restored = ["[?25h", "[?2004l", "[?2026l"];

/** A chat in the middle of a run. */
async function running(
  here: Sandbox,
  context: Parameters<typeof startChat>[1],
  env: Record<string, string> = {},
): ReturnType<typeof startChat> {
  const terminal = await startChat(here, context, { env });
  await terminal.shows(ready);
  await terminal.say("begin");
  await terminal.shows("bash sleep 47");
  return terminal;
}

describe.skipIf(!canTest)("a chat that is ended from outside", () => {
  test.for(["SIGTERM", "SIGHUP"] as const)(
    "by %s ends its run in good order, leaves the terminal as it was, and says how to go on",
    async (signal, context) => {
      const here = await createSandbox(context, [sleeping]);
      const terminal = await running(here, context);
      process.kill(await terminal.pid(), signal);
      expect(await terminal.ended()).toEqual({ code: 143, isRestored: true });
      await terminal.shows("Go on: sheepdog chat --resume ses_");
      expect(lastModes(await terminal.bytes())).toEqual(restored);
      const kept = await here.run(["runs", "--json"]);
      expect(JSON.parse(kept.out)).toMatchObject({ runs: [{ state: "cancelled" }] });
    },
  );

  test("by an exception that nobody catches leaves the terminal as it was, and can go on", async (context) => {
    const here = await createSandbox(context, [sleeping, { text: "Picked up again." }]);
    const bomb = join(here.workspace, "bomb.mjs");
    await writeFile(bomb, 'process.on("SIGUSR2", () => { throw new Error("the roof \\u001b[2Jfell in"); });');
    const terminal = await running(here, context, { NODE_OPTIONS: `--import=${bomb}` });
    process.kill(await terminal.pid(), "SIGUSR2");
    expect(await terminal.ended()).toEqual({ code: 1, isRestored: true });
    const shown = await terminal.shows("the chat broke off: the roof fell in. Go on: sheepdog chat --resume ses_");
    expect(lastModes(await terminal.bytes())).toEqual(restored);
    const sessionId = /--resume (ses_\w+)/.exec(shown)?.[1] ?? "";
    const again = await startChat(here, context, { args: ["--resume", sessionId] });
    await again.shows("The last run broke off");
    await again.type("/retry");
    await again.press("Enter");
    await again.shows("Picked up again.");
    expect(here.server.requests[1]?.text).toMatch(/unknown|interrupted/i);
  });

  test("by kill -9 loses nothing that was said", async (context) => {
    const here = await createSandbox(context, [sleeping, { text: "Still here." }]);
    const terminal = await running(here, context);
    process.kill(await terminal.pid(), "SIGKILL");
    expect((await terminal.ended()).code).toBe(137);
    const again = await startChat(here, context, { args: ["--continue"] });
    const shown = await again.shows("The last run broke off");
    expect(shown).toContain("begin");
    await again.type("go on please");
    await again.press("Enter");
    await again.shows("Still here.");
  });

  test("by its terminal going away does not stay behind", async (context) => {
    const here = await createSandbox(context, [sleeping]);
    const terminal = await running(here, context);
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
