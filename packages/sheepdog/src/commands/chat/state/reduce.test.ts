import { describe, expect, test } from "vitest";
import type { ApprovalCard, QuestionCard } from "../cards/card.ts";
import type { Action } from "./action.ts";
import { began, ended, fresh, intervention, play } from "./testing.ts";

const approval: ApprovalCard = {
  type: "approval",
  id: "c1",
  tool: "bash",
  title: "bash",
  lines: [{ sign: " ", text: "rm -rf build" }],
  reason: "it removes",
};
const question: QuestionCard = { type: "question", id: "q1", text: "Which?", choices: ["red", "green"] };
const asks = (card: ApprovalCard | QuestionCard, at = 1e9): Action => ({ type: "card", card, at });
const kinds = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

describe("the prompt", () => {
  test("sends what is written, and keeps it for later", () => {
    const { state, effects } = play(fresh, "hello<enter>");
    expect(effects).toEqual([
      { type: "remember", text: "hello" },
      { type: "prompt", text: "hello" },
    ]);
    expect([state.editor.text, state.history.at(-1)]).toEqual(["", "hello"]);
    expect(play(fresh, "  <enter>").effects).toEqual([]);
  });

  test("breaks a line by Ctrl-J and by a backslash before Enter", () => {
    expect(play(fresh, "a<newline>b\\<enter>c").state.editor.text).toBe("a\nb\nc");
  });

  test("goes back through what was sent, and forth to what was being written", () => {
    expect(play(fresh, "draft<up>").state.editor.text).toBe("old");
    expect(play(fresh, "draft<up><up><up>").state.editor.text).toBe("older");
    expect(play(fresh, "draft<up><up><down><down>").state.editor.text).toBe("draft");
    expect(play(fresh, "draft<up>!<down>").state.editor.text).toBe("old!"); // what is changed is a new text
  });

  test("never takes a paste for keys", () => {
    const pasted = play(fresh, { type: "key", key: { type: "paste", text: "one\r\ntwo\r\u001b[2J" }, at: 0 });
    expect([pasted.state.editor.text, pasted.effects]).toEqual(["one\ntwo\n", []]);
  });

  test("knows commands, paths and mistakes apart", () => {
    expect(play(fresh, "/budget 2.50<enter>").effects.at(-1)).toEqual({
      type: "command",
      name: "budget",
      argument: "2.50",
    });
    expect(kinds(play(fresh, "/usr/bin is full<enter>").effects)).toEqual(["remember", "prompt"]);
    const wrong = play(fresh, "/hlep<enter>");
    expect([wrong.state.hint, wrong.state.editor.text, wrong.effects]).toEqual([
      "There is no /hlep; did you mean /help? /help lists them.",
      "/hlep",
      [],
    ]);
    expect(play(fresh, "/se<tab>").state.editor.text).toBe("/sessions ");
    expect(play(fresh, "/c<tab>").state.editor.text).toBe("/c");
    expect(play(fresh, "/co<tab>").state.editor.text).toBe("/co");
    expect(play(fresh, "/con<tab>").state.editor.text).toBe("/context ");
  });
});

describe("while a run goes on", () => {
  test("Enter queues, and the next is sent when it is answered", () => {
    const queued = play(fresh, began, "one<enter>two<enter>");
    expect([queued.state.queue, kinds(queued.effects)]).toEqual([
      ["one", "two"],
      ["remember", "remember"],
    ]);
    const next = play(queued.state, ended());
    expect([next.effects, next.state.queue]).toEqual([[{ type: "prompt", text: "one" }], ["two"]]);
  });

  test("a run that was stopped holds the queue until a person says so", () => {
    const held = play(fresh, began, "one<enter>", ended({ state: "cancelled", reason: "cancelled" }));
    expect([held.state.isQueueHeld, held.state.queue, kinds(held.effects)]).toEqual([true, ["one"], ["remember"]]);
    expect(play(held.state, "<enter>").effects).toEqual([{ type: "prompt", text: "one" }]);
    expect(play(held.state, "<up>").state).toMatchObject({ queue: [], isQueueHeld: false, editor: { text: "one" } });
  });

  test("a run that did not come to its end says how to go on", () => {
    expect(play(fresh, began, ended({ state: "cancelled", reason: "cancelled" })).state.hint).toBe("/retry goes on.");
    expect(play(fresh, began, ended({ state: "budget_exceeded", reason: "run_budget" })).state.hint).toBe(
      "/budget sets the limit anew, /retry goes on.",
    );
    expect(play(fresh, began, ended()).state.hint).toBeUndefined();
  });

  test("Ctrl-S and Alt-Enter say it at once, or the newest of the queue", () => {
    expect(play(fresh, began, "left!<ctrl-s>").effects.at(-1)).toEqual({ type: "steer", text: "left!" });
    const queued = play(fresh, began, "one<enter><alt-enter>");
    expect([queued.effects.at(-1), queued.state.queue]).toEqual([{ type: "steer", text: "one" }, []]);
    expect(play(fresh, "hello<ctrl-s>").effects.at(-1)).toEqual({ type: "prompt", text: "hello" });
  });

  test("what came too late to be heard is queued", () => {
    expect(play(fresh, began, { type: "queued", text: "late" }, ended()).effects).toEqual([
      { type: "prompt", text: "late" },
    ]);
  });

  test("Escape stops it; Ctrl-C stops it and the second time leaves", () => {
    expect(play(fresh, began, "<escape>")).toMatchObject({
      state: { run: { isStopping: true } },
      effects: [{ type: "stop" }],
    });
    expect(kinds(play(fresh, began, "<ctrl-c><ctrl-c>").effects)).toEqual(["stop", "leave"]);
    expect(kinds(play(fresh, began, "<ctrl-c>x<ctrl-c>").effects)).toEqual(["stop", "stop"]);
  });
});

