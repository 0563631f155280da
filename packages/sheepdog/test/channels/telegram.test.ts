import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "../e2e/sandbox.ts";
import { startTelegram, type TelegramServer } from "./telegram-server.ts";

const ann = 4_711;
const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const done = { text: "The branch is ready." };
const patient = { timeout: 30_000, interval: 30 };

async function configure({ home }: Sandbox, { url }: TelegramServer, more = ""): Promise<void> {
  await (await import("node:fs/promises")).mkdir(home, { recursive: true });
  await writeFile(
    join(home, "config.toml"),
    `[channels.phone]
type = "telegram"
token_env = "TELEGRAM_TOKEN"
to = "${ann}"
answer_from = ["${ann}"]
api_url = "${url}"
${more}`,
  );
}

describe.skipIf(!isBuilt)("a run without a terminal asks through Telegram", () => {
  test("and runs the call when the user presses Approve", async (context) => {
    const telegram = await startTelegram();
    const sandbox = await createSandbox(context, [push, done]);
    await configure(sandbox, telegram);
    const env = { TELEGRAM_TOKEN: telegram.token };
    const running = sandbox.start(["run", "Push the branch."], { env });
    await vi.waitFor(() => expect(telegram.messages).toHaveLength(1), patient);
    expect(telegram.messages[0]).toMatchObject({ chat_id: ann, text: expect.stringContaining("<pre>git push</pre>") });
    expect(telegram.messages[0]?.buttons.map(({ text }) => text)).toEqual(["Approve", "Deny", "Stop the run"]);
    telegram.press("Approve", ann);
    expect((await running.ended).out).toBe("The branch is ready.\n");
    await vi.waitFor(() => expect(telegram.messages).toHaveLength(3), patient);
    expect(telegram.messages[1]).toMatchObject({ text: "Approved. The run continues.", replyTo: 1 });
    expect(telegram.messages[2]?.text).toContain("The branch is ready.");
    const audit = JSON.parse((await sandbox.run(["audit", "--json"])).out);
    expect(audit.entries).toMatchObject([{ input: "git push", decision: "ask" }]);
    const { answers } = JSON.parse((await sandbox.run(["notify", "answers", "--json"])).out);
    expect(answers).toMatchObject([
      { channel: "phone", sender: String(ann), senderName: "ann", action: "approve", outcome: "applied" },
    ]);
  });
});
