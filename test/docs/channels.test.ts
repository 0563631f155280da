import { mkdir, writeFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { signedHeaders } from "../../packages/sheepdog/src/channels/answers/signature.ts";
import { readChannels } from "../../packages/sheepdog/src/channels/channel-settings.ts";
import { channelTable, channelTypes, noticeKinds } from "../../packages/sheepdog/src/config/channel-keys.ts";
import { findChannelProblems, secretKeys } from "../../packages/sheepdog/src/config/channel-rules.ts";
import { loadConfig } from "../../packages/sheepdog/src/config/load-config.ts";
import { resolveHome } from "../../packages/sheepdog/src/home.ts";
import { startTelegram } from "../../packages/sheepdog/test/channels/telegram-server.ts";
import { createSandbox, isBuilt } from "../../packages/sheepdog/test/e2e/sandbox.ts";
import { scratchFolder } from "../../packages/sheepdog/test/scratch-folder.ts";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

const file = scratchFolder();
const page = readRepositoryFile("docs/channels.md");
const blocks = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, toml = ""]) => toml);
const rows = tableRows(page).map((cells) => cells.map(codeSpans));

test.each(blocks)(
  "the configuration %# of docs/channels.md loads, and each of its channels can be used",
  async (toml) => {
    const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
    await mkdir(home.dir);
    await writeFile(home.configFile, toml);
    const env = Object.fromEntries(
      [...toml.matchAll(/_env = "(\w+)"/g)].map(([, name]) => [name, "https://x.example/1"]),
    );
    const loaded = await loadConfig({ env, cwd: home.dir, home });
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    const { channels, problems } = readChannels(loaded.config, env);
    expect(problems).toEqual([]);
    expect(channels).toHaveLength([...toml.matchAll(/^\[channels\./gm)].length);
  },
);

test("docs/channels.md lists every event and every type", () => {
  const names = rows.map(([first = []]) => first[0]);
  expect(names).toEqual(expect.arrayContaining([...noticeKinds, ...channelTypes]));
});

test("the verification of docs/channels.md accepts what is sent, and nothing else", async () => {
  const [, code = ""] = /```js\n(import [\s\S]*?)```/.exec(page) ?? [];
  const path = await file("verify.mjs", code);
  // The page says which function the module has.
  const { isGenuine } = (await import(/* @vite-ignore */ path)) as {
    isGenuine(body: string, headers: object, secret: string): boolean;
  };
  const body = '{"type":"sheepdog.test","text":"ä"}';
  for (const secret of ["a secret of words", `whsec_${Buffer.alloc(24, 7).toString("base64")}`]) {
    const headers = signedHeaders(body, { id: "ntc_1", at: Date.now(), secret });
    expect(isGenuine(body, headers, secret)).toBe(true);
    expect(isGenuine(`${body} `, headers, secret)).toBe(false);
    expect(isGenuine(body, headers, "another secret")).toBe(false);
    expect(isGenuine(body, signedHeaders(body, { id: "ntc_1", at: Date.now() - 600_000, secret }), secret)).toBe(false);
    expect(isGenuine(body, {}, secret)).toBe(false);
  }
});

test("docs/channels.md names the keys of each type", () => {
  const listed = new Set(rows.filter(([first = []]) => channelTypes.some((type) => type === first[0])).flat(2));
  const keys = Object.keys(channelTable.shape).filter(
    (key) => !key.endsWith("_env") && !["type", "events"].includes(key),
  );
  expect(keys.filter((key) => !listed.has(key))).toEqual([]);
  for (const type of channelTypes) {
    const [, needed = []] = rows.find(([first = []]) => first[0] === type) ?? [];
    const table = Object.fromEntries(needed.map((key) => [key, "x"]));
    const complete = type === "slack" || type === "discord" ? { url: "x" } : table;
    expect(findChannelProblems("x", channelTable.parse({ type, ...complete }))).toEqual([]);
  }
  expect(secretKeys.every((key) => `${key}_env` in channelTable.shape)).toBe(true);
});

test.skipIf(!isBuilt)("the first example of docs/channels.md works as it stands", async (context) => {
  const [first = ""] = blocks;
  const telegram = await startTelegram(context);
  const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
  const sandbox = await createSandbox(context, [push, { text: "The list is done." }]);
  await sandbox.configure(`${first}api_url = "${telegram.url}"\n`);
  const env = { TELEGRAM_TOKEN: telegram.token };
  const said = /The second line prints `([^`]+)`/.exec(page)?.[1];
  expect((await sandbox.run(["notify", "test", "phone"], { env })).out).toBe(`${said}\n`);
  const running = sandbox.start(["run", "--max-cost", "5", "Work through TODO.md, one commit an item."], { env });
  const patient = { timeout: 30_000, interval: 30 };
  await vi.waitFor(() => expect(telegram.messages).toHaveLength(2), patient);
  telegram.press("Approve", 123_456_789);
  expect(await running.ended).toMatchObject({ code: 0, out: "The list is done.\n" });
  await vi.waitFor(() => expect(telegram.messages).toHaveLength(4), patient);
  expect(telegram.messages.map(({ text }) => text)).toContain("Approved. The run continues.");
});

test("the JSON documents of docs/channels.md are JSON", () => {
  const documents = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json));
  const reply = [{ action: "reply" }, { action: "reply" }, { action: "stop" }];
  expect(documents).toMatchObject([{ type: "sheepdog.approval" }, { action: "deny" }, reply]);
});
