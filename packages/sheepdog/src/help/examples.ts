/** Examples of each command: the command line and its effect. */
export const examples: Readonly<Record<string, readonly (readonly [commandLine: string, effect: string])[]>> = {
  demo: [["sheepdog demo", "needs no key and no network"]],
  run: [
    ['sheepdog run "fix the failing test"', "work in this folder"],
    ["sheepdog run --max-cost 1 --json < task.md", "prompt from stdin, limit of $1"],
    ['git diff | sheepdog run "review this"', "a prompt with the text of a pipe"],
    ['sheepdog run --check "npm test" "fix it"', "until the command succeeds"],
    ['sheepdog run --goal goal.toml "add the flag"', "criteria in a file"],
    ["sheepdog run --continue", "resume the newest session"],
  ],
  chat: [["sheepdog chat", "talk to the agent in the terminal"]],
  stop: [["sheepdog stop last", "stop the newest run"]],
  serve: [
    ["sheepdog serve", "open the runs in the browser"],
    ["sheepdog serve --port 8080 --no-open", "print the address only"],
  ],
  runs: [["sheepdog runs --since 7d", "runs of the last week"]],
  show: [["sheepdog show last", "what the newest run did, call by call"]],
  analyze: [
    ["sheepdog analyze", "all agents of this machine"],
    ["sheepdog analyze --since 7d --project .", "this week, in this folder"],
    ["sheepdog analyze --explain", "the calls behind findings"],
    ["sheepdog analyze --by model --top 20", "one table in full"],
    ["sheepdog analyze sweep --by cost", "what limits would have saved"],
    ["sheepdog analyze --fail-on 'stuck>10%'", "for CI: exit with 5"],
    ["sheepdog analyze --briefs ask/ runs.jsonl", "questions for a second opinion"],
  ],
  hook: [["sheepdog hook claude-code --observe < event.json", "what an agent starts"]],
  cost: [["sheepdog cost --by model", "money spent, by model"]],
  budget: [
    ["sheepdog budget", "limits and what is left of them"],
    ["sheepdog budget set month 20", "limit all runs of a month to $20"],
  ],
  mcp: [
    ["sheepdog mcp add files -- mcp-files .", "a program"],
    ["sheepdog mcp add docs --url http://localhost:3000/mcp", "an address"],
    ["sheepdog mcp test", "start the servers"],
    ["sheepdog mcp import", "from other agents"],
  ],
  "mcp-proxy": [["sheepdog mcp-proxy -- npx -y <server>", "in place of a server's command"]],
  "mcp-server": [["sheepdog mcp-server --root ~/projects", "runs for other agents, over stdio"]],
  attach: [
    ["sheepdog attach", "which agents are there"],
    ["sheepdog attach claude-code", "show the change"],
    ["sheepdog attach claude-code --observe --write", "only record"],
    ["sheepdog attach status", "whether hooks fire"],
  ],
  detach: [["sheepdog detach --write", "settings are what they were before"]],
  watch: [
    ["sheepdog watch -- claude", "this one run"],
    ['sheepdog watch --observe -- codex exec "fix it"', "only record"],
  ],
  "status-line": [["sheepdog status-line < session.json", "what the line says"]],
  notify: [
    ["sheepdog notify test phone", "send one message to the channel phone"],
    ["sheepdog notify list", "what waits, and why"],
  ],
  init: [
    ["sheepdog init", "answer a few questions"],
    ["sheepdog init -y", "no questions: use what is found"],
  ],
  doctor: [
    ["sheepdog doctor", "check the installation"],
    ["sheepdog doctor --online --json", "also ask the provider; print JSON"],
  ],
  config: [
    ["sheepdog config show --origin", "every value and its source"],
    ["sheepdog config set agent.max_turns 40", "keeps comments in the file"],
  ],
  gate: [
    ["sheepdog gate explain -- git push", "what would be decided, and why"],
    ["sheepdog gate test --unattended gate.txt", "for CI: exit with 5 on a difference"],
  ],
  memory: [["sheepdog memory search tests", "facts that agents wrote down"]],
  audit: [
    ["sheepdog audit --decision deny --since 2h", "show what was refused lately"],
    ["sheepdog audit --follow", "show decisions as they are made"],
  ],
  prune: [["sheepdog prune --older-than 30d --dry-run", "show what would be removed"]],
  completion: [
    ["source <(sheepdog completion bash)", "in ~/.bashrc; for zsh in ~/.zshrc"],
    ["sheepdog completion fish > ~/.config/fish/completions/sheepdog.fish", ""],
  ],
};

/** The examples of a command as a part of its help text. */
export function examplesHelp(name: string, title: (text: string) => string): string | undefined {
  const ofCommand = examples[name];
  if (ofCommand === undefined) return undefined;
  const width = Math.max(...ofCommand.map(([line]) => (line.length > 50 ? 0 : line.length)));
  const lines = ofCommand.map(([line, effect]) => `  ${line.padEnd(width)}  ${effect}`.trimEnd());
  return [title("Examples:"), ...lines].join("\n");
}
