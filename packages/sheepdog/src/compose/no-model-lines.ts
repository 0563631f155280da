const keys = "ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY";

/** Printed when no model is configured: the problem in one sentence, then commands that help. */
export const noModelLines: readonly string[] = [
  `no model is configured: set ${keys}, start Ollama, or run sheepdog init`,
  "  sheepdog demo     watch the guardian at work: no key, no network",
  "  sheepdog init     choose a model and write a configuration",
  "  sheepdog analyze  find loops in recordings of other agents: no key needed",
];
