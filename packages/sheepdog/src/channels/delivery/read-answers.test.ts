import { expect, test, vi } from "vitest";
import { channelOf } from "../../../test/channels/samples.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { resolveHome } from "../../home.ts";
import type { Conversation } from "../channel-kind.ts";
import { readStatus } from "../channel-status.ts";
import { createAnswersReading } from "./read-answers.ts";

const file = scratchFolder();
const settings = channelOf({ type: "telegram", token: "1:x", to: "7", answer_from: ["7"] });
const mayAnswer = (sender: string) => sender === "7";

async function setUp(read: Conversation["read"]) {
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  const reading = createAnswersReading(home, { settings, conversation: { read }, mayAnswer });
  return { home, reading };
}

test("reading that has failed is started again, and the problem is shown", async () => {
  let starts = 0;
  const { home, reading } = await setUp(async (_settings, { signal, onReady }) => {
    starts += 1;
    if (starts === 1) throw new Error("The socket is broken.");
    onReady();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  await vi.waitFor(() => {
    reading.setNeeded(true);
    expect(starts).toBe(2);
  });
  expect(readStatus(home, settings.account).problem).toBe("Answers cannot be read: The socket is broken.");
  await reading.close();
});
