import type { SqliteDatabase } from "@sheepdog/records";
import {
  appliedLesson,
  type Lesson,
  learnedAgain,
  lessonKey,
  lessonsToRemove,
  type NewLesson,
  relevantLessons,
  weakenedLesson,
} from "../../protocol/lesson.ts";
import type { LessonStore } from "../stores.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { ownRows } from "./row-validation.ts";

/** The lessons of a database. There are at most a few hundred, so that they are read as a whole. */
export function sqliteLessons({ safe, light, onForeignRow }: Omit<Sqlite, "path" | "close">): LessonStore {
  const learn = createLessonWriter(safe.database);
  const findAll = light.database.prepare("SELECT n, key, json FROM lessons ORDER BY n DESC");
  const update = light.database.prepare("UPDATE lessons SET json = ? WHERE n = ?");
  const deleteLesson = safe.database.prepare("DELETE FROM lessons WHERE n = ?");
  const all = () => [...ownRows<LessonRow>("lessons", findAll.all(), onForeignRow)].map(lessonOf);
  /** Counts and times may be lost together with the power: a lesson itself is written safely. */
  const change = (ids: readonly string[], changed: (lesson: Lesson) => Lesson) =>
    light.write(() => {
      for (const lesson of all())
        if (ids.includes(lesson.id)) update.run(jsonOf(changed(lesson)), numberOf(lesson.id) ?? 0);
    });
  return {
    learn: (lesson) => safe.write(() => learn(lesson)),
    relevant: (action, options) => light.read(() => relevantLessons(all(), action, options)),
    list: () => light.read(() => all().sort((a, b) => b.at - a.at)),
    async remove(id) {
      const n = numberOf(id);
      return n === undefined ? false : safe.write(() => Number(deleteLesson.run(n).changes) > 0);
    },
    noteApplied: (ids, at) => change(ids, (lesson) => appliedLesson(lesson, at)),
    weaken: (ids) => change(ids, weakenedLesson),
  };
}

/** Prepares the statements that learn a lesson within a transaction. */
export function createLessonWriter(database: SqliteDatabase): (lesson: NewLesson) => Lesson {
  const find = database.prepare("SELECT n, key, json FROM lessons WHERE key = ?");
  const findAll = database.prepare("SELECT n, key, json FROM lessons");
  const insert = database.prepare("INSERT INTO lessons (key, json) VALUES (?, ?)");
  const update = database.prepare("UPDATE lessons SET json = ? WHERE n = ?");
  const remove = database.prepare("DELETE FROM lessons WHERE n = ?");
  return (learned) => {
    const key = lessonKey(learned);
    const stored = find.get(key) as LessonRow | undefined; // the selected columns
    const [known] = stored === undefined ? [] : ownRows<LessonRow>("lessons", [stored]);
    const lesson =
      known === undefined ? { ...learned, id: "", timesApplied: 0 } : learnedAgain(lessonOf(known), learned);
    if (stored !== undefined) update.run(jsonOf(lesson), stored.n);
    const n = stored?.n ?? insert.run(key, jsonOf(lesson)).lastInsertRowid;
    const all = [...ownRows<LessonRow>("lessons", findAll.all())].map(lessonOf);
    for (const { id } of lessonsToRemove(all, learned.at)) remove.run(numberOf(id) ?? 0);
    return { ...lesson, id: idOf(n) };
  };
}

interface LessonRow {
  readonly n: number | bigint;
  readonly json: string;
}

function lessonOf({ n, json }: LessonRow): Lesson {
  return { ...(JSON.parse(json) as Omit<Lesson, "id">), id: idOf(n) }; // checked
}

function jsonOf({ id: _id, ...fields }: Lesson): string {
  return JSON.stringify(fields);
}

function idOf(n: number | bigint): string {
  return `lesson_${n}`;
}

function numberOf(id: string): number | undefined {
  const n = /^lesson_([1-9]\d{0,14})$/.exec(id)?.[1];
  return n === undefined ? undefined : Number(n);
}
