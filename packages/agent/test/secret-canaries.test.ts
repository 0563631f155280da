import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtinTools,
  createRedact,
  createRuntime,
  defineTool,
  exportSession,
  failed,
  ok,
  type RuntimeOptions,
  sqliteStores,
} from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { madeText } from "./made-text.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheepdog-canaries-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A key without a known form, as an embedding program passes it. */
const key = "quiet/shepherd+canary~7731";
const bytes = (text: string) => Buffer.from(text);

/** The spellings of the key: the text that enters the run, and the part of it that no reader may find. */
const spellings: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ["plain", key, "shepherd+canary"],
  ["in a URL", encodeURIComponent(key), "shepherd%2Bcanary"],
  ["in a URL with small letters", encodeURIComponent(key).toLowerCase(), "shepherd%2bcanary"],
  ["in hex", bytes(key).toString("hex"), bytes("canary").toString("hex")],
  ["in HEX", bytes(key).toString("hex").toUpperCase(), bytes("canary").toString("hex").toUpperCase()],
  ["in base64", bytes(key).toString("base64"), bytes(key).toString("base64").slice(4, 28)],
  ["in base64 behind a byte", bytes(`:${key}`).toString("base64"), bytes(`:${key}`).toString("base64").slice(4, 28)],
  ["in base64 behind two", bytes(`a:${key}`).toString("base64"), bytes(`a:${key}`).toString("base64").slice(4, 28)],
  ["in url-safe base64", bytes(`??${key}`).toString("base64url"), bytes(`??${key}`).toString("base64url").slice(8, 28)],
  ["with escaped slashes", key.replaceAll("/", "\\/"), "shepherd+canary"],
];

/** Secrets with a known form, as `madeText` fills them. */
const forms = [
  ...["sk-ant-api03-{w80}", "sk-proj-{A48}", "sk_live_{A24}", "rk_live_{A24}", "hf_{L34}", "SG.{w22}.{w43}"],
  ...["GOCSPX-{w28}", "glpat-{w20}", "ghp_{A36}", "npm_{A36}", "pypi-AgEIcHlwaS5vcmc{w60}", "dop_v1_{h64}"],
  ...["xoxb-{d12}-{d12}-{A24}", "AKIA{U16}", "ASIA{U16}", "ya29.{w60}", "AIza{w35}", "shpat_{h32}", "sq0atp-{w22}"],
  ...["dapi{h32}", "hvs.{w95}", "AGE-SECRET-KEY-1{U58}", "eyJ{A20}.eyJ{A30}.{w43}", "SK{h32}", "{=123456789:A}{w34}"],
  ...[
    "password={=hunter2swordfish}",
    'password = "{=two words of it}"',
    "DB_PASS={=swordfish}",
    "passphrase: {=four words of one}",
  ],
  ...[
    "Authorization: Basic {b24}",
    "Authorization: Bearer {A24}",
    "Bearer {A30}",
    "Cookie: {=sid=canary1; theme=dark}",
  ],
  ...["x-api-key: {A24}", "x-goog-api-key: {A24}", "AccountKey={b86}==", "postgres://app:{=canaryhunter}@db:5432/x"],
  ...["https://{A24}@github.com/a/b.git", "https://x.org/a?access_token={A24}&b=1", "https://x.org/?sv=1&sig={A24}"],
  ...[
    '{\\"password\\":\\"{=a b c canary}\\"}',
    "curl -u user:{=canaryhunter} x",
    "mysql -p{=canaryhunter} db",
    "tool --token {=canaryhunter} x",
  ],
  "-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b20}==\n-----END RSA PRIVATE KEY-----",
  "machine x.org login bob password {=canaryhunter}",
];

const canaries = [
  ...spellings.map(([kind, text, secret]) => ({ kind: `the key ${kind}`, text, secrets: [secret] })),
  ...forms.map((pattern) => ({ kind: pattern, ...madeText(pattern) })),
];

test("there are at least thirty kinds", () => {
  expect(canaries.length).toBeGreaterThanOrEqual(30);
});

describe.each(canaries)("$kind", ({ text, secrets }) => {
  test.each([1, 4_000])("in deltas of %i characters, is in no event, log, database or document", async (deltaChars) => {
    const home = await mkdtemp(join(folder, "home-"));
    const seen = await runEverywhere(text, { home, deltaChars });
    for (const secret of secrets)
      for (const [place, content] of seen) expect([place, hits(content, secret)]).toEqual([place, []]);
  });
});

