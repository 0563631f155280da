import type { RunAnswer } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import type { ApprovalCard, Card, QuestionCard, RunCard } from "../cards/card.ts";
import type { ChatAction } from "./chat-action.ts";
import { intervention, newChat, playChat, runEnded, runStarted } from "./testing.ts";

const approval: ApprovalCard = {
  type: "approval",
  id: "c1",
  tool: "bash",
  title: "bash",
  lines: [{ sign: " ", text: "rm -rf build" }],
  reason: "it removes",
};
const runCard: RunCard = { type: "run", id: "r1", status: "5 turns", continueChoice: "continue" };
const question: QuestionCard = { type: "question", id: "q1", text: "Which?", choices: ["red", "green"] };
const cardShown = (card: Card, at = 1e9): ChatAction => ({ type: "card", card, at });
const types = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

describe("the prompt", () => {
  test("sends the text and adds it to the history", () => {
    const { state, effects } = playChat(newChat, "hello<enter>");
    expect(effects).toEqual([
      { type: "remember", text: "hello" },
      { type: "prompt", text: "hello" },
    ]);
    expect([state.editor.text, state.history.at(-1)]).toEqual(["", "hello"]);
    expect(playChat(newChat, "  <enter>").effects).toEqual([]);
  });

  test("starts a new line with Ctrl-J, and with a backslash before Enter", () => {
    expect(playChat(newChat, "a<newline>b\\<enter>c").state.editor.text).toBe("a\nb\nc");
  });

  test("moves back through the history, and forward to the unsent text", () => {
    expect(playChat(newChat, "draft<up>").state.editor.text).toBe("old");
    expect(playChat(newChat, "draft<up><up><up>").state.editor.text).toBe("older");
    expect(playChat(newChat, "draft<up><up><down><down>").state.editor.text).toBe("draft");
    expect(playChat(newChat, "draft<up>!<down>").state.editor.text).toBe("old!"); // an edited text is a new text
  });

  test("treats a paste as text, never as keys", () => {
    const pasted = playChat(newChat, { type: "key", key: { type: "paste", text: "one\r\ntwo\r\u001b[2J" }, at: 0 });
    expect([pasted.state.editor.text, pasted.effects]).toEqual(["one\ntwo\n", []]);
  });

  test("distinguishes commands, paths and unknown commands", () => {
    expect(playChat(newChat, "/budget 2.50<enter>").effects.at(-1)).toEqual({
      type: "command",
      name: "budget",
      argument: "2.50",
    });
    expect(types(playChat(newChat, "/usr/bin is full<enter>").effects)).toEqual(["remember", "prompt"]);
    const wrong = playChat(newChat, "/hlep<enter>");
    expect([wrong.state.hint, wrong.state.editor.text, wrong.effects]).toEqual([
      "There is no command /hlep. Did you mean /help? /help lists all commands.",
      "",
      [],
    ]);
    expect(playChat(wrong.state, "<up>").state.editor.text).toBe("/hlep");
    for (const text of ["/no-such", "/foo2 bar", "/foo:bar"])
      expect(types(playChat(newChat, `${text}<enter>`).effects)).toEqual([]);
    expect(types(playChat(newChat, runStarted, "/foo<ctrl-s>").effects)).toEqual([]);
    expect(playChat(newChat, "/se<tab>").state.editor.text).toBe("/sessions ");
    expect(playChat(newChat, "/c<tab>").state.editor.text).toBe("/c");
    expect(playChat(newChat, "/co<tab>").state.editor.text).toBe("/co");
    expect(playChat(newChat, "/con<tab>").state.editor.text).toBe("/context ");
  });
});

