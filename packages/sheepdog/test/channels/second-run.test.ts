import { expect, test, vi } from "vitest";
import { openRequest } from "../../src/channels/answers/requests.ts";
import { targetOf } from "../../src/channels/channel-settings.ts";
import { deliverMessages } from "../../src/channels/delivery/delivery-process.ts";
import { addToOutbox } from "../../src/channels/outbox.ts";
import { watchRun } from "../../src/channels/watched-runs.ts";
import { resolveHome } from "../../src/home.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { approval, channelOf } from "./samples.ts";
import { startTelegram } from "./telegram-server.ts";

const file = scratchFolder();

test("a process that was started for a run without answers reads those of a later run", async () => {
  const telegram = await startTelegram();
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  const table = { type: "telegram", token: telegram.token, to: "7", api_url: telegram.url };
  const channel = targetOf(channelOf({ ...table, answer_from: ["7"] }));
  const { run } = approval;
  watchRun(home, { run, channels: [channel] });
  const abort = new AbortController();
  const delivering = deliverMessages(home, [channelOf(table)], abort.signal);
  const requestId = openRequest(home, { channel, run, topic: { type: "approval", callId: "toolu_1" } });
  addToOutbox(home, { channel, notice: { ...approval, at: Date.now() }, requestId });
  await vi.waitFor(() => expect(telegram.messages).toHaveLength(1), { timeout: 5_000 });
  telegram.press("Deny", 7);
  await vi.waitFor(() => expect(telegram.to("/answerCallbackQuery")).toHaveLength(1), { timeout: 8_000 });
  abort.abort();
  await delivering;
});
