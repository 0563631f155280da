import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentEvent, type Stores, sqliteStores } from "@sheepdog/agent";
import type { ScriptedTurn, WireRequest } from "@sheepdog/agent/testing";
import { createPrices, createRunPrices } from "@sheepdog/records";
import type { TestContext } from "vitest";
import { createSandbox, type ProcessResult, type Sandbox } from "./sandbox.ts";

/** What came of a number of killed runs. */
export interface KilledRuns {
  readonly resumed: number;
  /** Killed before anything was saved. */
  readonly unsaved: number;
  readonly ways: Readonly<Record<string, number>>;
  /** A resume that used something else than the run was started with, or was refused. */
  readonly problems: readonly string[];
}

const models = [
  { name: "anthropic:claude-sonnet-4-5", format: "anthropic-messages" },
  { name: "anthropic:claude-haiku-4-5", format: "anthropic-messages" },
  { name: "openai:gpt-5", format: "openai-responses" },
  { name: "openai:gpt-5-mini", format: "openai-responses" },
  { name: "openai-chat:gpt-4.1", format: "openai-chat" },
  { name: "google:gemini-2.5-flash", format: "gemini" },
] as const;

const ways = ["printed", "resume", "continue", "elsewhere", "prompt", "fork", "flag", "page"] as const;

/** A random source from a seed: the same seed gives the same runs. */
function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T, // the list is not empty
  };
}

type Random = ReturnType<typeof randomOf>;

/** A killed request costs what can have been written: 3,000 tokens a second for its time and three seconds more. */
const mostKilledTokens = 18_000;

/** A run of the harness and its requests. */
interface Round {
  readonly mark: string;
  readonly requests: { readonly request: WireRequest; readonly usage: { input: number; output: number } }[];
  isResumed: boolean;
}