describe("during a run", () => {
  test("Enter queues a prompt, which is sent after the answer", () => {
    const queued = playChat(newChat, runStarted, "one<enter>two<enter>");
    expect([queued.state.queue, types(queued.effects)]).toEqual([
      ["one", "two"],
      ["remember", "remember"],
    ]);
    const next = playChat(queued.state, runEnded());
    expect([next.effects, next.state.queue]).toEqual([[{ type: "prompt", text: "one" }], ["two"]]);
  });

  test("after a stopped run, the queue waits for the user", () => {
    const held = playChat(newChat, runStarted, "one<enter>", runEnded({ state: "cancelled", reason: "cancelled" }));
    expect([held.state.isQueueHeld, held.state.queue, types(held.effects)]).toEqual([true, ["one"], ["remember"]]);
    expect(playChat(held.state, "<enter>").effects).toEqual([{ type: "prompt", text: "one" }]);
    expect(playChat(held.state, "<up>").state).toMatchObject({
      queue: [],
      isQueueHeld: false,
      editor: { text: "one" },
    });
  });

  test("a run that did not complete shows how to continue", () => {
    expect(playChat(newChat, runStarted, runEnded({ state: "cancelled", reason: "cancelled" })).state.hint).toBe(
      "/retry resumes the run.",
    );
    expect(playChat(newChat, runStarted, runEnded({ state: "budget_exceeded", reason: "run_budget" })).state.hint).toBe(
      "/budget changes the limit, /retry resumes the run.",
    );
    expect(playChat(newChat, runStarted, runEnded()).state.hint).toBeUndefined();
  });

  test("Ctrl-S and Alt-Enter send the text to the run, or the newest text of the queue", () => {
    expect(playChat(newChat, runStarted, "left!<ctrl-s>").effects.at(-1)).toEqual({ type: "steer", text: "left!" });
    const queued = playChat(newChat, runStarted, "one<enter><alt-enter>");
    expect([queued.effects.at(-1), queued.state.queue]).toEqual([{ type: "steer", text: "one" }, []]);
    expect(playChat(newChat, "hello<ctrl-s>").effects.at(-1)).toEqual({ type: "prompt", text: "hello" });
  });

  test("a message that comes too late for the run is queued", () => {
    expect(playChat(newChat, runStarted, { type: "queued", text: "late" }, runEnded()).effects).toEqual([
      { type: "prompt", text: "late" },
    ]);
  });

  test("Escape stops the run; Ctrl-C stops it, and leaves the second time", () => {
    expect(playChat(newChat, runStarted, "<escape>")).toMatchObject({
      state: { run: { isStopping: true } },
      effects: [{ type: "stop" }],
    });
    expect(types(playChat(newChat, runStarted, "<ctrl-c><ctrl-c>").effects)).toEqual(["stop", "leave"]);
    expect(types(playChat(newChat, runStarted, "<ctrl-c>x<ctrl-c>").effects)).toEqual(["stop", "stop"]);
  });
});

test("Ctrl-C clears the prompt first, Ctrl-D leaves at an empty prompt", () => {
  const emptied = playChat(newChat, "draft<ctrl-c>");
  expect([emptied.state.editor.text, emptied.effects]).toEqual(["", [{ type: "remember", text: "draft" }]]);
  expect(types(playChat(newChat, "<ctrl-c><ctrl-c>").effects)).toEqual(["stop", "leave"]);
  expect([
    types(playChat(newChat, "<ctrl-d>").effects),
    types(playChat(newChat, "x<ctrl-d>").effects),
    types(playChat(newChat, runStarted, "<ctrl-d>").effects),
  ]).toEqual([["leave"], [], []]);
});

const paused: ChatAction = { type: "paused" };

