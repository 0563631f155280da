import { createGuardian, defaultPolicy, type OpinionRequest, type Policy, step } from "@sheepdog/guardian";
import { call, fails, message, type PlayOptions, play, times } from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const beforeForce: Policy = { ...defaultPolicy, secondOpinion: "before-force" };
const always: Policy = { ...defaultPolicy, secondOpinion: "always" };

const equalCalls = (count: number) => times(count, () => call("list_dir", { path: "." }, "README.md\nsrc\ntest"));
const similarCalls = (count: number) =>
  times(count, (i) =>
    call(
      "search_docs",
      { query: `how to configure the retry policy of the http client ${"abcdefghijklmnopqrstuvwxyz"[i % 26]}${i}` },
      "No results were found for this query in the documentation.",
    ),
  );

const stuck = { verdict: "stuck", advice: "Read the file that the error names." } as const;
const answering = (verdict: "stuck" | "working" | "unsure", policy = beforeForce): PlayOptions => ({
  policy,
  opinion: () => ({ verdict }),
});

describe("before force", () => {
  test("somebody is asked with the last message before a refusal, and not earlier", () => {
    const { summary, asked } = play(equalCalls(4), { policy: beforeForce });
    expect(summary).toEqual(["doom-loop hint", "doom-loop warn"]);
    expect(asked).toEqual([
      {
        id: "e1/ask/1",
        detector: "doom-loop",
        level: "block",
        call: 3,
        evidence: [0, 1, 2, 3],
        count: 4,
        tool: "list_dir",
        fact: expect.stringContaining('This exact call to "list_dir" has been made 4 times'),
        isApplied: true,
      } satisfies OpinionRequest,
    ]);
  });

  test("an opinion that agrees is told with its advice, and the ladder continues", () => {
    const { interventions, summary, stop } = play(equalCalls(12), { policy: beforeForce, opinion: () => stuck });
    expect(summary).toEqual([
      "doom-loop hint",
      "doom-loop warn",
      "doom-loop warn",
      "doom-loop block",
      "doom-loop halt",
    ]);
    expect(interventions[2]?.message).toBe(
      'A second opinion on the newest calls agrees that they lead nowhere: "Read the file that the error names."',
    );
    expect(interventions[3]?.message).toContain('"Read the file that the error names."');
    expect(stop?.reason).toBe("doom_loop");
  });

  test("similar calls are refused and the run ends only if the opinion agrees", () => {
    const alone = play(similarCalls(30));
    expect([alone.refused, alone.stop]).toEqual([0, undefined]);
    const confirmed = play(similarCalls(30), { policy: beforeForce, opinion: () => stuck });
    expect(confirmed.stop).toBeDefined();
  });

  test("working: nothing is refused until twice as much has been repeated", () => {
    const { summary, refused, asked } = play(equalCalls(9), answering("working"));
    expect(summary).toEqual(["doom-loop hint", "doom-loop warn"]);
    expect(refused).toBe(0);
    expect(asked.map(({ count }) => count)).toEqual([4, 9]);
  });

  test("working, whatever happens: it delays the end, and does not prevent it", () => {
    const { asked, stop } = play(equalCalls(120), answering("working"));
    expect(asked).toHaveLength(3);
    expect(stop).toBeDefined();
    const cycle = times(60, () => [1, 2, 3, 4, 5, 6].map((i) => call("open", { page: `p${i}` }, `page ${i} of six`)));
    expect(play(cycle, answering("working")).stop).toBeDefined();
  });

  test("unsure: the rules decide", () => {
    expect(play(equalCalls(12), answering("unsure")).summary).toEqual(play(equalCalls(12)).summary);
    expect(play(similarCalls(30), answering("unsure")).stop).toBeUndefined();
  });

  test("silent: the rules decide two turns later, and there is no further request", () => {
    const { summary, interventions, asked } = play(equalCalls(14), { policy: beforeForce });
    expect(asked).toHaveLength(1);
    expect(summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block", "doom-loop halt"]);
    expect(interventions.find(({ level }) => level === "block")?.call).toBe(6);
  });

  test("a late answer lifts what is refused meanwhile", () => {
    const guardian = createGuardian({ now: () => 1, policy: beforeForce });
    const attempt = (id: string) => {
      const decision = guardian.beforeCall({ id, tool: "ls", args: {} });
      if (decision.allow) guardian.afterCall(id, { status: "ok", content: "a b c" });
      guardian.endTurn();
      return decision.allow;
    };
    for (let i = 0; i < 7; i++) expect(attempt(`c${i}`)).toBe(true);
    guardian.observe({ type: "opinion", request: "e1/ask/1", verdict: "working" });
    expect(attempt("c7")).toBe(true);
  });

  test("a message of a person ends the question with its episode", () => {
    const { state } = play([...equalCalls(4), message()], { policy: beforeForce });
    const answered = step(beforeForce, state, { ...stuck, type: "opinion", at: 1, request: "e1/ask/1" });
    expect(answered.interventions).toEqual([]);
    expect(play([...equalCalls(4), message(), ...equalCalls(1)], answering("stuck")).summary).toHaveLength(2);
  });

  test("the open question is in the saved state", () => {
    const { state } = play(equalCalls(4), { policy: beforeForce });
    const guardian = createGuardian({ now: () => 1, policy: beforeForce, state: JSON.parse(JSON.stringify(state)) });
    const [told] = guardian.observe({ ...stuck, type: "opinion", request: "e1/ask/1" });
    expect(told?.message).toContain(stuck.advice);
  });
});

test("an opinion about one loop says nothing about the next one", () => {
  const script = [...equalCalls(4), ...similarCalls(30)];
  const onlyFirst: PlayOptions["opinion"] = ({ tool }) => (tool === "list_dir" ? stuck : { verdict: "unsure" });
  const { refused, stop } = play(script, { policy: beforeForce, opinion: onlyFirst });
  expect([refused, stop]).toEqual([0, undefined]);
});

test("working permits no further side effect", () => {
  const transfers = times(12, () => call("transfer_money", { to: "DE12", amount: 50 }, "transferred"));
  expect(play(transfers, answering("working")).refused).toBe(play(transfers).refused);
});

test("a side effect does not happen again while somebody thinks about it", () => {
  const transfers = times(8, () => call("transfer_money", { to: "DE12", amount: 50 }, "transferred"));
  const { refused, interventions, asked } = play(transfers, { policy: beforeForce });
  expect(asked.length).toBeGreaterThan(0);
  expect(interventions.map(({ level, call: at }) => [level, at])).toEqual(
    play(transfers).interventions.map(({ level, call: at }) => [level, at]),
  );
  expect(refused).toBeGreaterThan(0);
});

describe("always", () => {
  test("nothing is said before the answer; a hint with the advice if it agrees", () => {
    const { interventions, asked } = play(equalCalls(3), { policy: always, opinion: () => stuck });
    expect(asked[0]).toMatchObject({ level: "hint", count: 2, call: 1 });
    expect(interventions).toHaveLength(1);
    expect(interventions[0]).toMatchObject({ level: "hint", effect: "tell", call: 1 });
    expect(interventions[0]?.message).toContain(
      'A second opinion on these calls: "Read the file that the error names."',
    );
  });

  test("working: no hint until twice as much has been repeated", () => {
    expect(play(equalCalls(3), answering("working", always)).summary).toEqual([]);
  });

  test("a suspicion that comes to nothing has not recovered", () => {
    const reads = times(6, (i) => call("read", { path: `${i}.md` }, `chapter ${i} about ${i * 7} sheep`));
    expect(play([...equalCalls(2), ...reads], answering("unsure", always)).recovered).toEqual([]);
  });
});

test("off: there are no requests", () => {
  expect(play(equalCalls(20)).asked).toEqual([]);
});

test("observe: the request says that its answer has no effect, and nothing waits for it", () => {
  const observing: Policy = { ...beforeForce, mode: "observe" };
  const { asked, interventions } = play(equalCalls(10), { policy: observing });
  expect(asked.every(({ isApplied }) => !isApplied)).toBe(true);
  expect(interventions.map(({ level, call: at }) => [level, at])).toEqual(
    play(equalCalls(10), { policy: { ...defaultPolicy, mode: "observe" } }).interventions.map(({ level, call: at }) => [
      level,
      at,
    ]),
  );
});

test("an answer to no question, or the same answer twice, changes nothing", () => {
  const { state } = play(equalCalls(4), { policy: beforeForce, opinion: () => stuck });
  const again = step(beforeForce, state, { type: "opinion", at: 1, request: "e1/ask/1", verdict: "working" });
  const unknown = step(beforeForce, state, { type: "opinion", at: 1, request: "e9/ask/1", verdict: "stuck" });
  expect([again.interventions, unknown.interventions]).toEqual([[], []]);
  expect(again.state.episodes).toEqual(state.episodes);
});

test("advice is one short line, however long and wild it is", () => {
  const advice = `Stop.\n\u0007</sheepdog-notice>\u202e${"x".repeat(5_000)}`;
  const { interventions, state } = play(equalCalls(5), {
    policy: beforeForce,
    opinion: () => ({ verdict: "stuck", advice }),
  });
  const told = interventions.find(({ id }) => id === "e1/opinion");
  expect(told?.message.length).toBeLessThan(400);
  expect(told?.message).not.toMatch(/[\n\p{Cc}\p{Cf}]/u);
  expect(JSON.stringify(state).length).toBeLessThan(64_000);
});

test("there are no requests about streams, time and limits", () => {
  const script = times(8, () => fails("bash", { command: "make" }, "make: *** No rule"));
  const kinds = new Set(play(script, { policy: always }).asked.map(({ detector }) => detector));
  expect([...kinds]).toEqual(["failing-call"]);
});

test("a wrong answer gets a sentence", () => {
  const guardian = createGuardian({ now: () => 1 });
  const wrong = { type: "opinion", request: "e1/ask/1", verdict: "yes" } as never; // what a caller without types sends
  expect(() => guardian.observe(wrong)).toThrow(
    'Expected verdict of an opinion signal to be one of stuck, working, unsure, got "yes".',
  );
});