test("Ctrl-C empties the prompt first, Ctrl-D leaves an empty one", () => {
  const emptied = play(fresh, "draft<ctrl-c>");
  expect([emptied.state.editor.text, emptied.effects]).toEqual(["", [{ type: "remember", text: "draft" }]]);
  expect(kinds(play(fresh, "<ctrl-c><ctrl-c>").effects)).toEqual(["leave"]);
  expect([
    kinds(play(fresh, "<ctrl-d>").effects),
    kinds(play(fresh, "x<ctrl-d>").effects),
    kinds(play(fresh, began, "<ctrl-d>").effects),
  ]).toEqual([["leave"], [], []]);
});

const paused: Action = { type: "paused" };

describe("a card", () => {
  test("is answered by one key, and what was written stays", () => {
    const answers = (key: string) => play(fresh, began, "draft", asks(approval), paused, key);
    expect(answers("y").effects).toEqual([
      { type: "answer", id: "c1", answer: { type: "approval", approval: { isAllowed: true }, isAlways: false } },
    ]);
    expect(answers("a").effects).toMatchObject([{ answer: { approval: { isAllowed: true }, isAlways: true } }]);
    expect(answers("n").effects).toMatchObject([{ answer: { approval: { isAllowed: false }, isAlways: false } }]);
    expect(answers("d").state.reply?.text).toBe("");
    expect(answers("dno thanks<enter>").effects).toEqual([]); // one chunk of text is no answer
    expect(play(fresh, began, "draft", asks(approval), paused, "d", "no thanks<enter>").effects).toMatchObject([
      { answer: { approval: { isAllowed: false, reason: "no thanks" } } },
    ]);
    expect([answers("y").state.editor.text, answers("y").state.cards]).toEqual(["draft", []]);
  });

  test("takes no key of somebody who is in the middle of typing", () => {
    const typing = play(fresh, began, "dra");
    const shown = play(typing.state, asks(approval, typing.state.keyAt + 100), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["dray", []]);
    expect(kinds(play(shown.state, { type: "paused" }, "y").effects)).toEqual(["answer"]);
  });

  test("takes no key that was pressed when it had hardly come", () => {
    const shown = play(fresh, began, asks(approval), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["y", []]);
  });

  test("that takes the place of one that is gone is not answered by a key for that one", () => {
    const two = play(
      fresh,
      began,
      asks(approval),
      asks({ ...approval, id: "c2" }),
      paused,
      { type: "card-gone", id: "c1", at: 5 },
      "y",
    );
    expect([two.effects, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([[], ["c2"], "y"]);
  });

  test("that waits behind another is not answered by the same breath", () => {
    const two = play(fresh, began, asks(approval), asks({ ...approval, id: "c2" }), paused, "y", "y");
    expect([two.effects.length, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([1, ["c2"], "y"]);
  });

  test("no paste answers it, and Escape stops the run or goes back from a reason", () => {
    expect(
      play(fresh, began, asks(approval), paused, { type: "key", key: { type: "paste", text: "y" }, at: 0 }).effects,
    ).toEqual([]);
    expect(kinds(play(fresh, began, asks(approval), "<escape>").effects)).toEqual(["stop"]);
    const back = play(fresh, began, asks(approval), paused, "d", "<escape>");
    expect([back.state.reply, back.effects]).toEqual([undefined, []]);
  });

  test("with a question is answered by number, in own words, or not at all", () => {
    const asked = play(fresh, began, asks(question), paused);
    expect(play(asked.state, "2").effects).toEqual([
      { type: "answer", id: "q1", answer: { type: "question", text: "green" } },
    ]);
    expect(play(asked.state, "blue", "2<enter>").effects).toMatchObject([{ answer: { text: "blue2" } }]);
    expect(play(asked.state, "<enter>").effects).toMatchObject([{ answer: { text: undefined } }]);
  });

  test("goes when nobody waits for it any more", () => {
    expect(play(fresh, began, asks(approval), { type: "card-gone", id: "c1", at: 0 }).state.cards).toEqual([]);
    expect(play(fresh, began, asks(approval), ended()).state.cards).toEqual([]);
  });

  test("leaves all of what it asks about in the scrollback", () => {
    expect(play(fresh, began, asks(approval)).state.entries).toEqual([
      { type: "asked", title: "bash", lines: approval.lines, reason: "it removes" },
    ]);
  });
});

describe("the guardian's words", () => {
  const spoke: Action = {
    type: "progress",
    items: [{ type: "guardian", turn: 1, intervention: intervention() }],
    live: fresh.live,
    meter: {},
  };

  test("are kept until it is over", () => {
    const heard = play(fresh, began, spoke);
    expect([heard.state.interventions.length, heard.state.isRecovered]).toEqual([1, false]);
    const over = play(heard.state, {
      type: "progress",
      items: [{ type: "recovered", turn: 2, episode: "e1" }],
      live: fresh.live,
      meter: {},
    });
    expect(over.state.isRecovered).toBe(true);
  });

  test("open to their evidence by a key, from which they are muted", () => {
    expect(play(fresh, "<ctrl-g>").state.hint).toBe("The guardian has said nothing yet.");
    expect(play(fresh, began, spoke, "<ctrl-g>").effects).toEqual([{ type: "show-evidence" }]);
    const open = play(fresh, began, spoke, { type: "evidence", intervention: intervention(), calls: [] });
    expect(play(open.state, "t").effects).toEqual([{ type: "mute", detector: "doom-loop", tool: "bash" }]);
    expect(play(open.state, "m").effects).toEqual([{ type: "mute", detector: "doom-loop" }]);
    expect(play(open.state, "<escape>").state.panel).toBeUndefined();
    expect(play(open.state, "<escape>").effects).toEqual([]);
    expect(play(open.state, ended(), "m").effects).toEqual([]);
    const limit: Action = { type: "evidence", intervention: intervention({ detector: "run-cost" }), calls: [] };
    expect(play(fresh, began, spoke, limit, "m").effects).toEqual([]);
  });
});

describe("the list of sessions", () => {
  const session = (sessionId: string, prompt: string) => ({
    sessionId,
    createdAt: 0,
    updatedAt: Date.UTC(2026, 0, 5),
    messages: 2,
    lastRun: {
      runId: "r",
      prompt,
      startedAt: 0,
      state: "completed" as const,
      turns: 1,
      usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false },
      costNanoUsd: 0,
    },
  });
  const list: Action = {
    type: "sessions",
    all: [session("ses_a", "Apples and pears"), session("ses_b", "Pears"), session("ses_c", "Plums")],
  };

  test("is searched by all words in any order", () => {
    expect(play(fresh, list, "pears app<enter>").effects).toEqual([{ type: "open", sessionId: "ses_a" }]);
    expect(play(fresh, list, "2026-01-05 plu<enter>").effects).toEqual([{ type: "open", sessionId: "ses_c" }]);
    expect(play(fresh, list, "cherries<enter>").effects).toEqual([]);
  });

  test("is walked through and left", () => {
    expect(play(fresh, list, "<down><down><down><up><enter>").effects).toEqual([{ type: "open", sessionId: "ses_b" }]);
    expect(play(fresh, list, "x<escape>").state.panel).toBeUndefined();
  });
});

test("what is used is counted for the run and for the session", () => {
  const used = play(fresh, began, {
    type: "progress",
    items: [],
    live: fresh.live,
    meter: { runNanoUsd: 7, tokens: 9, contextTokens: 3 },
  });
  expect(used.state.meter).toEqual({ runNanoUsd: 7, earlierNanoUsd: 0, tokens: 9, contextTokens: 3 });
  expect(play(used.state, { type: "spent-before", nanoUsd: 4 }).state.meter).toEqual({
    runNanoUsd: 7,
    earlierNanoUsd: 4,
    tokens: 9,
    contextTokens: 3,
  });
  expect(play(used.state, ended()).state.meter).toMatchObject({ runNanoUsd: 0, earlierNanoUsd: 5_000_000_000 });
});

test("a session that is opened brings what the guardian said in it, the same with another model changes nothing", () => {
  const spoken = { type: "guardian", turn: 1, intervention: intervention() } as const;
  const spoke = play(fresh, { type: "progress", items: [spoken], live: fresh.live, meter: {} });
  const opened = (sessionId: string, entries: Extract<Action, { type: "opened" }>["entries"] = []): Action => ({
    type: "opened",
    place: { ...fresh.place, sessionId },
    sessionNanoUsd: 1,
    contextTokens: 2,
    entries,
  });
  expect(play(spoke.state, opened("ses_2")).state.interventions).toEqual([]);
  expect(play(fresh, opened("ses_2", [spoken, { type: "recovered", turn: 1, episode: "e1" }])).state).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: true,
  });
  expect(play(spoke.state, opened("ses_1")).state).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: false,
  });
});

test("what Ctrl-C takes away from the prompt is had again by Up", () => {
  const { state, effects } = play(fresh, "a long thought<ctrl-c>", "<up>");
  expect([state.editor.text, effects]).toEqual(["a long thought", [{ type: "remember", text: "a long thought" }]]);
});
