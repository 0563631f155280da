import { dirname } from "node:path";
import type { AgentEventBody } from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { feedPageSchema, whatIfSchema } from "@sheepdog/web/contract";
import { afterEach, describe, expect, test } from "vitest";
import {
  asked,
  failedCommand,
  intervened,
  intervention,
  nightRun,
  runDataOf,
  type TimedBody,
} from "../../../test/run-data.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { plainSentence } from "../../sentences/say.ts";
import { feedItems } from "./feed-items/feed-items.ts";
import { feedView } from "./feed-view.ts";
import { whatIfView } from "./what-if-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

/** Kind, sentence and detail of the items of these events. */
function told(bodies: readonly TimedBody[]): readonly string[] {
  return feedItems(runDataOf(bodies)).map(({ kind, sentence, detail }) =>
    [kind, plainSentence(sentence), plainSentence(detail)].filter((part) => part !== "").join(" | "),
  );
}
const one = (body: AgentEventBody) => told([[0, body]])[0];

describe("items", () => {
  test("the night is told in a few items", () => {
    const items = feedItems(nightRun());
    expect(
      items.map(({ kind, sentence, detail, costUsd }) => [
        kind,
        plainSentence(sentence),
        plainSentence(detail),
        costUsd,
      ]),
    ).toEqual([
      ["started", "Started: Add tenant_id to orders", "", null],
      ["call", "npm run migrate failed", 'error: column "tenant_id" of relation "orders" contains null values', null],
      ["guardian", "Hinted: npm run migrate failed 3 times the same way", "Not followed: the same came again.", 0.37],
      ["guardian", "Warned: npm run migrate failed 4 times the same way", "Not followed: the same came again.", 0.41],
      [
        "question",
        "Asks you: npm run migrate failed 5 times the same way",
        "failing-call. The run waits and spends nothing.",
        0.46,
      ],
      ["person", "You let it continue", "", null],
    ]);
    expect(items[2]).toEqual({
      key: "ses_1:14",
      seq: 14,
      at: expect.any(Number),
      runId: "run_1",
      sessionId: "ses_1",
      project: "api-server",
      kind: "guardian",
      level: "hint",
      isApplied: true,
      sentence: [{ text: "Hinted: " }, { code: "npm run migrate" }, { text: " failed 3 times the same way" }],
      detail: [{ text: "Not followed: the same came again." }],
      status: null,
      statusText: null,
      costUsd: 0.37,
      group: "guardian",
    });
  });

  test("nothing is told twice, and a question that was not asked got no answer to tell", () => {
    const block = intervention("block", 3, { question: "Stop?" });
    expect(
      told([
        [0, { type: "ToolEnd", callId: "c", tool: "ask_user", status: "invalid-arguments", content: "no", ms: 1 }],
        [1, asked(block)],
        [2, { type: "QuestionAnswered", questionId: block.id, answer: "tell", text: "Use page 2." }],
        [3, { type: "UserMessage", text: "Use page 2." }],
        [4, { type: "UserMessage", text: "And page 3." }],
      ]).filter((line) => line.startsWith("person")),
    ).toEqual(["person | You told it: Use page 2", "person | You said: And page 3"]);
  });

  test("nothing was paid for a demo, so its items have no cost", () => {
    const night = nightRun();
    const items = feedItems({ ...night, summary: { ...night.summary, isDemo: true } });
    expect(items.every(({ costUsd }) => costUsd === null)).toBe(true);
  });

  test("calls: changes, commands and failures, but no reads", () => {
    const call = (tool: string, input: unknown, status = "ok"): readonly TimedBody[] => [
      [0, { type: "ToolStart", callId: `${tool}${JSON.stringify(input)}`, tool, input }],
      [
        1,
        {
          type: "ToolEnd",
          callId: `${tool}${JSON.stringify(input)}`,
          tool,
          status,
          content: "No such file.",
          ms: 1_200,
        },
      ],
    ];
    expect(
      told([
        ...call("read", { path: "a.ts" }),
        ...call("read", { path: "b.ts" }, "error"),
        ...call("write", { path: "help/de/billing.md", content: "x" }),
        ...call("edit", { path: "a.ts", old: "a", new: "b" }),
        ...call("bash", { command: "npm test -- orders" }),
      ]),
    ).toEqual([
      "call | read b.ts failed | No such file.",
      "edit | Wrote help/de/billing.md",
      "edit | Edited a.ts",
      "call | Ran npm test -- orders",
    ]);
    const input = { command: "rm -rf /" };
    expect(
      one({ type: "ToolBlocked", callId: "c", tool: "bash", input, by: "gate", message: "It destroys data. Do not." }),
    ).toBe("call | Refused by the gate: rm -rf / | It destroys data");
  });

  test("answers, messages and changes of the user", () => {
    const block = intervention("block", 3, { question: "Stop?" });
    const answer = (given: "stop" | "tell" | "none") =>
      told([
        [0, asked(block)],
        [1, { type: "QuestionAnswered", questionId: block.id, answer: given, text: "Look at line 4." }],
      ])[1];
    expect(answer("stop")).toBe("person | You stopped it");
    expect(answer("tell")).toBe("person | You told it: Look at line 4");
    expect(answer("none")).toBe("person | Nobody answered in time, so the guardian decided");
    expect(
      told([
        [
          0,
          {
            type: "ApprovalRequested",
            callId: "c",
            tool: "bash",
            reason: "It changes things.",
            input: { command: "terraform apply" },
          },
        ],
        [1, { type: "ApprovalResolved", callId: "c", isAllowed: true }],
      ]),
    ).toEqual([
      "approval | Waits for approval of terraform apply | It changes things.",
      "person | You approved terraform apply",
    ]);
    expect(one({ type: "UserMessage", text: "Use main. Not dev." } as unknown as AgentEventBody)).toBe(
      "person | You said: Use main",
    );
    expect(one({ type: "GuardianMuted", detector: "failing-call", tool: "bash" })).toBe(
      "person | You muted failing-call for bash",
    );
    expect(one({ type: "GuardianMuted", episode: "e1" })).toBeUndefined();
    expect(one({ type: "GuardianUnmuted", detector: "failing-call" })).toBe(
      "person | You lifted the mute of failing-call",
    );
    expect(one({ type: "LimitChanged", limit: "run-cost", stop: 10e9 })).toBe(
      "limit | You set the limit of run cost to $10.00",
    );
    expect(one({ type: "LimitChanged", limit: "turns", stop: 0 })).toBe("limit | You removed the limit of turns");
  });

  test("the rest: recovery, opinions, compaction, retries, goals, subagents and plans", () => {
    const ls = { callId: "c9", tool: "bash" };
    expect(
      told([
        ...[0, 1, 2].flatMap((index) => failedCommand(index, index, 0)),
        [3, intervened("hint", 3)],
        [4, { type: "ToolStart", ...ls, input: { command: "ls" } }],
        [4, { type: "ToolEnd", ...ls, status: "ok", content: "", ms: 1 }],
        [5, { type: "GuardianRecovered", episode: "e1" }],
      ]).slice(-3),
    ).toEqual([
      "guardian | Hinted: npm run migrate failed 3 times the same way | Followed: the next call was another one.",
      "call | Ran ls",
      "recovered | Recovered after the hint: ls in place of npm run migrate",
    ]);
    expect(one({ type: "OpinionGiven", request: "e1/ask/1", verdict: "stuck", advice: "Read the log." })).toBe(
      "guardian | Second opinion: the agent is stuck | “Read the log.”",
    );
    expect(one({ type: "ContextCompacted", before: 172_000, after: 62_000, strategy: "summary" })).toBe(
      "compaction | Compacted the history: 172,000 tokens down to 62,000 tokens",
    );
    const retry = {
      type: "ProviderRetry",
      attempt: 2,
      waitingFor: "overloaded",
      since: 0,
      problem: "Overloaded.",
      model: "m",
    };
    expect(one({ ...retry, waitMs: 4_000 } as AgentEventBody)).toBe(
      "retry | The request to the model failed: Overloaded | Trying again in 4 s.",
    );
    expect(one({ type: "JudgeVerdict", verdict: "retry", reason: "Two tests fail. Repair them." })).toBe(
      "goal | The goal is not met yet | Two tests fail",
    );
    expect(one({ type: "JudgeVerdict", verdict: "continue" })).toBeUndefined();
    expect(
      told([
        [0, { type: "ChildStarted", childId: "ses_2", task: "Count the sheep.", depth: 1 }],
        [1, { type: "ChildComplete", childId: "ses_2", reason: "answered" }],
      ]),
    ).toEqual(["subagent | Subagent started: Count the sheep", "subagent | Subagent finished: Count the sheep"]);
    expect(one({ type: "NodeComplete", nodeId: "tests", status: "failed", problem: "3 of 40 fail." })).toBe(
      "plan | Node tests failed | 3 of 40 fail",
    );
  });
});

