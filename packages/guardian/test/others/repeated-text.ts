/** A sentence again and again, cut at `length` characters. Sentences with other numbers are other sentences. */
export function repeatedSentence(number: number, length: number): string {
  const sentence = `Sheep number ${number} stands quietly beside the gate. `;
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
}

/** Letters and digits that never repeat. The same seed gives the same text. */
export function noise(length: number, seed = 1): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return letters.charAt((state >>> 16) % letters.length);
  };
  return Array.from({ length }, next).join("");
}
