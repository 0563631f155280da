import type { Item } from "@sheepdog/agent/timeline";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { styleFor } from "../../../render/terminal/style.ts";
import { widthOf } from "../../../render/terminal/width.ts";
import type { ChatAction } from "../state/chat-action.ts";
import { intervention, newChat, playChat, runEnded, runStarted } from "../state/testing.ts";
import { editorLines } from "./editor-lines.ts";
import { entryLines } from "./entry-lines.ts";
import { footer } from "./footer.ts";
import { screenOf } from "./screen.ts";
import { symbolsFor, type ViewOptions } from "./view-options.ts";

const options = (columns: number, rows = 30): ViewOptions => ({
  style: styleFor({ write() {} }, {}),
  ...symbolsFor({}),
  columns,
  rows,
});
const progress = (more: Partial<Extract<ChatAction, { type: "progress" }>>): ChatAction => ({
  type: "progress",
  items: [],
  live: newChat.live,
  meter: {},
  ...more,
});
const streaming = (text: string): ChatAction => progress({ live: { ...newChat.live, text } });
const intervened = progress({ items: [{ type: "guardian", seq: 1, at: 1, turn: 1, intervention: intervention() }] });
const list: ChatAction = {
  type: "sessions",
  all: Array.from({ length: 50 }, (_, index) => ({
    sessionId: `ses_${index}`,
    createdAt: 0,
    updatedAt: 0,
    messages: 1,
  })),
};
const card: ChatAction = {
  type: "card",
  at: 1e9,
  card: {
    type: "approval",
    id: "c",
    tool: "bash",
    title: "bash",
    reason: "why ".repeat(50),
    lines: Array.from({ length: 80 }, (_, line) => ({ sign: "+", text: `line ${line} 羊飼い` })),
  },
};
const question: ChatAction = {
  type: "card",
  at: 1e9,
  card: { type: "question", id: "q", text: "Which one? ".repeat(30), choices: ["red", "green"] },
};
const runQuestion: Extract<ChatAction, { type: "card" }> = {
  type: "card",
  at: 1e9,
  card: { type: "run", id: "r", status: "5 turns", continueChoice: "continue" },
};
const evidence: ChatAction = {
  type: "evidence",
  intervention: intervention({ message: "The same ".repeat(60) }),
  calls: Array.from({ length: 40 }, () => ({ call: "bash make", outcome: "error: no rule" })),
};

describe("the screen", () => {
  test("is always one line shorter than the window and never wider, whatever is open", () => {
    const situations: readonly (readonly (ChatAction | string)[])[] = [
      ["typed text that is long enough for several lines ".repeat(20)],
      ["/"],
      [runStarted, streaming("words 羊飼い 👩‍👩‍👧 ".repeat(400))],
      [runStarted, "a<enter>b<enter>c<enter>d<enter>", streaming("x\n".repeat(200)), "half a sentence"],
      [runStarted, intervened, card],
      [runStarted, card, { type: "paused" }, "d", "because ".repeat(40)],
      [runStarted, question, { type: "paused" }, "an answer ".repeat(30)],
      [runStarted, intervened, runQuestion, { type: "paused" }],
      [runStarted, runQuestion, { type: "paused" }, "t", "look there ".repeat(40)],
      [list, "ses"],
      [runStarted, intervened, evidence],
      [{ type: "hint", text: "A long hint ".repeat(20) }],
    ];
    for (const situation of situations) {
      const { state } = playChat(newChat, ...situation);
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 220 }), fc.integer({ min: 1, max: 60 }), (columns, rows) => {
          const { lines, cursor } = screenOf(state, options(columns, rows));
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
          if (columns >= 10) expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
          if (cursor !== undefined) expect([cursor.y < lines.length, cursor.x <= columns + 10]).toEqual([true, true]);
        }),
        { numRuns: 20 },
      );
    }
  });

  test("shows the end of the streaming text, then the prompt, then the footer", () => {
    const { state } = playChat(newChat, runStarted, streaming("one\ntwo\nthree\nfour"), "next");
    expect(screenOf(state, options(80, 6)).lines).toEqual([
      "three",
      "four",
      "Enter queues · Ctrl-S sends now · Esc stops the run",
      "› next",
      "running 0 s · claude · $0 · context 0 % · 0 tokens",
    ]);
    expect(screenOf(state, options(80, 6)).cursor).toEqual({ x: 6, y: 3 });
  });

  test("removes control sequences from streaming text, also incomplete ones", () => {
    for (const half of ["\u001b", "\u001b[", "\u001b[2", "\u001b]0;title", "\u009b3"]) {
      const { state } = playChat(newChat, runStarted, streaming(`safe${half}`));
      expect(screenOf(state, options(80)).lines.join("")).not.toMatch(/\p{Cc}/u);
    }
  });

  test("asks how the run continues without the sentence of the intervention above", () => {
    const { state } = playChat(newChat, runStarted, intervened, runQuestion, { type: "paused" });
    expect(screenOf(state, options(80)).lines.slice(0, 3)).toEqual([
      "│ How should the run continue?",
      "│ 5 turns",
      "│ s stop · c continue · t tell the agent something",
    ]);
  });

  test("says why the previous answer about the run could not be used", () => {
    const again = { ...runQuestion, card: { ...runQuestion.card, problem: "The message has about 90,000 tokens." } };
    const { state } = playChat(newChat, runStarted, intervened, again, { type: "paused" });
    expect(screenOf(state, options(80)).lines.slice(0, 3)).toEqual([
      "│ The message has about 90,000 tokens.",
      "│ How should the run continue?",
      "│ 5 turns",
    ]);
  });

  test("explains the keys of a card", () => {
    const { state } = playChat(newChat, runStarted, card, { type: "paused" });
    expect(screenOf(state, options(100)).lines.join("\n")).toContain(
      "y once · a always exactly this call, in this session · n no · d no, and say why · Esc stop",
    );
    expect(screenOf(state, options(100)).lines.join("\n")).toContain("more lines: see above");
  });
});

