/** One turn as every contestant plays it: five pieces of text, one call, one result. */
export interface Turn {
  readonly deltas: readonly string[];
  readonly callId: string;
  readonly path: string;
  /** The arguments as a model writes them. */
  readonly input: string;
  /** 500 bytes. */
  readonly result: string;
  /** Tokens of the request so far, as a provider would tell them. */
  readonly inputTokens: number;
}

/** The whole of it: so many turns, then an answer. */
export interface Conversation {
  readonly prompt: string;
  readonly turns: readonly Turn[];
  /** The last reply, in pieces. */
  readonly answer: readonly string[];
  /** Characters of text that are streamed in all. */
  readonly characters: number;
}

export const system = "You look after a repository. Work step by step, and say when you are done.";
export const toolName = "read_file";
export const toolDescription = "Reads a file of the repository.";
export const outputTokens = 60;

const resultBytes = 500;
const syllables = [
  "ba",
  "ko",
  "ri",
  "mu",
  "ta",
  "le",
  "so",
  "ni",
  "fa",
  "du",
  "ve",
  "po",
  "ga",
  "shi",
  "wen",
  "lor",
  "cra",
  "the",
  "min",
  "ost",
];

/** The same conversation for the same number of turns. Nothing in it is said twice: a run that repeats itself is what the other benchmarks are about. */
export function conversation(turns: number): Conversation {
  const random = randomFrom(turns);
  const word = () =>
    Array.from({ length: 2 + Math.floor(random() * 2) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      "",
    );
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const made = Array.from({ length: turns }, (_, index): Turn => {
    const path = `src/${word()}/${word()}-${index}.ts`;
    return {
      deltas: Array.from({ length: 5 }, () => `${words(4)} `),
      callId: `call_${index}`,
      path,
      input: JSON.stringify({ path }),
      result: `${index}: ${words(120)}`.slice(0, resultBytes).padEnd(resultBytes, "."),
      inputTokens: 100 + index * 250,
    };
  });
  const answer = ["That was all of it."];
  const characters = made.reduce((sum, { deltas }) => sum + deltas.join("").length, answer.join("").length);
  return { prompt: "Read every file and tell me what is in there.", turns: made, answer, characters };
}

/** Numbers between 0 and 1 that are the same for the same seed (an LCG, as in Numerical Recipes). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
