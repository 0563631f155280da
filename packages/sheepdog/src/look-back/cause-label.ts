const labels: Readonly<Record<string, string>> = {
  "side-effect-repeat": "the same change again",
  "failing-call": "the same failing call",
  "failing-tool": "one tool failing the same way",
  "failing-run": "failures only",
  cycle: "the same calls in turn",
  "doom-loop": "the same call and result",
  "same-call": "the same call again",
  "no-progress": "nothing new",
  denial: "refused calls",
  chant: "the same text over and over",
  monologue: "replies without action",
  "stuck-child": "stuck subagents",
  spawn: "too many subagents",
  "seed-ryvos": "the same call (ryvos)",
  "seed-aar": "the same step (aar)",
  "seed-llm-rb": "the same call (llm-rb)",
  "seed-tool-guardrails": "the same call (tool-guardrails)",
};

/** A cause as people say it. A detector without such words keeps its name. */
export function causeLabel(detector: string): string {
  return labels[detector] ?? detector;
}
