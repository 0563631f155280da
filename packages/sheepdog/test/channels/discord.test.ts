import { expect, test, vi } from "vitest";
import type { IncomingAnswer } from "../../src/channels/answers/incoming-answer.ts";
import { kindOf } from "../../src/channels/kinds/index.ts";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { startDiscord } from "./discord-server.ts";
import { approval, channelOf, outgoing } from "./samples.ts";

const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const patient = { timeout: 30_000, interval: 30 };

test.skipIf(!isBuilt)("a run asks through Discord, by buttons and by replies", async (context) => {
  const discord = await startDiscord(context);
  const sandbox = await createSandbox(context, [push, push, { text: "Done." }]);
  await sandbox.configure(`[channels.team]
type = "discord"
token_env = "DISCORD_TOKEN"
to = "998877"
answer_from = ["42"]
api_url = "${discord.url}/api/v10"
`);
  const running = sandbox.start(["run", "Push it."], { env: { DISCORD_TOKEN: discord.botToken } });
  await vi.waitFor(() => expect(discord.messages).toHaveLength(1), patient);
  discord.press("Approve", "66");
  discord.reply("tell use the branch main", "42");
  discord.press("Deny", "42");
  await vi.waitFor(
    () => expect(discord.messages.filter(({ components }) => components.length > 0)).toHaveLength(2),
    patient,
  );
  expect((await sandbox.run(["stop", "last"])).code).toBe(0);
  expect(await running.ended).toMatchObject({ code: 130 });
  await vi.waitFor(() => expect(discord.messages.at(-1)?.content).toContain("Run ended"), patient);
  const texts = discord.messages.map(({ content }) => content);
  expect(texts).toContain("The agent is told.");
  expect(texts).toContain("Denied. The run continues without it.");
  expect(discord.to("/callback")).toHaveLength(2);
  expect(discord.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  const { answers } = JSON.parse((await sandbox.run(["notify", "answers", "--json"])).out);
  expect(answers.toReversed()).toMatchObject([
    { sender: "66", outcome: "refused" },
    { sender: "42", action: "tell", outcome: "applied" },
    { sender: "42", action: "deny", outcome: "applied" },
  ]);
});

test("an answer that is sent while the connection is down is not lost", async (context) => {
  const discord = await startDiscord(context);
  const { botToken: token, url } = discord;
  const table = { type: "discord", token, to: "998877", answer_from: ["42"], api_url: `${url}/api/v10` };
  const channel = channelOf(table);
  await kindOf("discord")?.send(channel, outgoing(approval, true), new AbortController().signal);
  const abort = new AbortController();
  context.onTestFinished(() => abort.abort());
  const answers: IncomingAnswer[] = [];
  let connections = 0;
  void kindOf("discord")?.conversation?.read(channel, {
    signal: abort.signal,
    onReady: () => {
      connections += 1;
    },
    onProblem: () => {},
    onAnswer: async (answer) => void answers.push(answer),
  });
  await vi.waitFor(() => expect(connections).toBe(1), patient);
  discord.cut();
  discord.press("Approve", "42");
  await vi.waitFor(() => expect(answers).toMatchObject([{ sender: "42", button: { verb: "approve" } }]), patient);
  expect(discord.resumed).toEqual([["s1", 1]]);
  expect(discord.requests.filter(({ path }) => path.endsWith("/gateway/bot"))).toHaveLength(1);
});
