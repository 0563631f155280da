import { type CallDecision, createGuardian, type GuardianEvent, type Policy } from "@sheepdog/guardian";
import { llmRbPolicy, presets } from "@sheepdog/guardian/presets";
import {
  createLoopGuard,
  DEFAULT_THRESHOLD,
  guardError,
  type LoopGuard,
  tailRepetitions,
} from "@sheepdog/guardian/seeds";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

// Goes through the document of llm.rb's loop guard from top to bottom: its facts, with the preset and with the small
// interface.

/** A reply by the calls it makes, each a letter: a tool of that name. */
type Reply = string;

const assistant = (reply: Reply) => ({
  role: "assistant",
  toolCalls: [...reply].map((name) => ({ name, arguments: { path: name } })),
});
const laps = (count: number, lap: string): readonly Reply[] => [...lap.repeat(count)];
const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";

/** The preset's verdicts on the calls of each reply, asked about before any of them is run. */
function verdicts(
  replies: readonly Reply[],
  policy: Policy = presets["llm-rb"],
  emit: (event: GuardianEvent) => void = () => {},
): readonly (readonly CallDecision[])[] {
  const guardian = createGuardian({ policy, now: () => 1, emit });
  return replies.map((reply, turn) => {
    const calls = [...reply].map((tool, i) => ({ id: `${turn}.${i}`, tool, args: { path: tool } }));
    const said = guardian.beforeCalls(calls);
    for (const [i, { id }] of calls.entries())
      if (said[i]?.allow) guardian.afterCall(id, { status: "ok", content: `result ${id}` });
    guardian.endTurn();
    return said;
  });
}

/** Whether each reply is blocked, as a whole, by the preset. */
function blocked(replies: readonly Reply[], policy?: Policy): readonly boolean[] {
  return verdicts(replies, policy).map((said) => {
    expect(new Set(said.map((each) => each.allow)).size, "all pending calls or none").toBeLessThan(2);
    return said.some((each) => !each.allow);
  });
}

/**
 * The same by the small interface, asked with the calls of each reply pending; what it blocked stays in the
 * conversation.
 */
function warned(replies: readonly Reply[], guard: LoopGuard = createLoopGuard()): readonly boolean[] {
  return replies.map((_, place) => guard.call({ messages: replies.slice(0, place + 1).map(assistant) }) !== null);
}

/** The 0-based reply that both block first; undefined where neither does. */
function firstBlocked(replies: readonly Reply[], threshold = 3): number | undefined {
  const place = blocked(replies, llmRbPolicy({ threshold })).indexOf(true);
  expect(warned(replies, createLoopGuard({ threshold })).indexOf(true)).toBe(place);
  return place < 0 ? undefined : place;
}

describe("overview", () => {
  test("pending work is blocked before it is run", () => {
    expect(firstBlocked(["a", "a", "a"])).toBe(2);
  });

  test("what makes progress is not", () => {
    expect(firstBlocked([...alphabet])).toBeUndefined();
    expect(firstBlocked([..."aabbccddaabbc"])).toBeUndefined();
  });

  test("without a reason to intervene the answer is null", () => {
    const guard = createLoopGuard();
    expect(
      [[], [assistant("a")], [assistant("a"), assistant("a")], [assistant("ab"), assistant("ab")]].map((messages) =>
        guard.call({ messages }),
      ),
    ).toEqual([null, null, null, null]);
  });

  test("with one it is a warning to read", () => {
    const warning = createLoopGuard().call({ messages: [assistant("a"), assistant("a"), assistant("a")] });
    expect(warning).toMatch(/\b3 times\b/);
  });

  test("a pending call is answered with an error: nothing is thrown, and the run continues", () => {
    expect(guardError("why")).toEqual({ error: true, type: "GuardError", message: "why" });
    const events: GuardianEvent[] = [];
    const said = verdicts(["a", "a", "a", "b"], undefined, (event) => events.push(event));
    expect(said.slice(2)).toEqual([
      [{ allow: false, message: expect.stringMatching(/\b3 times\b/) }],
      [{ allow: true }],
    ]);
    expect(events).toMatchObject([
      { type: "intervention", intervention: { detector: "seed-llm-rb", effect: "deny", denies: { callId: "2.0" } } },
    ]);
  });
});

