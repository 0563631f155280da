import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "../e2e/sandbox.ts";
import { startTelegram, type TelegramServer } from "./telegram-server.ts";

const ann = 4_711;
const eve = 6_666;
const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const same = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
const done = { text: "The branch is ready." };
const patient = { timeout: 30_000, interval: 30 };

type Script = Parameters<typeof createSandbox>[1];

interface SetUp {
  readonly telegram: TelegramServer;
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  /** Waits for the message that asks. */
  asked(count?: number): Promise<TelegramServer["messages"][number]>;
  answers(): Promise<readonly Record<string, unknown>[]>;
}

async function setUp(context: Parameters<typeof createSandbox>[0], script: Script, more = ""): Promise<SetUp> {
  const telegram = await startTelegram(context);
  const sandbox = await createSandbox(context, script);
  await sandbox.configure(`[channels.phone]
type = "telegram"
token_env = "TELEGRAM_TOKEN"
to = "${ann}"
answer_from = ["${ann}"]
api_url = "${telegram.url}"
${more}`);
  return {
    telegram,
    sandbox,
    env: { TELEGRAM_TOKEN: telegram.token },
    async asked(count = 1) {
      await vi.waitFor(() => expect(telegram.messages.filter(isAsking)).toHaveLength(count), patient);
      const message = telegram.messages.findLast(isAsking);
      if (message === undefined) throw new Error("Expected a message with buttons.");
      return message;
    },
    async answers() {
      return JSON.parse((await sandbox.run(["notify", "answers", "--json"])).out).answers;
    },
  };
}

function isAsking({ buttons }: TelegramServer["messages"][number]): boolean {
  return buttons.length > 0;
}

