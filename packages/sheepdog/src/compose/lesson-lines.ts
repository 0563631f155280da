import { confidenceAt, type Lesson, type LessonStore } from "@sheepdog/agent";

/** Weaker lessons are not worth the model's attention. */
const MIN_CONFIDENCE = 0.25;

export interface LessonOptions {
  /** The prompt, if it is known. */
  readonly about: string | undefined;
  readonly now: number;
  readonly limit: number;
}

/** Lessons for the system prompt: those with words of the prompt first, then the strongest. */
export async function lessonLines(
  store: Pick<LessonStore, "list">,
  { about = "", now, limit }: LessonOptions,
): Promise<readonly string[]> {
  if (limit < 1) return [];
  const promptWords = new Set(wordsOf(about.slice(0, 2_000)));
  const matches = ({ action }: Lesson) => wordsOf(action).filter((word) => promptWords.has(word)).length;
  return (await store.list())
    .map((lesson) => ({ lesson, confidence: confidenceAt(lesson, now), matches: matches(lesson) }))
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .sort((a, b) => b.matches - a.matches || b.confidence - a.confidence)
    .slice(0, limit)
    .map(({ lesson: { rule, reflection } }) => `${rule} Earlier: ${reflection}`);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
}
