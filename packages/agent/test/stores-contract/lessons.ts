import { describe, expect, test } from "vitest";
import { confidenceAt, type NewLesson } from "../../src/protocol/lesson.ts";
import { sampleLesson } from "../sample-lesson.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease } from "./samples.ts";

const day = 86_400_000;

const lesson = (action: string, fields: Partial<NewLesson> = {}) => sampleLesson({ ...fields, action });

export function lessonsContract(open: () => Promise<OpenedStores>): void {
  describe("lessons", () => {
    const stores = freshStores(open);
    const learn = (action: string, fields?: Partial<NewLesson>) => stores().lessons.learn(lesson(action, fields));
    const relevant = async (action: string, now = 0, limit = 10) =>
      (await stores().lessons.relevant(action, { now, limit })).map((each) => each.action);

    test("a lesson comes back with a unique id, and without an application", async () => {
      const one = await learn("bash: git push");
      const other = await learn("bash: rm -r");
      expect(one).toEqual({ ...lesson("bash: git push"), id: one.id, timesApplied: 0 });
      expect(one.id).not.toBe(other.id);
      expect(await stores().lessons.list()).toEqual([other, one]);
    });

    test("the same lesson again raises the confidence, and keeps one row", async () => {
      const first = await learn("bash: git push");
      const again = await learn("bash: git push", { at: 1_000, reflection: "The user objected to it: “no”." });
      expect(again).toMatchObject({ id: first.id, at: 1_000, reflection: "The user objected to it: “no”." });
      expect(again.confidence).toBeCloseTo(0.91, 2);
      expect(await stores().lessons.list()).toEqual([again]);
      await learn("bash: git push", { outcome: "incident", source: "result" });
      expect(await stores().lessons.list()).toHaveLength(2);
    });

    test("the same lesson again has the lower tier; that of another workspace is another lesson", async () => {
      const first = await learn("bash: git push", { tier: 3, workspace: "/a" });
      expect(await learn("bash: git push", { tier: 2, workspace: "/a" })).toMatchObject({ id: first.id, tier: 2 });
      expect(await learn("bash: git push", { tier: 3, workspace: "/a" })).toMatchObject({ id: first.id, tier: 2 });
      const other = await learn("bash: git push", { tier: 4, workspace: "/b" });
      expect(other).toMatchObject({ tier: 4, workspace: "/b" });
      expect(await stores().lessons.list()).toHaveLength(2);
    });

    test("a lesson is relevant to a call that does everything it is about, strongest first", async () => {
      await learn("bash: git push --force", { confidence: 0.5 });
      await learn("bash: git push --force; bash: npm test", { confidence: 0.9 });
      expect(await relevant("bash: git push --force")).toEqual(["bash: git push --force"]);
      expect(await relevant("bash: git push --force; bash: ls; bash: npm test")).toEqual([
        "bash: git push --force; bash: npm test",
        "bash: git push --force",
      ]);
      expect(await relevant("bash: git push --force; bash: npm test", 0, 1)).toHaveLength(1);
      expect(await relevant("bash: git push")).toEqual([]);
      expect(await relevant("bash: git push --force", 0, 0)).toEqual([]);
    });

    test("confidence halves in 30 days; a faded lesson is not used, and is removed with the next one", async () => {
      const learned = await learn("bash: git push", { confidence: 0.8 });
      expect(confidenceAt(learned, 30 * day)).toBeCloseTo(0.4);
      expect(await relevant("bash: git push", 89 * day)).toEqual(["bash: git push"]);
      expect(await relevant("bash: git push", 91 * day)).toEqual([]);
      await learn("bash: rm -r", { at: 91 * day });
      expect((await stores().lessons.list()).map(({ action }) => action)).toEqual(["bash: rm -r"]);
    });

    test("an application is counted, and lets a lesson decay later", async () => {
      const learned = await learn("bash: git push", { confidence: 0.8 });
      await stores().lessons.noteApplied([learned.id, "lesson_99"], 30 * day);
      const [applied] = await stores().lessons.list();
      expect(applied).toMatchObject({ timesApplied: 1, lastAppliedAt: 30 * day });
      expect(applied?.confidence).toBeCloseTo(0.4);
      expect(await relevant("bash: git push", 60 * day)).toEqual(["bash: git push"]);
    });

    test("a lesson that the user disagrees with has half the confidence", async () => {
      const learned = await learn("bash: git push", { confidence: 0.8 });
      await stores().lessons.weaken([learned.id]);
      expect((await stores().lessons.list())[0]?.confidence).toBeCloseTo(0.4);
    });

    test("a removed lesson is not used; an unknown id removes nothing", async () => {
      const [one, two] = [await learn("bash: git push"), await learn("bash: rm -r")];
      expect([await stores().lessons.remove(one.id), await stores().lessons.remove(one.id)]).toEqual([true, false]);
      for (const id of ["", "lesson_", "lesson_0", "lesson_99", "lesson_2 OR 1=1", `lesson_${"9".repeat(40)}`])
        expect(await stores().lessons.remove(id), id).toBe(false);
      expect(await stores().lessons.list()).toEqual([two]);
      expect((await learn("bash: git push")).id).not.toBe(one.id);
    });

    test("there are at most 500 lessons: the weakest are removed", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const many = Array.from({ length: 510 }, (_, index) =>
        lesson(`tool${index}`, { confidence: 0.2 + index / 1_000 }),
      );
      await stores().sessions.commit(lease, { at: 1, lessons: many });
      const kept = await stores().lessons.list();
      expect(kept).toHaveLength(500);
      expect(kept.map(({ action }) => action)).not.toContain("tool0");
    });

    test("lessons are learned with a commit, and outlive their session", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.commit(lease, { at: 1, lessons: [lesson("bash: rm -r")] });
      await stores().sessions.release(lease);
      await stores().sessions.remove("ses_1", 1e12);
      expect(await relevant("bash: rm -r")).toEqual(["bash: rm -r"]);
    });
  });
}
