import { describe, expect, test } from "vitest";
import type { ApprovalCard, QuestionCard } from "../cards/card.ts";
import type { ChatAction } from "./chat-action.ts";
import { runStarted, runEnded, newChat, intervention, playChat } from "./testing.ts";

const approval: ApprovalCard = {
  type: "approval",
  id: "c1",
  tool: "bash",
  title: "bash",
  lines: [{ sign: " ", text: "rm -rf build" }],
  reason: "it removes",
};
const question: QuestionCard = { type: "question", id: "q1", text: "Which?", choices: ["red", "green"] };
const asks = (card: ApprovalCard | QuestionCard, at = 1e9): ChatAction => ({ type: "card", card, at });
const kinds = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

describe("the prompt", () => {
  test("sends what is written, and keeps it for later", () => {
    const { state, effects } = playChat(newChat, "hello<enter>");
    expect(effects).toEqual([
      { type: "remember", text: "hello" },
      { type: "prompt", text: "hello" },
    ]);
    expect([state.editor.text, state.history.at(-1)]).toEqual(["", "hello"]);
    expect(playChat(newChat, "  <enter>").effects).toEqual([]);
  });

  test("breaks a line by Ctrl-J and by a backslash before Enter", () => {
    expect(playChat(newChat, "a<newline>b\\<enter>c").state.editor.text).toBe("a\nb\nc");
  });

  test("goes back through what was sent, and forth to what was being written", () => {
    expect(playChat(newChat, "draft<up>").state.editor.text).toBe("old");
    expect(playChat(newChat, "draft<up><up><up>").state.editor.text).toBe("older");
    expect(playChat(newChat, "draft<up><up><down><down>").state.editor.text).toBe("draft");
    expect(playChat(newChat, "draft<up>!<down>").state.editor.text).toBe("old!"); // what is changed is a new text
  });

  test("never takes a paste for keys", () => {
    const pasted = playChat(newChat, { type: "key", key: { type: "paste", text: "one\r\ntwo\r\u001b[2J" }, at: 0 });
    expect([pasted.state.editor.text, pasted.effects]).toEqual(["one\ntwo\n", []]);
  });

  test("knows commands, paths and mistakes apart", () => {
    expect(playChat(newChat, "/budget 2.50<enter>").effects.at(-1)).toEqual({
      type: "command",
      name: "budget",
      argument: "2.50",
    });
    expect(kinds(playChat(newChat, "/usr/bin is full<enter>").effects)).toEqual(["remember", "prompt"]);
    const wrong = playChat(newChat, "/hlep<enter>");
    expect([wrong.state.hint, wrong.state.editor.text, wrong.effects]).toEqual([
      "There is no /hlep; did you mean /help? /help lists them.",
      "/hlep",
      [],
    ]);
    expect(playChat(newChat, "/se<tab>").state.editor.text).toBe("/sessions ");
    expect(playChat(newChat, "/c<tab>").state.editor.text).toBe("/c");
    expect(playChat(newChat, "/co<tab>").state.editor.text).toBe("/co");
    expect(playChat(newChat, "/con<tab>").state.editor.text).toBe("/context ");
  });
});

describe("while a run goes on", () => {
  test("Enter queues, and the next is sent when it is answered", () => {
    const queued = playChat(newChat, runStarted, "one<enter>two<enter>");
    expect([queued.state.queue, kinds(queued.effects)]).toEqual([
      ["one", "two"],
      ["remember", "remember"],
    ]);
    const next = playChat(queued.state, runEnded());
    expect([next.effects, next.state.queue]).toEqual([[{ type: "prompt", text: "one" }], ["two"]]);
  });

  test("a run that was stopped holds the queue until a person says so", () => {
    const held = playChat(newChat, runStarted, "one<enter>", runEnded({ state: "cancelled", reason: "cancelled" }));
    expect([held.state.isQueueHeld, held.state.queue, kinds(held.effects)]).toEqual([true, ["one"], ["remember"]]);
    expect(playChat(held.state, "<enter>").effects).toEqual([{ type: "prompt", text: "one" }]);
    expect(playChat(held.state, "<up>").state).toMatchObject({ queue: [], isQueueHeld: false, editor: { text: "one" } });
  });

  test("a run that did not come to its end says how to go on", () => {
    expect(playChat(newChat, runStarted, runEnded({ state: "cancelled", reason: "cancelled" })).state.hint).toBe("/retry goes on.");
    expect(playChat(newChat, runStarted, runEnded({ state: "budget_exceeded", reason: "run_budget" })).state.hint).toBe(
      "/budget sets the limit anew, /retry goes on.",
    );
    expect(playChat(newChat, runStarted, runEnded()).state.hint).toBeUndefined();
  });

  test("Ctrl-S and Alt-Enter say it at once, or the newest of the queue", () => {
    expect(playChat(newChat, runStarted, "left!<ctrl-s>").effects.at(-1)).toEqual({ type: "steer", text: "left!" });
    const queued = playChat(newChat, runStarted, "one<enter><alt-enter>");
    expect([queued.effects.at(-1), queued.state.queue]).toEqual([{ type: "steer", text: "one" }, []]);
    expect(playChat(newChat, "hello<ctrl-s>").effects.at(-1)).toEqual({ type: "prompt", text: "hello" });
  });

  test("what came too late to be heard is queued", () => {
    expect(playChat(newChat, runStarted, { type: "queued", text: "late" }, runEnded()).effects).toEqual([
      { type: "prompt", text: "late" },
    ]);
  });

  test("Escape stops it; Ctrl-C stops it and the second time leaves", () => {
    expect(playChat(newChat, runStarted, "<escape>")).toMatchObject({
      state: { run: { isStopping: true } },
      effects: [{ type: "stop" }],
    });
    expect(kinds(playChat(newChat, runStarted, "<ctrl-c><ctrl-c>").effects)).toEqual(["stop", "leave"]);
    expect(kinds(playChat(newChat, runStarted, "<ctrl-c>x<ctrl-c>").effects)).toEqual(["stop", "stop"]);
  });
});

