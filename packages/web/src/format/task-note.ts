/** A text without case and punctuation, to compare what two texts say. */
const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
const MAX_COMPARED = 40;

/** The task of a run, as a second line under a sentence; null if there is none, or if the sentence says it already. */
export function taskNote(task: string, sentence: string): string | null {
  const beginning = bare(task).slice(0, MAX_COMPARED).trim();
  return beginning === "" || bare(sentence).includes(beginning) ? null : task;
}