/** Starts runs with random flags, models and providers, kills each at a random moment, and resumes it. */
export async function killRuns(
  context: Pick<TestContext, "onTestFinished">,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<KilledRuns> {
  const random = randomOf(seed);
  const prices = createRunPrices(
    await createPrices(),
    models.map(({ name }) => ({ provider: name.split(":")[0] ?? "", modelId: name.split(":")[1] ?? "" })),
    Date.now,
  );
  let round: Round = { mark: "", requests: [], isResumed: false };
  const reply = (request: WireRequest): ScriptedTurn => {
    const usage = { input: 1_000 + random.below(4_000), output: 50 + random.below(400) };
    round.requests.push({ request, usage });
    if (round.isResumed) return { text: "Done.", usage };
    const pattern = `${round.mark}-${round.requests.length}.*`;
    const text = "I look for the next file. ".repeat(1 + random.below(10));
    return {
      text,
      calls: [{ tool: "glob", input: { pattern } }],
      usage,
      delayMs: 20,
      deltaDelayMs: 1 + random.below(8),
    };
  };
  const sandbox = await createSandbox(context, [], reply);
  const elsewhere = join(sandbox.workspace, "..", "elsewhere");
  await mkdir(elsewhere);
  const env = {
    OPENAI_API_KEY: "quiet-shepherd-canary-7732",
    OPENAI_BASE_URL: `${sandbox.server.url}/v1`,
    GEMINI_API_KEY: "quiet-shepherd-canary-7733",
  };
  const found = { problems: [] as string[], ways: {} as Record<string, number> };
  const server = await serve(sandbox, env);
  let [resumed, unsaved, recordedNanoUsd] = [0, 0, 0];

  for (let index = 0; index < count; index++) {
    round = { mark: `round${index}`, requests: [], isResumed: false };
    const model = random.pick(models);
    const flags = randomFlags(random);
    // Little more than what the ledger has: the full reservations of killed requests would refuse the next run.
    await sandbox.configure(`[budget]\nmonthly_limit_cents = ${Math.ceil(recordedNanoUsd / 1e7) + 200}\n`);
    const address = model.format === "gemini" ? ["--set", `model.base_url=${sandbox.server.url}/v1beta`] : [];
    const args = ["run", "-m", model.name, ...address, ...flags.args, `Look at everything, ${round.mark}.`];
    const running = sandbox.start(args, { env });
    const wanted = 1 + random.below(4);
    const waitMs = random.below(250);
    await Promise.race([until(() => round.requests.length >= wanted), running.ended]);
    await sleep(waitMs);
    running.child.kill("SIGKILL");
    const { err } = await running.ended;
    const name = `${index} (${args.slice(1, -1).join(" ")})`;
    const run = await savedRun(sandbox, round.mark);
    if (run === undefined) {
      if (round.requests.length > 0)
        found.problems.push(`${name}: a request was sent before the run was saved; ${err}`);
      unsaved += 1;
      continue;
    }
    const killedRequests = round.requests.length;
    round.isResumed = true;
    const way = random.pick(ways);
    found.ways[way] = (found.ways[way] ?? 0) + 1;
    const resume = () => resumeBy(way, { sandbox, env, elsewhere, server, run });
    const report = (problem: string) => found.problems.push(`${name}, by ${way}: ${problem}`);
    const ended = await resume();
    resumed += 1;
    if (ended.code !== 0) report(`exit code ${ended.code}: ${ended.err.trim()}`);
    const later = round.requests.slice(killedRequests).map(({ request }) => request);
    if (later.length === 0) report("no request was sent");
    for (const request of later)
      if (`${request.model} ${request.format}` !== `${model.name.split(":")[1]} ${model.format}`)
        report(`a request went to ${request.model} (${request.format})`);
    const stores = await storesOf(sandbox);
    try {
      for (const problem of await startProblems(stores, { run, way, flags })) report(problem);
      const priceOf = ({ request, usage }: Round["requests"][number], output = usage.output) =>
        prices.price(request.model, { ...usage, output, cacheRead: 0, cacheWrite: 0 }) ?? 0;
      const total = round.requests.reduce((sum, request) => sum + priceOf(request), 0);
      const killed = Math.max(...round.requests.map((request) => priceOf(request, mostKilledTokens)));
      const recorded = await ledgerNanoUsd(stores, round.mark);
      if (recorded < total || recorded > total + killed)
        report(`the ledger has $${recorded / 1e9}, the server counted $${total / 1e9}`);
      recordedNanoUsd += recorded;
    } finally {
      await stores.close();
    }
  }
  return { resumed, unsaved, ...found };
}

interface KilledRun {
  readonly runId: string;
  readonly sessionId: string;
}

/** The run of a round, if it was saved before it was killed. */
async function savedRun(sandbox: Sandbox, mark: string): Promise<KilledRun | undefined> {
  const stores = await storesOf(sandbox);
  try {
    const session = (await stores.sessions.list()).find(({ lastRun }) => lastRun?.prompt.includes(`${mark}.`));
    const runId = session?.lastRun?.runId;
    return session === undefined || runId === undefined ? undefined : { sessionId: session.sessionId, runId };
  } finally {
    await stores.close();
  }
}

async function storesOf({ home }: Sandbox): Promise<Stores> {
  return sqliteStores({ path: join(home, "sheepdog.db"), logDir: join(home, "logs") });
}

interface Flags {
  readonly args: readonly string[];
  readonly isUnattended: boolean;
}

function randomFlags({ chance, below, pick }: Random): Flags {
  const isUnattended = chance(0.5);
  const args = [
    ...(chance(0.6) ? ["--max-cost", `${(1 + below(300)) / 100 + 0.5}`] : []),
    ...(chance(0.6) ? ["--max-turns", `${8 + below(40)}`] : []),
    ...(chance(0.4) ? ["--max-time", `${5 + below(20)}m`] : []),
    ...(chance(0.4) ? ["--max-run-tokens", `${500_000 + below(1_000_000)}`] : []),
    ...(chance(0.4) ? ["--mode", pick(["guide", "advise", "observe"])] : []),
    ...(chance(0.3) ? ["--set", `agent.min_tail=${2 + below(8)}`] : []),
    ...(chance(0.3) ? ["--set", `agent.guardian.preset=${pick(["strict", "lenient", "default"])}`] : []),
    ...(isUnattended ? ["--unattended"] : chance(0.3) ? ["--answers", "remote"] : []),
  ];
  return { args, isUnattended };
}

interface Resume {
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  readonly elsewhere: string;
  readonly server: ServeProcess;
  readonly run: KilledRun;
}

const newCost = "4.56";

async function resumeBy(way: (typeof ways)[number], resume: Resume): Promise<Pick<ProcessResult, "code" | "err">> {
  const { sandbox, env, elsewhere, server, run } = resume;
  const { sessionId } = run;
  switch (way) {
    case "printed": {
      const shown = await sandbox.run(["show", "last"], { env });
      const command = /sheepdog (run --resume .*)/.exec(shown.out)?.[1] ?? "no-command";
      return sandbox.run(command.trim().split(" "), { env });
    }
    case "resume":
      return sandbox.run(["run", "--resume", sessionId], { env });
    case "continue":
      return sandbox.run(["run", "--continue"], { env });
    case "elsewhere":
      return sandbox.run(["run", "--resume", sessionId], { env, shell: `cd '${elsewhere}' && exec "$@"` });
    case "prompt":
      return sandbox.run(["run", "--continue", "Continue with it."], { env });
    case "fork":
      return sandbox.run(["run", "--continue", "--fork", "Continue with it."], { env });
    case "flag":
      return sandbox.run(["run", "--resume", sessionId, "--max-cost", newCost], { env });
    case "page":
      return server.resume(run.runId);
    default:
      return way satisfies never;
  }
}

type Started = Extract<AgentEvent, { type: "RunStarted" }>;

/** What a resumed run was started with, compared with the run that was killed. */
async function startProblems(
  stores: Stores,
  { run, way, flags }: { readonly run: KilledRun; readonly way: (typeof ways)[number]; readonly flags: Flags },
): Promise<readonly string[]> {
  const newest = (await stores.sessions.list())[0];
  const sessionId = way === "fork" ? (newest?.sessionId ?? "") : run.sessionId;
  const isStart = (event: AgentEvent): event is Started => event.type === "RunStarted";
  const first = (await stores.events.after(run.sessionId, 0)).find(isStart);
  const last = (await stores.events.after(sessionId, 0)).findLast(isStart);
  const { runs } = await stores.sessions.load(sessionId);
  const [before, after] = [runs.find(({ runId }) => runId === run.runId), runs.at(-1)];
  const problems: string[] = [];
  const isNewRun = way === "prompt" || way === "fork";
  if (!isNewRun && after?.runId !== run.runId) problems.push("another run was started");
  if (way === "prompt" && before?.reason !== "broken_off") problems.push(`the killed run ended as ${before?.reason}`);
  if (after?.state !== "completed") problems.push(`the resumed run is ${after?.state} (${after?.reason})`);
  for (const name of ["provider", "model", "mode", "preset", "maxContextTokens"] as const)
    if (first?.[name] !== last?.[name]) problems.push(`${name} was ${first?.[name]} and is ${last?.[name]}`);
  for (const name of ["run-cost", "run-tokens", "turns", "time"] as const) {
    const before = way === "flag" && name === "run-cost" ? Number(newCost) * 1e9 : first?.limits?.[name]?.stop;
    const now = last?.limits?.[name]?.stop;
    if (before !== now) problems.push(`the limit ${name} was ${before} and is ${now}`);
  }
  const setting = (start: Started | undefined) => start?.spec?.settings["agent.min_tail"];
  if (setting(first) !== setting(last)) problems.push(`agent.min_tail was ${setting(first)} and is ${setting(last)}`);
  if (flags.isUnattended && last?.isAttended !== false) problems.push("the run was unattended and is attended");
  return problems;
}

/** What the ledger has for the sessions of a round, with what is reserved. */
async function ledgerNanoUsd(stores: Stores, mark: string): Promise<number> {
  let total = 0;
  for (const { sessionId } of await stores.sessions.list()) {
    const { runs } = await stores.sessions.load(sessionId, Number.MAX_SAFE_INTEGER);
    const { messages } = await stores.sessions.load(sessionId);
    const isOfRound = [...runs.map(({ prompt }) => prompt), JSON.stringify(messages[0])].some((text) =>
      text.includes(`${mark}.`),
    );
    if (!isOfRound) continue;
    for (const { costNanoUsd } of await stores.costs.rows(sessionId)) total += costNanoUsd ?? 0;
  }
  return total;
}

interface ServeProcess {
  resume(runId: string): Promise<Pick<ProcessResult, "code" | "err">>;
}

/** A server of the pages in a process of its own. */
async function serve(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<ServeProcess> {
  const started = sandbox.start(["serve", "--no-open", "--port", "0"], { env });
  await started.says("#token=");
  await until(() => /#token=\S+\s/.test(started.said()));
  const url = new URL(/http\S+#token=\S+/.exec(started.said())?.[0] ?? "");
  const headers = { authorization: `Bearer ${url.hash.replace("#token=", "")}`, "content-type": "application/json" };
  const send = async (path: string, init: RequestInit = {}) =>
    (await fetch(new URL(path, url), { ...init, headers })).json() as Promise<Record<string, unknown>>;
  return {
    async resume(runId) {
      const answer = await send(`/api/runs/${runId}/resume`, { method: "POST", body: "{}" });
      if (answer["isDone"] !== true) return { code: 1, err: JSON.stringify(answer) };
      const state = async () => ((await send(`/api/runs/${runId}`)) as { run?: { state?: string } }).run?.state ?? "";
      await until(async () => !/^(?:running|waiting|broken_off|$)/.test(await state()));
      return (await state()) === "completed" ? { code: 0, err: "" } : { code: 1, err: await state() };
    },
  };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until something is true, for at most half a minute. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if (await isTrue()) return;
    await sleep(20);
  }
}