describe.skipIf(!isBuilt).concurrent("a run without a terminal asks through Telegram", () => {
  test("and runs the call when the user presses Approve", async (context) => {
    const { telegram, sandbox, env, asked, answers } = await setUp(context, [push, done]);
    const running = sandbox.start(["run", "Push the branch."], { env });
    expect(await asked()).toMatchObject({ chat_id: ann, text: expect.stringContaining("<pre>git push</pre>") });
    expect((await asked()).buttons.map(({ text }) => text)).toEqual(["Approve", "Deny", "Stop the run"]);
    telegram.press("Approve", ann);
    expect((await running.ended).out).toBe("The branch is ready.\n");
    await vi.waitFor(() => expect(telegram.messages).toHaveLength(3), patient);
    // The confirmation and the end of the run may arrive in either order.
    expect(telegram.messages).toContainEqual(
      expect.objectContaining({ text: "Approved. The run continues.", replyTo: 1, buttons: [] }),
    );
    expect(telegram.messages.find(({ text }) => text.includes("Run ended"))?.text).toMatch(
      /The branch is ready[\s\S]*<pre>sheepdog show run_\w+<\/pre>/,
    );
    const audit = JSON.parse((await sandbox.run(["audit", "--json"])).out);
    expect(audit.entries).toMatchObject([{ input: "git push", decision: "ask", approval: { isAllowed: true } }]);
    expect(await answers()).toMatchObject([
      { channel: "phone", sender: String(ann), senderName: "ann", action: "approve", outcome: "applied" },
    ]);
    expect(telegram.to("/answerCallbackQuery")).toHaveLength(1);
    expect(telegram.to("/editMessageReplyMarkup")).toHaveLength(1);
  });

  test("and a stranger, another chat, an edited reply and a second press change nothing", async (context) => {
    const { telegram, sandbox, env, asked, answers } = await setUp(context, [push, done]);
    const running = sandbox.start(["run", "Push the branch."], { env });
    const message = await asked();
    telegram.press("Approve", eve);
    telegram.reply("yes", eve);
    telegram.press("Approve", ann, { chat: -100 });
    telegram.push({
      edited_message: {
        ...{ message_id: 77, from: { id: ann }, chat: { id: ann }, text: "yes", date: 1, edit_date: 2 },
        reply_to_message: { message_id: message.message_id },
      },
    });
    await vi.waitFor(async () => expect(await answers()).toHaveLength(4), patient);
    telegram.reply("no, not on Friday", ann);
    telegram.press("Approve", ann);
    expect(await running.ended).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await answers()).toHaveLength(6), patient);
    const log = (await answers()).toReversed();
    expect(log.map(({ action, outcome, sender }) => [action, outcome, sender])).toEqual([
      ["approve", "refused", String(eve)],
      ["text", "refused", String(eve)],
      ["approve", "refused", String(ann)],
      ["text", "refused", String(ann)],
      ["deny", "applied", String(ann)],
      ["approve", "refused", String(ann)],
    ]);
    const audit = JSON.parse((await sandbox.run(["audit", "--json"])).out);
    expect(audit.entries).toMatchObject([
      { approval: { isAllowed: false, reason: expect.stringContaining("Friday") } },
    ]);
    const toStrangers = telegram.messages.filter(({ text }) => text.includes("not among those"));
    expect(toStrangers).toEqual([]);
  });

  test("and is stopped or told something at the guardian's question", async (context) => {
    const script = [...Array.from({ length: 8 }, () => same), done];
    const { telegram, sandbox, env, asked } = await setUp(
      context,
      script,
      '[agent.guardian]\nsecond_opinion = "off"\n',
    );
    await sandbox.file("a.txt", "Rex\n");
    const running = sandbox.start(["run", "Read it."], { env });
    const message = await asked();
    expect(message.buttons.map(({ text }) => text)).toEqual(["Continue", "Stop the run"]);
    telegram.press("Stop the run", ann);
    expect(await running.ended).toMatchObject({ code: 5 });
    await vi.waitFor(() => expect(telegram.messages.at(-1)?.text).toContain("Run ended"), patient);
    expect(telegram.messages.at(-1)?.text).toMatch(/<pre>sheepdog run --resume ses_\w+<\/pre>/);
  });

  test("and the answer is read although the process that asked was killed", async (context) => {
    const { telegram, sandbox, env, asked } = await setUp(context, [push, done]);
    const running = sandbox.start(["run", "Push the branch."], { env });
    await asked();
    const leases = join(sandbox.home, "channels/leases");
    const [lease = ""] = await readdir(leases);
    process.kill(JSON.parse(await readFile(join(leases, lease), "utf8")).pid, "SIGKILL");
    telegram.press("Approve", ann);
    expect(await running.ended).toMatchObject({ code: 0, out: "The branch is ready.\n" });
    const confirmed = () => telegram.messages.some(({ text }) => text === "Approved. The run continues.");
    await vi.waitFor(() => expect(confirmed()).toBe(true), patient);
  });

  test("and takes a plain word in the private chat", async (context) => {
    const { telegram, sandbox, env, asked } = await setUp(context, [push, done]);
    const running = sandbox.start(["run", "Push the branch."], { env });
    await asked();
    const message = { message_id: 900, date: 1, from: { id: ann }, chat: { id: ann, type: "private" }, text: "yes" };
    telegram.push({ message: { ...message, from: { id: eve }, chat: { id: eve, type: "private" } } });
    telegram.push({ message });
    expect((await running.ended).out).toBe("The branch is ready.\n");
    expect(telegram.messages.every(({ chat_id }) => chat_id === ann)).toBe(true);
  });

  test("and two runs at once get their own answers", async (context) => {
    const { telegram, sandbox, env, asked } = await setUp(context, [push, push, done, done]);
    const first = sandbox.start(["run", "First."], { env });
    const [one] = [await asked()];
    const second = sandbox.start(["run", "Second."], { env });
    const two = await asked(2);
    telegram.press("Deny", ann, { message: two });
    telegram.press("Approve", ann, { message: one });
    expect([(await first.ended).code, (await second.ended).code]).toEqual([0, 0]);
    const audit = JSON.parse((await sandbox.run(["audit", "--json"])).out);
    const byRun = Object.fromEntries(
      audit.entries.map(({ runId, approval }: { runId: string; approval: { isAllowed: boolean } }) => [
        runId,
        approval.isAllowed,
      ]),
    );
    expect(Object.values(byRun).toSorted()).toEqual([false, true]);
    expect(telegram.requests.filter(({ path }) => path.endsWith("getUpdates")).length).toBeGreaterThan(0);
  });

  test("and no token of the channel is in any file of the home", async (context) => {
    const { telegram, sandbox, env, asked } = await setUp(context, [
      {
        calls: [
          { tool: "bash", input: { command: `echo ${"123456:AA-telegram-canary-token-0123456789"} | git push` } },
        ],
      },
      done,
    ]);
    const running = sandbox.start(["run", "Push it."], { env });
    expect((await asked()).text).not.toContain(telegram.token);
    telegram.press("Deny", ann);
    await running.ended;
    const files = await readdir(sandbox.home, { recursive: true, withFileTypes: true });
    for (const entry of files.filter((each) => each.isFile()))
      expect((await readFile(`${entry.parentPath}/${entry.name}`)).includes(telegram.token), entry.name).toBe(false);
  });
});