/** What stands around a secret in a text, wherever it was found. */
function hits(content: string, secret: string): readonly string[] {
  const at = content.indexOf(secret);
  return at < 0 ? [] : [content.slice(Math.max(0, at - 80), at + secret.length + 20)];
}

/** Runs a conversation with the secret at every entrance; returns every text that the run has left behind, by place. */
async function runEverywhere(
  secret: string,
  { home, deltaChars }: { readonly home: string; readonly deltaChars: number },
): Promise<readonly (readonly [place: string, content: string])[]> {
  const line = `It says:\n${secret}\nand more.`;
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.looseObject({}),
    kind: "mutate",
    async run({ how }, { progress }) {
      for (const part of line.match(new RegExp(`[^]{1,${deltaChars}}`, "g")) ?? []) progress(part);
      if (how === "throw") throw new Error(line);
      return how === "fail" ? failed(line, { note: line }) : ok(line, { note: line, [`name ${secret}`]: 1 });
    },
  });
  const callId = /^[\w-]{1,64}$/.test(secret) ? secret : "call_1"; // other ids are replaced anyway
  const call = (how: string, id?: string) => ({
    tool: "look",
    input: { how, note: line },
    ...(id === undefined ? {} : { id }),
  });
  const model = scriptedModel(
    [
      { thinking: line, signature: "signed", text: line, calls: [call("ok", callId), call("fail"), call("throw")] },
      {
        thinking: line,
        text: "I remember.",
        calls: [
          { tool: "memory_write", input: { fact: line } },
          { tool: secret, input: {} },
        ],
      },
      { text: line },
      { text: `${line} Again.` },
      { fault: { type: "status", status: 400, message: line } },
    ],
    { deltaChars, afterLast: { text: line } },
  );
  const gate: NonNullable<RuntimeOptions["gate"]> = {
    decide: async () => ({ tier: 1, decision: "allow", reason: line }),
  };
  const judged = { hints: 0 };
  const judge: NonNullable<RuntimeOptions["judge"]> = {
    async evaluate({ isAnswer }) {
      if (!isAnswer) return { type: "continue" };
      judged.hints += 1;
      return judged.hints > 1 ? { type: "accept" } : { type: "retry", hint: line };
    },
  };
  const path = join(home, "sheepdog.db");
  const stores = await sqliteStores({ path });
  const runtime = createRuntime({
    models: [model],
    tools: [look, ...builtinTools({ workspace: home, memory: stores.memory, redact: createRedact([key]) })],
    gate,
    judge,
    stores,
    workspace: home,
    price: () => 1,
    secrets: [key],
    log: { dir: join(home, "logs"), level: 3 },
  });
  const published: unknown[] = [];
  runtime.bus.subscribe((event) => void published.push(event));
  const first = runtime.runWithGoal("ses_1", line, { text: line });
  first.steer(line);
  const results = [
    await first.result,
    await runtime.run("ses_1", line).result,
    await runtime.run("ses_1", line).result,
  ];
  const failures = results.filter(({ state }) => state !== "completed");
  const whileOpen = await filesBelow(home); // the write-ahead log too
  const exported = JSON.stringify(await exportSession(stores, "ses_1", 0));
  await stores.close();
  return [
    ["events", JSON.stringify(published)],
    ["deltas", streamedText(published)],
    ["failures", JSON.stringify(failures)],
    ["exported", exported],
    ...whileOpen,
    ...(await filesBelow(home)),
  ];
}

/** The deltas of each kind, joined: a secret could be cut in two by the end of a delta. */
function streamedText(events: readonly unknown[]): string {
  const deltas = events as readonly { readonly type: string; readonly text?: string; readonly callId?: string }[];
  const streams = new Map<string, string>();
  for (const { type, text, callId } of deltas)
    if (text !== undefined) streams.set(`${type} ${callId}`, `${streams.get(`${type} ${callId}`) ?? ""}${text}`);
  return [...streams.values()].join("\n\n");
}

async function filesBelow(home: string): Promise<readonly (readonly [name: string, content: string])[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => [entry.name, await readFile(join(entry.parentPath, entry.name), "latin1")] as const),
  );
}