describe("pages", () => {
  const same = { calls: [{ tool: "stubborn", input: { target: "all" } }] };

  test("begin with the newest, contain each item once, and can be filtered", async () => {
    opened = await openTestHome(dirname(await file("home/x")));
    const { runId } = await opened.runPrompt(
      "ses_a",
      "Make all.",
      Array.from({ length: 20 }, () => same),
    );
    const limits = { "run-cost": { stop: 1e9 } };
    await opened.runPrompt("ses_b", "Go.", [same, same], { policy: { ...defaultPolicy, limits } });
    await opened.runPrompt("ses_c", "Say it.", [{ text: "Said." }]);
    const context = testViewContext({ ...opened });
    const page = feedPageSchema.parse(await feedView(context));
    const sentences = (items: typeof page.items) => items.map(({ sentence }) => plainSentence(sentence));
    expect(sentences(page.items).slice(0, 2)).toEqual(["Done: Said", "Started: Say it"]);
    expect(page).toMatchObject({ nextBefore: null, position: await opened.stores.events.lastPosition() });
    const paged: typeof page.items = [];
    let before: number | null = page.position + 1;
    while (before !== null) {
      const next = await feedView(context, { limit: 2, before });
      paged.push(...next.items);
      before = next.nextBefore;
    }
    expect(paged.map(({ key }) => key)).toEqual(page.items.map(({ key }) => key));
    const groups = async (group: "guardian" | "money" | "ended") =>
      sentences((await feedView(context, { group })).items);
    expect(await groups("ended")).toEqual([
      "Done: Said",
      "Ended at its limit of $1.00: Go",
      "Ended by the guardian: stubborn all failed 5 times the same way",
    ]);
    expect((await groups("guardian"))[0]).toBe("Ended by the guardian: stubborn all failed 5 times the same way");
    expect(await groups("money")).toHaveLength(2);
    const last = page.items[1];
    const newer = feedPageSchema.parse(await feedView(context, { after: last?.position ?? 0 }));
    expect(sentences(newer.items)).toEqual(["Done: Said"]);
    const forward: typeof page.items = [];
    let after = 0;
    for (let isNew = true; isNew; ) {
      const next = await feedView(context, { limit: 2, after });
      forward.push(...next.items);
      isNew = next.position > after;
      after = next.position;
    }
    expect(forward.map(({ key }) => key).toReversed()).toEqual(page.items.map(({ key }) => key));
    expect(after).toBe(page.position);
    const whatIf = whatIfSchema.parse(await whatIfView(context, runId));
    expect([whatIf.defaultCount, whatIf.points.map(({ count }) => count)]).toEqual([8, [3, 4, 5, 6, 7, 8]]);
    expect(whatIf.points[0]).toEqual({
      count: 3,
      seq: expect.any(Number),
      at: expect.any(Number),
      turn: 3,
      detector: "failing-call",
      costUsd: 3,
      savedUsd: 5,
    });
  });
});