describe("the default", () => {
  test("three, with the interface and with the preset", () => {
    expect([DEFAULT_THRESHOLD, createLoopGuard().threshold, presets["llm-rb"].detectors["seed-llm-rb"]?.block]).toEqual(
      [3, 3, 3],
    );
    expect(llmRbPolicy()).toEqual(presets["llm-rb"]);
    expect(firstBlocked(["a", "a", "a", "a"])).toBe(2);
  });
});

describe("making one", () => {
  test("the configuration may be left out, or be empty", () => {
    expect(
      [createLoopGuard(), createLoopGuard({}), createLoopGuard({ threshold: 3 })].map((guard) => guard.threshold),
    ).toEqual([3, 3, 3]);
    expect(
      [llmRbPolicy(), llmRbPolicy({}), llmRbPolicy({ threshold: 3 })].every(
        (policy) => policy.detectors["seed-llm-rb"]?.block === 3,
      ),
    ).toBe(true);
  });

  test.each([2, 3, 4, 5, 8, 12])("a threshold of %i is how often a pattern may stand at the end", (threshold) => {
    expect(firstBlocked(laps(threshold - 1, "a"), threshold)).toBeUndefined();
    expect(firstBlocked(laps(threshold, "a"), threshold)).toBe(threshold - 1);
    expect(firstBlocked(laps(threshold, "abc"), threshold)).toBe(3 * threshold - 1);
  });

  test("a threshold beyond the attempts after which a run is ended blocks all the same", () => {
    expect(firstBlocked(laps(30, "a"), 30)).toBe(29);
  });
});

describe("the threshold", () => {
  test("it can be read", () => {
    expect([2, 3, 9].map((threshold) => createLoopGuard({ threshold }).threshold)).toEqual([2, 3, 9]);
  });

  test("it cannot be written", () => {
    const write = (guard: LoopGuard) => {
      // @ts-expect-error it is for reading only
      guard.threshold = 5;
    };
    expect(write).toBeTypeOf("function");
  });
});