test("a card in a small window shows the beginning of the call and of the reason", () => {
  const { state } = playChat(newChat, runStarted, card, { type: "paused" });
  expect(screenOf(state, options(40, 12)).lines).toEqual([
    "│ May the agent run this? bash",
    "│ + line 0 羊飼い",
    "│ + line 1 羊飼い",
    "│ … 78 more lines: see above",
    "│ Why you are asked: why why why why why",
    "│ y once · a always · n no · d say why ·",
    "│ Esc stop",
    "waiting for you · $0 · context 0 %",
  ]);
});

describe("the footer", () => {
  const busy = playChat(
    { ...newChat, session: { ...newChat.session, limits: { "run-cost": { stop: 2_000_000_000 } } } },
    runStarted,
    intervened,
    progress({ meter: { runNanoUsd: 500_000_000, earlierNanoUsd: 1_000_000_000, tokens: 12_345, contextTokens: 250 } }),
  ).state;

  test("shows the run, the guardian, model, cost of the limit, context and tokens", () => {
    expect(footer(busy, options(200))).toBe(
      "running 0 s · hinted doom-loop 3× · claude · $0.500 of $2.00 · session $1.50 · context 25 % · 12k tokens",
    );
  });

  test("drops the least important parts first", () => {
    expect(footer(busy, options(80))).toBe(
      "running 0 s · hinted doom-loop 3× · claude · $0.500 of $2.00 · context 25 %",
    );
    expect(footer(busy, options(40))).toBe("hinted doom-loop 3× · $0.500 of $2.00");
    expect(footer(busy, options(10))).toBe("hinted do…");
  });

  test("shows when a price is unknown, and when the run has recovered", () => {
    expect(footer(playChat(busy, progress({ meter: { runNanoUsd: null } })).state, options(200))).toContain(
      "price unknown · session $1.00",
    );
    expect(
      footer(
        playChat(busy, progress({ items: [{ type: "recovered", seq: 1, at: 1, turn: 1, episode: "e" }] })).state,
        options(200),
      ),
    ).toContain("recovered from doom-loop");
  });

  test("names the model, the cost and the context in a window of 40 columns", () => {
    expect(footer(newChat, options(40))).toBe("idle · claude · session $0 · context 0 %");
    expect(footer(playChat(newChat, runStarted).state, options(40))).toBe("running 0 s · claude · $0 · context 0 %");
  });

  test("shows no repetition count for a limit", () => {
    const warned = progress({
      items: [
        {
          type: "guardian",
          seq: 1,
          at: 1,
          turn: 1,
          intervention: intervention({ detector: "context", level: "warn", count: 85 }),
        },
      ],
    });
    expect(footer(playChat(newChat, runStarted, warned).state, options(80))).toContain(" warned context · ");
  });

  test("names what the user is asked about until it is answered", () => {
    const asked = intervention({ detector: "doom-loop", level: "block", count: 5, question: "It repeats." });
    const { state } = playChat(
      newChat,
      runStarted,
      progress({ items: [{ type: "guardian", seq: 1, at: 1, turn: 1, intervention: asked }] }),
      runQuestion,
    );
    expect(footer(state, options(80))).toContain(" asked about doom-loop 5× · ");
    const answered = playChat(state, { type: "card-withdrawn", id: "r", at: 1 }).state;
    expect(footer(answered, options(80))).not.toContain("doom-loop");
  });

  test("uses ASCII if the terminal supports nothing else", () => {
    expect(symbolsFor({ TERM: "dumb" }).symbols.bar).toBe("|");
    expect(symbolsFor({ LANG: "C" }).symbols.dot).toBe("-");
  });
});

