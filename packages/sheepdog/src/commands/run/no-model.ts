/** What is said where there is no model to ask: one sentence, then what can be done without. */
export const noModelLines: readonly string[] = [
  "there is no model to ask: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start Ollama, or run sheepdog init",
  "  sheepdog demo     watch the guardian at work: no key, no network",
  "  sheepdog init     choose a model and write a configuration",
  "  sheepdog analyze  look back over recordings of other agents: no key either",
];
