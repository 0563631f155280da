/** One turn, the same for every contestant: five pieces of text, one call, one result. */
export interface Turn {
  readonly deltas: readonly string[];
  readonly callId: string;
  readonly path: string;
  /** The arguments as JSON text, as a model writes them. */
  readonly input: string;
  readonly result: string;
  /** Tokens of the request, as a provider reports them. */
  readonly inputTokens: number;
}

/** A number of turns, then an answer. */
export interface Conversation {
  readonly prompt: string;
  readonly turns: readonly Turn[];
  /** The last reply, in pieces. */
  readonly answer: readonly string[];
  /** Characters of all streamed text. */
  readonly characters: number;
}

export const system = "You look after a repository. Work step by step, and say when you are done.";
export const toolName = "read_file";
export const toolDescription = "Reads a file of the repository.";
export const outputTokens = 60;

const defaultResultBytes = 500;
const syllables = "ba ko ri mu ta le so ni fa du ve po ga shi wen lor cra the min ost".split(" ");

/**
 * Creates a conversation; equal arguments give equal conversations. No two turns are alike, so no contestant sees a
 * repetition.
 */
export function conversation(turnCount: number, resultBytes: number = defaultResultBytes): Conversation {
  const random = randomFrom(turnCount);
  const syllable = () => syllables[Math.floor(random() * syllables.length)];
  const word = () => Array.from({ length: 2 + Math.floor(random() * 2) }, syllable).join("");
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const turns = Array.from({ length: turnCount }, (_, index): Turn => {
    const path = `src/${word()}/${word()}-${index}.ts`;
    return {
      deltas: Array.from({ length: 5 }, () => `${words(4)} `),
      callId: `call_${index}`,
      path,
      input: JSON.stringify({ path }),
      result: `${index}: ${words(Math.ceil(resultBytes / 4))}`.slice(0, resultBytes).padEnd(resultBytes, "."),
      inputTokens: 100 + index * 250,
    };
  });
  const answer = ["That was all of it."];
  const characters = turns.reduce((sum, { deltas }) => sum + deltas.join("").length, answer.join("").length);
  return { prompt: "Read every file and tell me what is in there.", turns, answer, characters };
}

/** Numbers between 0 and 1, the same for the same seed (an LCG, as in Numerical Recipes). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