test("Ctrl-C empties the prompt first, Ctrl-D leaves an empty one", () => {
  const emptied = playChat(newChat, "draft<ctrl-c>");
  expect([emptied.state.editor.text, emptied.effects]).toEqual(["", [{ type: "remember", text: "draft" }]]);
  expect(kinds(playChat(newChat, "<ctrl-c><ctrl-c>").effects)).toEqual(["leave"]);
  expect([
    kinds(playChat(newChat, "<ctrl-d>").effects),
    kinds(playChat(newChat, "x<ctrl-d>").effects),
    kinds(playChat(newChat, runStarted, "<ctrl-d>").effects),
  ]).toEqual([["leave"], [], []]);
});

const paused: ChatAction = { type: "paused" };

describe("a card", () => {
  test("is answered by one key, and what was written stays", () => {
    const answers = (key: string) => playChat(newChat, runStarted, "draft", asks(approval), paused, key);
    expect(answers("y").effects).toEqual([
      { type: "answer", id: "c1", answer: { type: "approval", approval: { isAllowed: true }, isAlways: false } },
    ]);
    expect(answers("a").effects).toMatchObject([{ answer: { approval: { isAllowed: true }, isAlways: true } }]);
    expect(answers("n").effects).toMatchObject([{ answer: { approval: { isAllowed: false }, isAlways: false } }]);
    expect(answers("d").state.reply?.text).toBe("");
    expect(answers("dno thanks<enter>").effects).toEqual([]); // one chunk of text is no answer
    expect(playChat(newChat, runStarted, "draft", asks(approval), paused, "d", "no thanks<enter>").effects).toMatchObject([
      { answer: { approval: { isAllowed: false, reason: "no thanks" } } },
    ]);
    expect([answers("y").state.editor.text, answers("y").state.cards]).toEqual(["draft", []]);
  });

  test("takes no key of somebody who is in the middle of typing", () => {
    const typing = playChat(newChat, runStarted, "dra");
    const shown = playChat(typing.state, asks(approval, typing.state.keyAt + 100), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["dray", []]);
    expect(kinds(playChat(shown.state, { type: "paused" }, "y").effects)).toEqual(["answer"]);
  });

  test("takes no key that was pressed when it had hardly come", () => {
    const shown = playChat(newChat, runStarted, asks(approval), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["y", []]);
  });

  test("that takes the place of one that is gone is not answered by a key for that one", () => {
    const two = playChat(
      newChat,
      runStarted,
      asks(approval),
      asks({ ...approval, id: "c2" }),
      paused,
      { type: "card-gone", id: "c1", at: 5 },
      "y",
    );
    expect([two.effects, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([[], ["c2"], "y"]);
  });

  test("that waits behind another is not answered by the same breath", () => {
    const two = playChat(newChat, runStarted, asks(approval), asks({ ...approval, id: "c2" }), paused, "y", "y");
    expect([two.effects.length, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([1, ["c2"], "y"]);
  });

  test("no paste answers it, and Escape stops the run or goes back from a reason", () => {
    expect(
      playChat(newChat, runStarted, asks(approval), paused, { type: "key", key: { type: "paste", text: "y" }, at: 0 }).effects,
    ).toEqual([]);
    expect(kinds(playChat(newChat, runStarted, asks(approval), "<escape>").effects)).toEqual(["stop"]);
    const back = playChat(newChat, runStarted, asks(approval), paused, "d", "<escape>");
    expect([back.state.reply, back.effects]).toEqual([undefined, []]);
  });

  test("with a question is answered by number, in own words, or not at all", () => {
    const asked = playChat(newChat, runStarted, asks(question), paused);
    expect(playChat(asked.state, "2").effects).toEqual([
      { type: "answer", id: "q1", answer: { type: "question", text: "green" } },
    ]);
    expect(playChat(asked.state, "blue", "2<enter>").effects).toMatchObject([{ answer: { text: "blue2" } }]);
    expect(playChat(asked.state, "<enter>").effects).toMatchObject([{ answer: { text: undefined } }]);
  });

  test("goes when nobody waits for it any more", () => {
    expect(playChat(newChat, runStarted, asks(approval), { type: "card-gone", id: "c1", at: 0 }).state.cards).toEqual([]);
    expect(playChat(newChat, runStarted, asks(approval), runEnded()).state.cards).toEqual([]);
  });

  test("leaves all of what it asks about in the scrollback", () => {
    expect(playChat(newChat, runStarted, asks(approval)).state.entries).toEqual([
      { type: "asked", title: "bash", lines: approval.lines, reason: "it removes" },
    ]);
  });
});

describe("the guardian's words", () => {
  const spoke: ChatAction = {
    type: "progress",
    items: [{ type: "guardian", turn: 1, intervention: intervention() }],
    live: newChat.live,
    meter: {},
  };

  test("are kept until it is over", () => {
    const heard = playChat(newChat, runStarted, spoke);
    expect([heard.state.interventions.length, heard.state.isRecovered]).toEqual([1, false]);
    const over = playChat(heard.state, {
      type: "progress",
      items: [{ type: "recovered", turn: 2, episode: "e1" }],
      live: newChat.live,
      meter: {},
    });
    expect(over.state.isRecovered).toBe(true);
  });

  test("open to their evidence by a key, from which they are muted", () => {
    expect(playChat(newChat, "<ctrl-g>").state.hint).toBe("The guardian has said nothing yet.");
    expect(playChat(newChat, runStarted, spoke, "<ctrl-g>").effects).toEqual([{ type: "show-evidence" }]);
    const open = playChat(newChat, runStarted, spoke, { type: "evidence", intervention: intervention(), calls: [] });
    expect(playChat(open.state, "t").effects).toEqual([{ type: "mute", detector: "doom-loop", tool: "bash" }]);
    expect(playChat(open.state, "m").effects).toEqual([{ type: "mute", detector: "doom-loop" }]);
    expect(playChat(open.state, "<escape>").state.panel).toBeUndefined();
    expect(playChat(open.state, "<escape>").effects).toEqual([]);
    expect(playChat(open.state, runEnded(), "m").effects).toEqual([]);
    const limit: ChatAction = { type: "evidence", intervention: intervention({ detector: "run-cost" }), calls: [] };
    expect(playChat(newChat, runStarted, spoke, limit, "m").effects).toEqual([]);
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
  const list: ChatAction = {
    type: "sessions",
    all: [session("ses_a", "Apples and pears"), session("ses_b", "Pears"), session("ses_c", "Plums")],
  };

  test("is searched by all words in any order", () => {
    expect(playChat(newChat, list, "pears app<enter>").effects).toEqual([{ type: "open", sessionId: "ses_a" }]);
    expect(playChat(newChat, list, "2026-01-05 plu<enter>").effects).toEqual([{ type: "open", sessionId: "ses_c" }]);
    expect(playChat(newChat, list, "cherries<enter>").effects).toEqual([]);
  });

  test("is walked through and left", () => {
    expect(playChat(newChat, list, "<down><down><down><up><enter>").effects).toEqual([{ type: "open", sessionId: "ses_b" }]);
    expect(playChat(newChat, list, "x<escape>").state.panel).toBeUndefined();
  });
});

test("what is used is counted for the run and for the session", () => {
  const used = playChat(newChat, runStarted, {
    type: "progress",
    items: [],
    live: newChat.live,
    meter: { runNanoUsd: 7, tokens: 9, contextTokens: 3 },
  });
  expect(used.state.meter).toEqual({ runNanoUsd: 7, earlierNanoUsd: 0, tokens: 9, contextTokens: 3 });
  expect(playChat(used.state, { type: "spent-before", nanoUsd: 4 }).state.meter).toEqual({
    runNanoUsd: 7,
    earlierNanoUsd: 4,
    tokens: 9,
    contextTokens: 3,
  });
  expect(playChat(used.state, runEnded()).state.meter).toMatchObject({ runNanoUsd: 0, earlierNanoUsd: 5_000_000_000 });
});

test("a session that is opened brings what the guardian said in it, the same with another model changes nothing", () => {
  const spoken = { type: "guardian", turn: 1, intervention: intervention() } as const;
  const spoke = playChat(newChat, { type: "progress", items: [spoken], live: newChat.live, meter: {} });
  const opened = (sessionId: string, entries: Extract<ChatAction, { type: "opened" }>["entries"] = []): ChatAction => ({
    type: "opened",
    session: { ...newChat.session, sessionId },
    sessionNanoUsd: 1,
    contextTokens: 2,
    entries,
  });
  expect(playChat(spoke.state, opened("ses_2")).state.interventions).toEqual([]);
  expect(playChat(newChat, opened("ses_2", [spoken, { type: "recovered", turn: 1, episode: "e1" }])).state).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: true,
  });
  expect(playChat(spoke.state, opened("ses_1")).state).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: false,
  });
});

test("what Ctrl-C takes away from the prompt is had again by Up", () => {
  const { state, effects } = playChat(newChat, "a long thought<ctrl-c>", "<up>");
  expect([state.editor.text, effects]).toEqual(["a long thought", [{ type: "remember", text: "a long thought" }]]);
});
