import { confidenceAt } from "@sheepdog/agent";
import type { MemoryPage } from "@sheepdog/web/contract";
import type { ViewContext } from "../view-context.ts";

/** The newest of each that a page shows. */
const MAX_SHOWN = 1_000;

/** The facts that agents remember and the lessons from earlier calls, newest first. Lessons fade with time. */
export async function memoryView({ stores, now }: Pick<ViewContext, "stores" | "now">): Promise<MemoryPage> {
  const [facts, lessons] = await Promise.all([stores.memory.list(), stores.lessons.list()]);
  const at = now();
  return {
    facts: facts
      .slice(0, MAX_SHOWN)
      .map((fact) => ({ id: fact.id, at: fact.at, text: fact.text, tags: [...fact.tags] })),
    lessons: lessons.slice(0, MAX_SHOWN).map((lesson) => ({
      id: lesson.id,
      at: lesson.at,
      action: lesson.action,
      rule: lesson.rule,
      confidence: confidenceAt(lesson, at),
    })),
  };
}
