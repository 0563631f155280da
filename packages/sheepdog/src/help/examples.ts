/** How each command is used: what is typed, and what for. A command of a command is named with a space between. */
export const examples: Readonly<Record<string, readonly (readonly [typed: string, what: string])[]>> = {
  demo: [["sheepdog demo", "no key, no network"]],
  run: [
    ['sheepdog run "fix the failing test"', "work in this folder"],
    ["sheepdog run --max-cost 1 --json < task.md", "from stdin, with a limit"],
    ["sheepdog run --continue", "go on with the newest session"],
  ],
  chat: [["sheepdog chat", "talk to the agent in the terminal"]],
  stop: [["sheepdog stop last", "end the newest run in good order"]],
  runs: [["sheepdog runs --since 7d", "what ran in the last week"]],
  show: [["sheepdog show last", "what the newest run did, call by call"]],
  analyze: [
    ["sheepdog analyze recordings/", "where agents were stuck"],
    ["sheepdog analyze --fail-on block runs.jsonl", "for CI: exit with 5 then"],
  ],
  cost: [["sheepdog cost --by model", "what was spent, by model"]],
  budget: [
    ["sheepdog budget", "the limits, and what is left of them"],
    ["sheepdog budget set month 20", "all runs of a month together"],
  ],
  init: [
    ["sheepdog init", "a few questions, then a configuration"],
    ["sheepdog init -y", "no questions: what is found is taken"],
  ],
  doctor: [
    ["sheepdog doctor", "is everything in order?"],
    ["sheepdog doctor --online --json", "ask the provider, too; for programs"],
  ],
  config: [
    ["sheepdog config show --origin", "every value, and where it comes from"],
    ["sheepdog config set agent.max_turns 40", "comments in the file are kept"],
  ],
  memory: [["sheepdog memory search tests", "facts that agents wrote down"]],
  prune: [["sheepdog prune --older-than 30d --dry-run", "what would go"]],
  completion: [
    ["source <(sheepdog completion bash)", "in ~/.bashrc; zsh likewise in ~/.zshrc"],
    ["sheepdog completion fish > ~/.config/fish/completions/sheepdog.fish", ""],
  ],
};

/** The examples of a command as a part of its help text. */
export function examplesHelp(name: string, title: (text: string) => string): string | undefined {
  const given = examples[name];
  if (given === undefined) return undefined;
  const width = Math.max(...given.map(([typed]) => (typed.length > 50 ? 0 : typed.length)));
  return [title("Examples:"), ...given.map(([typed, what]) => `  ${typed.padEnd(width)}  ${what}`.trimEnd())].join(
    "\n",
  );
}
