import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { startSlack } from "./slack-server.ts";

const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const ask = { calls: [{ tool: "ask_user", input: { question: "Which port?", choices: ["80", "8080"] } }] };
const done = { text: "Done with it." };
const patient = { timeout: 30_000, interval: 30 };

async function setUp(context: Parameters<typeof createSandbox>[0], script: Parameters<typeof createSandbox>[1]) {
  const slack = await startSlack(context);
  const sandbox = await createSandbox(context, script);
  await sandbox.configure(`[channels.team]
type = "slack"
token_env = "SLACK_BOT_TOKEN"
app_token_env = "SLACK_APP_TOKEN"
to = "C123"
answer_from = ["U-ANN"]
api_url = "${slack.url}/api"
`);
  const env = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken };
  const asked = () => vi.waitFor(() => expect(slack.messages.length).toBeGreaterThan(0), patient);
  return { slack, sandbox, env, asked };
}

describe.skipIf(!isBuilt).concurrent("a run without a terminal asks through Slack", () => {
  test("and runs the call when the user presses Approve, after a reconnection and a stranger", async (context) => {
    const { slack, sandbox, env, asked } = await setUp(context, [push, done]);
    const running = sandbox.start(["run", "Push the branch."], { env });
    await asked();
    expect(slack.connections()).toBe(1); // it listens before it asks
    slack.disconnect();
    await vi.waitFor(() => expect(slack.connections()).toBe(2), patient);
    slack.press("Approve", "U-EVE");
    slack.press("Approve", "U-ANN", { channel: "C-OTHER" });
    slack.press("Approve", "U-ANN");
    expect(await running.ended).toMatchObject({ code: 0, out: "Done with it.\n" });
    await vi.waitFor(() => expect(slack.messages).toHaveLength(3), patient);
    expect(slack.messages).toContainEqual(
      expect.objectContaining({ text: "Approved. The run continues.", thread_ts: slack.messages[0]?.ts }),
    );
    expect(slack.acknowledged).toHaveLength(3);
    expect(slack.to("/chat.update")[0]?.body["blocks"]).toMatchObject([{ type: "section" }]);
    const { answers } = JSON.parse((await sandbox.run(["notify", "answers", "--json"])).out);
    expect(answers.map(({ outcome, sender }: Record<string, string>) => [sender, outcome]).toReversed()).toEqual([
      ["U-EVE", "refused"],
      ["U-ANN", "refused"],
      ["U-ANN", "applied"],
    ]);
  });

  test("and gets an answer to the agent's question from a thread", async (context) => {
    const { slack, sandbox, env, asked } = await setUp(context, [ask, done]);
    const running = sandbox.start(["run", "Start it."], { env });
    await asked();
    slack.reply("8081 &amp; no other", "U-ANN");
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(JSON.stringify(sandbox.server.requests.at(-1)?.body)).toContain("The user answered: 8081 & no other");
  });
});
