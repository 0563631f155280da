import {
  appliedLesson,
  type Lesson,
  learnedAgain,
  lessonKey,
  lessonsToRemove,
  type NewLesson,
  relevantLessons,
  weakenedLesson,
} from "../protocol/lesson.ts";
import type { LessonStore } from "./stores.ts";

/** Lessons in memory, with the operation that commits need. */
export interface MemoryLessons extends LessonStore {
  learnAll(lessons: readonly NewLesson[]): void;
}

export function createMemoryLessons(): MemoryLessons {
  const lessons = new Map<string, Lesson>(); // by key
  let lastId = 0;

  const learn = (learned: NewLesson): Lesson => {
    const key = lessonKey(learned);
    const stored = lessons.get(key);
    if (stored === undefined) lastId += 1;
    const lesson =
      stored === undefined ? { ...learned, id: `lesson_${lastId}`, timesApplied: 0 } : learnedAgain(stored, learned);
    lessons.set(key, lesson);
    for (const removed of lessonsToRemove([...lessons.values()], learned.at)) lessons.delete(lessonKey(removed));
    return { ...lesson };
  };
  const change = (ids: readonly string[], changed: (lesson: Lesson) => Lesson) => {
    for (const [key, lesson] of lessons) if (ids.includes(lesson.id)) lessons.set(key, changed(lesson));
  };

  return {
    learn: async (lesson) => learn(lesson),
    learnAll(learned) {
      for (const lesson of learned) learn(lesson);
    },
    relevant: async (action, options) =>
      relevantLessons([...lessons.values()], action, options).map((lesson) => ({ ...lesson })),
    list: async () =>
      [...lessons.values()].map((lesson) => ({ ...lesson })).sort((a, b) => b.at - a.at || idNumber(b) - idNumber(a)),
    async remove(id) {
      const entry = [...lessons].find(([, lesson]) => lesson.id === id);
      return entry !== undefined && lessons.delete(entry[0]);
    },
    noteApplied: async (ids, at) => change(ids, (lesson) => appliedLesson(lesson, at)),
    weaken: async (ids) => change(ids, weakenedLesson),
  };
}

function idNumber({ id }: Lesson): number {
  return Number(id.slice("lesson_".length));
}