describe("a card", () => {
  test("is answered by one key, and the text at the prompt stays", () => {
    const answers = (key: string) => playChat(newChat, runStarted, "draft", cardShown(approval), paused, key);
    expect(answers("y").effects).toEqual([
      { type: "answer", id: "c1", answer: { type: "approval", approval: { isAllowed: true }, isAlways: false } },
    ]);
    expect(answers("a").effects).toMatchObject([{ answer: { approval: { isAllowed: true }, isAlways: true } }]);
    expect(answers("n").effects).toMatchObject([{ answer: { approval: { isAllowed: false }, isAlways: false } }]);
    expect(answers("d").state.reply?.text).toBe("");
    expect(answers("dno thanks<enter>").effects).toEqual([]); // a chunk of several characters is not an answer
    expect(
      playChat(newChat, runStarted, "draft", cardShown(approval), paused, "d", "no thanks<enter>").effects,
    ).toMatchObject([{ answer: { approval: { isAllowed: false, reason: "no thanks" } } }]);
    expect([answers("y").state.editor.text, answers("y").state.cards]).toEqual(["draft", []]);
  });

  test("takes no key while the user is typing", () => {
    const typing = playChat(newChat, runStarted, "dra");
    const shown = playChat(typing.state, cardShown(approval, typing.state.keyAt + 100), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["dray", []]);
    expect(types(playChat(shown.state, { type: "paused" }, "y").effects)).toEqual(["answer"]);
  });

  test("takes no key right after it appeared", () => {
    const shown = playChat(newChat, runStarted, cardShown(approval), "y");
    expect([shown.state.editor.text, shown.effects]).toEqual(["y", []]);
  });

  test("that replaces a withdrawn card is not answered by a key for that card", () => {
    const two = playChat(
      newChat,
      runStarted,
      cardShown(approval),
      cardShown({ ...approval, id: "c2" }),
      paused,
      { type: "card-withdrawn", id: "c1", at: 5 },
      "y",
    );
    expect([two.effects, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([[], ["c2"], "y"]);
  });

  test("that waits behind another card is not answered by the next key", () => {
    const two = playChat(
      newChat,
      runStarted,
      cardShown(approval),
      cardShown({ ...approval, id: "c2" }),
      paused,
      "y",
      "y",
    );
    expect([two.effects.length, two.state.cards.map(({ id }) => id), two.state.editor.text]).toEqual([1, ["c2"], "y"]);
  });

  test("is not answered by a paste, and Escape stops the run or leaves the reason", () => {
    expect(
      playChat(newChat, runStarted, cardShown(approval), paused, {
        type: "key",
        key: { type: "paste", text: "y" },
        at: 0,
      }).effects,
    ).toEqual([]);
    expect(types(playChat(newChat, runStarted, cardShown(approval), "<escape>").effects)).toEqual(["stop"]);
    const back = playChat(newChat, runStarted, cardShown(approval), paused, "d", "<escape>");
    expect([back.state.reply, back.effects]).toEqual([undefined, []]);
  });

  test("about the run is answered with stop, continue or a message; typed-ahead keys do not answer", () => {
    const asked = playChat(newChat, runStarted, cardShown(runCard), paused);
    const answer = (given: RunAnswer) => [{ type: "answer", id: "r1", answer: { type: "run", answer: given } }];
    expect(playChat(asked.state, "s").effects).toEqual(answer({ type: "stop" }));
    expect(playChat(asked.state, "C").effects).toEqual(answer({ type: "continue" }));
    expect(playChat(asked.state, "t", "in src", "<enter>").effects).toEqual(answer({ type: "tell", text: "in src" }));
    expect(playChat(asked.state, "t", "<enter>").effects).toEqual([]); // an empty message is none
    expect(playChat(asked.state, "t", "in", "<escape>", "c").effects).toEqual(answer({ type: "continue" }));
    expect(playChat(asked.state, "x", "<enter>").effects).toEqual([]);
    const unready = playChat(newChat, runStarted, cardShown(runCard), "c", "s");
    expect([unready.effects, unready.state.editor.text]).toEqual([[], "cs"]);
  });

  test("with a question is answered by number, in words, or not at all", () => {
    const asked = playChat(newChat, runStarted, cardShown(question), paused);
    expect(playChat(asked.state, "2").effects).toEqual([
      { type: "answer", id: "q1", answer: { type: "question", text: "green" } },
    ]);
    expect(playChat(asked.state, "blue", "2<enter>").effects).toMatchObject([{ answer: { text: "blue2" } }]);
    expect(playChat(asked.state, "<enter>").effects).toMatchObject([{ answer: { text: undefined } }]);
  });

  test("disappears when it is withdrawn or the run ends", () => {
    expect(
      playChat(newChat, runStarted, cardShown(approval), { type: "card-withdrawn", id: "c1", at: 0 }).state.cards,
    ).toEqual([]);
    expect(playChat(newChat, runStarted, cardShown(approval), runEnded()).state.cards).toEqual([]);
  });

  test("puts the whole call into the scrollback", () => {
    expect(playChat(newChat, runStarted, cardShown(approval)).state.entries).toEqual([
      { type: "approval", title: "bash", lines: approval.lines, reason: "it removes" },
    ]);
  });
});

describe("an intervention", () => {
  const intervened: ChatAction = {
    type: "progress",
    items: [{ type: "guardian", seq: 1, at: 1, turn: 1, intervention: intervention() }],
    live: newChat.live,
    meter: {},
  };

  test("stays active until the run has recovered", () => {
    const active = playChat(newChat, runStarted, intervened);
    expect([active.state.interventions.length, active.state.isRecovered]).toEqual([1, false]);
    const recovered = playChat(active.state, {
      type: "progress",
      items: [{ type: "recovered", seq: 1, at: 1, turn: 2, episode: "e1" }],
      live: newChat.live,
      meter: {},
    });
    expect(recovered.state.isRecovered).toBe(true);
  });

  test("shows its evidence on a key, and can be muted there", () => {
    expect(playChat(newChat, "<ctrl-g>").state.hint).toBe("The guardian has not intervened yet.");
    expect(playChat(newChat, runStarted, intervened, "<ctrl-g>").effects).toEqual([{ type: "show-evidence" }]);
    const open = playChat(newChat, runStarted, intervened, {
      type: "evidence",
      intervention: intervention(),
      calls: [],
    });
    expect(playChat(open.state, "t").effects).toEqual([{ type: "mute", detector: "doom-loop", tool: "bash" }]);
    expect(playChat(open.state, "m").effects).toEqual([{ type: "mute", detector: "doom-loop" }]);
    expect(playChat(open.state, "<escape>").state.panel).toBeUndefined();
    expect(playChat(open.state, "<escape>").effects).toEqual([]);
    expect(playChat(open.state, runEnded(), "m").effects).toEqual([]);
    const limit: ChatAction = { type: "evidence", intervention: intervention({ detector: "run-cost" }), calls: [] };
    expect(playChat(newChat, runStarted, intervened, limit, "m").effects).toEqual([]);
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

  test("is searched for all words in any order", () => {
    expect(playChat(newChat, list, "pears app<enter>").effects).toEqual([{ type: "open", sessionId: "ses_a" }]);
    expect(playChat(newChat, list, "2026-01-05 plu<enter>").effects).toEqual([{ type: "open", sessionId: "ses_c" }]);
    expect(playChat(newChat, list, "cherries<enter>").effects).toEqual([]);
  });

  test("can be navigated and closed", () => {
    expect(playChat(newChat, list, "<down><down><down><up><enter>").effects).toEqual([
      { type: "open", sessionId: "ses_b" },
    ]);
    expect(playChat(newChat, list, "x<escape>").state.panel).toBeUndefined();
  });
});

test("usage is counted for the run and for the session", () => {
  const used = playChat(newChat, runStarted, {
    type: "progress",
    items: [],
    live: newChat.live,
    meter: { runNanoUsd: 7, tokens: 9, contextTokens: 3 },
  });
  expect(used.state.meter).toEqual({ runNanoUsd: 7, earlierNanoUsd: 0, tokens: 9, contextTokens: 3 });
  expect(playChat(used.state, { type: "earlier-cost", nanoUsd: 4 }).state.meter).toEqual({
    runNanoUsd: 7,
    earlierNanoUsd: 4,
    tokens: 9,
    contextTokens: 3,
  });
  expect(playChat(used.state, runEnded()).state.meter).toMatchObject({ runNanoUsd: 0, earlierNanoUsd: 5_000_000_000 });
});

test("opening a session loads its interventions; a change of the model keeps them", () => {
  const guardianItem = { type: "guardian", seq: 1, at: 1, turn: 1, intervention: intervention() } as const;
  const intervened = playChat(newChat, { type: "progress", items: [guardianItem], live: newChat.live, meter: {} });
  const opened = (sessionId: string, entries: Extract<ChatAction, { type: "opened" }>["entries"] = []): ChatAction => ({
    type: "opened",
    session: { ...newChat.session, sessionId },
    sessionNanoUsd: 1,
    contextTokens: 2,
    entries,
  });
  expect(playChat(intervened.state, opened("ses_2")).state.interventions).toEqual([]);
  expect(
    playChat(newChat, opened("ses_2", [guardianItem, { type: "recovered", seq: 1, at: 1, turn: 1, episode: "e1" }]))
      .state,
  ).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: true,
  });
  expect(playChat(intervened.state, opened("ses_1")).state).toMatchObject({
    interventions: [{ id: "e1/hint" }],
    isRecovered: false,
  });
});

test("Up restores a text that Ctrl-C has cleared", () => {
  const { state, effects } = playChat(newChat, "a long thought<ctrl-c>", "<up>");
  expect([state.editor.text, effects]).toEqual(["a long thought", [{ type: "remember", text: "a long thought" }]]);
});

test("a rule is shown with r and written with w; any other key goes back", () => {
  const rule = 'allow bash "git push *"';
  const shown = playChat(newChat, runStarted, cardShown({ ...approval, rule }), paused, "r");
  expect([shown.state.ruleShownOn, shown.effects]).toEqual(["c1", []]);
  expect(playChat(shown.state, "w").effects).toEqual([
    {
      type: "answer",
      id: "c1",
      answer: { type: "approval", approval: { isAllowed: true }, isAlways: false, isRule: true },
    },
  ]);
  for (const key of ["y", "r", "n", "<escape>"]) {
    const back = playChat(shown.state, key);
    expect([key, back.state.ruleShownOn, back.effects, back.state.cards.length]).toEqual([key, undefined, [], 1]);
  }
  const without = playChat(newChat, runStarted, cardShown(approval), paused, "r");
  expect([without.state.ruleShownOn, without.state.hint]).toEqual([undefined, "There is no rule for this call."]);
});