describe("calls", () => {
  const call: Item = {
    type: "call",
    seq: 1,
    at: 1,
    callId: "c",
    turn: 0,
    tool: "bash",
    input: { command: "make" },
    status: "error",
    content: "no rule",
    ms: 100,
  };

  test("that repeat are one line with their number", () => {
    const ten = playChat(newChat, runStarted, ...Array.from({ length: 10 }, () => progress({ items: [call] }))).state;
    expect([ten.entries, screenOf(ten, options(80)).lines.slice(0, 2)]).toEqual([
      [],
      ["  bash make  ✗ 0.1 s  ×10", "    no rule"],
    ]);
    const { entries } = playChat(
      ten,
      progress({ items: [{ type: "text", seq: 1, at: 1, turn: 1, text: "I stop." }] }),
    ).state;
    expect(entries.flatMap((entry) => entryLines(entry, options(80)))).toEqual([
      "  bash make  ✗ 0.1 s  ×10",
      "    no rule",
      "I stop.",
    ]);
  });

  test("that differ are printed each, in their order, and the last one when the run ends", () => {
    const other: Item = { ...call, input: { command: "make all" } };
    const { entries } = playChat(newChat, runStarted, progress({ items: [call, other] }), runEnded()).state;
    expect(entries).toEqual([call, other]);
  });

  test("that are running are shown with the end of their output", () => {
    const running = { ...newChat.live, calls: [{ ...call, output: "1\n2\n3\n4\n5\n6\n" }] };
    const { lines } = screenOf(playChat(newChat, runStarted, progress({ live: running })).state, options(80));
    expect(lines.slice(0, 6)).toEqual(["› bash make …", "  2", "  3", "  4", "  5", "  6"]);
  });
});

describe("the lines of the editor", () => {
  test("show a long paste as one sign", () => {
    const text = Array.from({ length: 42 }, (_, line) => `line ${line}`).join("\n");
    const pasted = playChat(newChat, "Look: ", { type: "key", key: { type: "paste", text }, at: 0 }, "!");
    expect(screenOf(pasted.state, options(80)).lines[0]).toBe("› Look: [42 lines pasted]!");
    expect(playChat(pasted.state, "<enter>").effects.at(-1)).toEqual({
      type: "prompt",
      text: `Look: ${text}!`,
    });
    expect(playChat(pasted.state, "<backspace><backspace><enter>").effects.at(-1)).toEqual({
      type: "prompt",
      text: "Look:",
    });
  });

  test("break at the width and contain the cursor", () => {
    expect(editorLines({ text: "abcdef", cursor: 4 }, { columns: 3, rows: 5 })).toEqual({
      lines: ["abc", "def"],
      x: 1,
      y: 1,
    });
    expect(editorLines({ text: "abc", cursor: 3 }, { columns: 3, rows: 5 })).toEqual({
      lines: ["abc", ""],
      x: 0,
      y: 1,
    });
    expect(editorLines({ text: "羊飼い", cursor: 2 }, { columns: 5, rows: 5 })).toEqual({
      lines: ["羊飼", "い"],
      x: 0,
      y: 1,
    });
    expect(editorLines({ text: "a\n\nb", cursor: 2 }, { columns: 9, rows: 5 })).toEqual({
      lines: ["a", "", "b"],
      x: 0,
      y: 1,
    });
  });

  test("are those around the cursor if there are too many", () => {
    expect(editorLines({ text: "1\n2\n3\n4\n5", cursor: 9 }, { columns: 9, rows: 2 })).toEqual({
      lines: ["4", "5"],
      x: 1,
      y: 1,
    });
    expect(editorLines({ text: "1\n2\n3\n4\n5", cursor: 0 }, { columns: 9, rows: 2 })).toEqual({
      lines: ["1", "2"],
      x: 0,
      y: 0,
    });
  });
});

test("the help wraps within its second column if that is wide enough", () => {
  const message = {
    type: "message",
    tone: "dim",
    lines: ["Keys:", "  Esc, Ctrl-C        stop the run and leave it"],
  } as const;
  expect(entryLines(message, options(40))).toEqual([
    "Keys:",
    "  Esc, Ctrl-C        stop the run and",
    "                     leave it",
  ]);
  expect(entryLines(message, options(20)).every((line) => widthOf(line) <= 20)).toBe(true);
});

test("an entry fits into the window, and an intervention says how to see more", () => {
  const lines = entryLines(
    { type: "guardian", seq: 1, at: 1, turn: 1, intervention: intervention({ message: "word ".repeat(60) }) },
    options(40),
  );
  expect([Math.max(...lines.map(widthOf)) <= 40, lines.at(-1)]).toEqual([true, "  Ctrl-G shows why"]);
  const approval = entryLines(
    { type: "approval", title: "bash", reason: "r", lines: [{ sign: "-", text: "x".repeat(100) }] },
    options(40),
  );
  expect([Math.max(...approval.map(widthOf)) <= 40, approval.join("").match(/x/g)?.length]).toEqual([true, 100]);
});
