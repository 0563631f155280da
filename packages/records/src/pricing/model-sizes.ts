/** How many tokens a model can read and write at once. */
export interface ModelSize {
  /** The context window: input and output of one request together. */
  readonly window: number;
  /** The longest reply. */
  readonly output: number;
}

/** Used for a model that is not in the table. Most servers accept these numbers. */
export const unknownModelSize: ModelSize = { window: 128_000, output: 8_192 };

/**
 * Context window and longest reply by model, from the model pages of the providers (platform.claude.com/docs,
 * developers.openai.com/api/docs/models, ai.google.dev/gemini-api/docs/models), read on 2026-11-16. A name also stands
 * for the same model with a date or a suffix, and not for a later version of it.
 */
const sizes: Readonly<Record<string, readonly [window: number, output: number]>> = {
  "claude-3-haiku": [200_000, 4_096],
  "claude-3-opus": [200_000, 4_096],
  "claude-3-5-haiku": [200_000, 8_192],
  "claude-3-5-sonnet": [200_000, 8_192],
  "claude-3-7-sonnet": [200_000, 64_000],
  "claude-sonnet-4": [200_000, 64_000],
  "claude-sonnet-4-5": [200_000, 64_000],
  "claude-sonnet-4-6": [1_000_000, 128_000],
  "claude-sonnet-5": [1_000_000, 128_000],
  "claude-sonnet-5-5": [1_000_000, 128_000],
  "claude-haiku-4-5": [200_000, 64_000],
  "claude-haiku-5-5": [1_000_000, 128_000],
  "claude-opus-4": [200_000, 32_000],
  "claude-opus-4-1": [200_000, 32_000],
  "claude-opus-4-5": [200_000, 64_000],
  "claude-opus-4-6": [1_000_000, 128_000],
  "claude-opus-4-7": [1_000_000, 128_000],
  "claude-opus-4-8": [1_000_000, 128_000],
  "claude-opus-5": [1_000_000, 128_000],
  "claude-opus-5-5": [1_000_000, 128_000],
  "claude-fable-5-1": [1_000_000, 128_000],
  "gpt-3-5-turbo": [16_385, 4_096],
  "gpt-4": [8_192, 4_096],
  "gpt-4-turbo": [128_000, 4_096],
  "gpt-4o": [128_000, 16_384],
  "gpt-4o-mini": [128_000, 16_384],
  "gpt-4-1": [1_000_000, 32_768],
  "gpt-5": [400_000, 128_000],
  "gpt-5-1": [400_000, 128_000],
  "gpt-5-2": [400_000, 128_000],
  "gpt-5-3": [128_000, 16_384],
  "gpt-5-3-codex": [400_000, 128_000],
  "gpt-5-4": [1_050_000, 128_000],
  "gpt-5-4-mini": [400_000, 128_000],
  "gpt-5-4-nano": [400_000, 128_000],
  "gpt-5-5": [1_000_000, 128_000],
  "gpt-5-6": [1_050_000, 128_000],
  "gpt-6": [1_050_000, 128_000],
  "gpt-6-1": [1_050_000, 128_000],
  "gpt-oss-20b": [131_072, 32_768],
  "gpt-oss-120b": [131_072, 32_768],
  o1: [200_000, 100_000],
  o3: [200_000, 100_000],
  "o3-mini": [200_000, 100_000],
  "o4-mini": [200_000, 100_000],
  "gemini-2-0-flash": [1_000_000, 8_192],
  "gemini-2-5": [1_000_000, 65_536],
  "gemini-3": [1_000_000, 65_536],
  "gemini-3-1": [1_000_000, 65_536],
  "gemini-3-5": [1_000_000, 65_536],
  "gemini-3-6": [1_000_000, 65_536],
  "gemini-3-7": [1_000_000, 65_536],
  "gemini-3-8": [1_000_000, 65_536],
};

/**
 * Variants that differ from the model whose name they begin with, and earlier models that are no longer on the pages
 * above. The windows are those of the price list (`@pydantic/genai-prices`), where it has them. The reply lengths of
 * the variants of gpt-4, gpt-4o and claude-3-sonnet are the known limits of these models, without a page to cite.
 */
const variants: typeof sizes = {
  "claude-3-sonnet": [200_000, 4_096],
  "claude-sonnet-4-0": [200_000, 64_000],
  "claude-opus-4-0": [200_000, 32_000],
  "gpt-4-0125-preview": [128_000, 4_096],
  "gpt-4-1106-preview": [128_000, 4_096],
  "gpt-4-vision-preview": [128_000, 4_096],
  "gpt-4-32k": [32_000, 4_096],
  "gpt-4o-2024-05-13": [128_000, 4_096],
  "gpt-5-chat": [128_000, 16_384],
  "gpt-5-1-chat": [128_000, 16_384],
  "gpt-5-2-chat": [128_000, 16_384],
  "o1-mini": [128_000, 65_536],
  "o1-preview": [128_000, 32_768],
};

/** Models of another kind with the name of a chat model: nothing is known about their size. */
const otherKind = /-(?:computer-use|image|live|realtime|transcribe|tts)(?:-|$)/;

const allSizes: typeof sizes = { ...sizes, ...variants };
const names = Object.keys(allSizes).sort((a, b) => b.length - a.length);

/** The size of a model by its id at any provider (`anthropic/claude-sonnet-4.5`); undefined when it is not listed. */
export function modelSize(modelId: string): ModelSize | undefined {
  const id = modelId.trim().toLowerCase().replaceAll(/[._]/g, "-");
  const name = otherKind.test(id) ? undefined : names.find((candidate) => hasName(id, candidate));
  const size = name === undefined ? undefined : allSizes[name];
  return size === undefined ? undefined : { window: size[0], output: size[1] };
}

/** Whether an id contains a name that begins after a separator and is not continued by a version number. */
function hasName(id: string, name: string): boolean {
  const start = id.indexOf(name);
  if (start < 0 || /[a-z0-9]/.test(id[start - 1] ?? "")) return false;
  return !/^(?:[a-z0-9]|-\d{1,2}(?:$|[-:@](?!\d\d$)))/.test(id.slice(start + name.length));
}