describe("the check", () => {
  test("only the assistant's calls are looked at", () => {
    const guard = createLoopGuard();
    const others = [
      { role: "user", content: "again" },
      { role: "tool", content: "result" },
      { role: "system", content: "be good" },
      { ...assistant("b"), role: "user" },
    ];
    const says = { role: "assistant", content: "Let me see." };
    expect(guard.call({ messages: [assistant("a"), ...others, says, assistant("a"), ...others, says] })).toBeNull();
    expect(
      guard.call({ messages: [assistant("a"), ...others, says, assistant("a"), ...others, says, assistant("a")] }),
    ).not.toBeNull();
    expect(guard.call({ messages: [1, 2, 3, 4].map(() => ({ ...assistant("a"), role: "user" })) })).toBeNull();
  });

  test("what came back is not", () => {
    const messages = [1, 2, 3].flatMap((i) => [assistant("a"), { role: "tool", content: `result ${i}` }]);
    expect(createLoopGuard().call({ messages })).not.toBeNull();
  });

  test("a call is its tool and its arguments", () => {
    const guardian = (calls: readonly (readonly [string, unknown])[]) => {
      const it = createGuardian({ policy: presets["llm-rb"], now: () => 1 });
      const guard = createLoopGuard();
      return calls.map(([tool, args], place) => {
        const { allow } = it.beforeCall({ id: `${place}`, tool, args });
        if (allow) it.afterCall(`${place}`, { status: "ok", content: "same" });
        it.endTurn();
        const messages = calls
          .slice(0, place + 1)
          .map(([name, args]) => ({ role: "assistant", toolCalls: [{ name, arguments: args }] }));
        expect(guard.call({ messages }) === null).toBe(allow);
        return allow;
      });
    };
    expect(guardian([1, 2, 3, 4].map((page) => ["search", { page }]))).toEqual([true, true, true, true]);
    expect(guardian(["ls", "cat", "wc", "du"].map((tool) => [tool, { path: "." }]))).toEqual([true, true, true, true]);
    expect(guardian([1, 2, 3].map(() => ["search", { page: 1 }]))).toEqual([true, true, false]);
    expect(guardian([1, 2, 3].map(() => ["ping", {}]))).toEqual([true, true, false]);
  });

  test("only the tail counts: what has ended is over", () => {
    expect(firstBlocked(["a", "a", "b", "a", "a", "b", "c"])).toBeUndefined();
    expect(createLoopGuard().call({ messages: [..."aaaab"].map(assistant) })).toBeNull();
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "a tail of %i calls is blocked with the last call of its third lap, not before",
    (period) => {
      expect(firstBlocked(laps(4, alphabet.slice(0, period)))).toBe(3 * period - 1);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "a reply of %i calls is blocked whole when it is made a third time",
    (period) => {
      const reply = alphabet.slice(0, period);
      expect(firstBlocked([reply, reply])).toBeUndefined();
      const said = verdicts([reply, reply, reply]);
      expect(said.map((each) => each.filter(({ allow }) => !allow).length)).toEqual([0, 0, period]);
      expect(warned([reply, reply, reply])).toEqual([false, false, true]);
    },
  );

  test("all that is pending is blocked, also what repeats nothing", () => {
    expect(firstBlocked(["a", "a", "za"])).toBeUndefined();
    expect(verdicts(["zaaa"]).map((said) => said.map(({ allow }) => allow))).toEqual([[false, false, false, false]]);
    expect(warned(["zaaa"])).toEqual([true]);
  });

  test("tails of any length, after anything, in replies of any size, at any threshold", () => {
    const letters = (from: string, size: { minLength: number; maxLength: number }) =>
      fc.array(fc.constantFrom(...from), size).map((all) => all.join(""));
    const cut = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
    const threshold = fc.integer({ min: 2, max: 4 });
    fc.assert(
      fc.property(
        letters("xyz", { minLength: 0, maxLength: 12 }),
        letters("abc", { minLength: 1, maxLength: 20 }),
        threshold,
        cut,
        (before, lap, threshold, sizes) => {
          const replies = inReplies(`${before}${lap.repeat(threshold)}`, sizes);
          const first = firstBlocked(replies, threshold);
          expect(first).toBeDefined();
          const upTo = [...replies.slice(0, (first ?? 0) + 1).join("")];
          expect(tailRepetitions(upTo, threshold)).toBeDefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  test("random calls are blocked exactly where the tail repeats", () => {
    const replies = fc.array(
      fc.array(fc.constantFrom(..."abc"), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(replies, fc.integer({ min: 2, max: 5 }), (all, threshold) => {
        const place = all.findIndex(
          (_, i) => tailRepetitions([...all.slice(0, i + 1).join("")], threshold) !== undefined,
        );
        expect(firstBlocked(all, threshold)).toBe(place < 0 ? undefined : place);
      }),
      { numRuns: 500 },
    );
  });

  test("a long tail: forty calls three times", () => {
    expect(firstBlocked(laps(3, alphabet))).toBe(3 * alphabet.length - 1);
  });

  test("a blocked call is a call of the assistant: the pattern and the block continue", () => {
    const replies = laps(6, "ab");
    expect(warned(replies)).toEqual([false, false, false, false, false, true, true, true, true, true, true, true]);
    expect(blocked(replies)).toEqual(warned(replies));
  });

  test("something else ends the block", () => {
    for (const replies of [[..."aaaaba"], [..."aaaabaca"]]) expect(blocked(replies)).toEqual(warned(replies));
  });

  test("a model that insists is ended at the 25th equal call, where llm.rb caps the attempts", () => {
    const events: GuardianEvent[] = [];
    verdicts(laps(24, "a"), undefined, (event) => events.push(event));
    expect(events.filter((event) => event.type === "intervention" && event.intervention.effect === "stop")).toEqual([]);
    verdicts(laps(25, "a"), undefined, (event) => events.push(event));
    expect(
      events.filter((event) => event.type === "intervention" && event.intervention.effect === "stop"),
    ).toHaveLength(1);
  });
});

/** Calls as replies of these sizes, over and over. */
function inReplies(calls: string, sizes: readonly number[]): readonly Reply[] {
  const replies: Reply[] = [];
  for (let at = 0, i = 0; at < calls.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    replies.push(calls.slice(at, at + size));
    at += size;
  }
  return replies;
}

// Not the guardian's, but the runtime's: that an agent has this guard unless told otherwise, and the name of the
// error's class.
