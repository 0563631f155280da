// Agents that run live in the morning after the night, each in a process of its own: one repeats a failing test and
// asks at the block rung, one waits for an approval, and two work. Their model is a local server.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startWireServer } from "../../packages/agent/dist/testing/index.js";
import { startProgram } from "./start-server.mjs";

const failingTest =
  "console.error(\"Timeout 30000ms: waiting for getByRole('button', { name: 'Pay now' })\"); process.exit(1)";
const slow = (index) => ({ text: `Part ${index}.`, calls: [{ tool: "bash", input: { command: "sleep 600" } }] });

const runs = [
  {
    project: "web-shop",
    prompt: "Make the checkout test pass.",
    files: { "package.json": '{"scripts":{"test:checkout":"node checkout.test.js"}}', "checkout.test.js": failingTest },
    script: Array.from({ length: 9 }, (_, index) => ({
      text: index === 0 ? "I run the checkout test." : "I run it again.",
      calls: [{ tool: "bash", input: { command: "npm run -s test:checkout" } }],
      usage: { input: 58_000, output: 400 },
    })),
    opinion: { verdict: "stuck", advice: "The button is now called Place order" },
  },
  {
    project: "infra",
    prompt: "Make the staging cache larger.",
    files: { "main.tf": 'node_type = "cache.t4g.small"\n' },
    script: [
      { text: "I read the module.", calls: [{ tool: "read", input: { path: "main.tf" } }], usage: { input: 61_000 } },
      {
        text: "Now I apply it.",
        calls: [{ tool: "bash", input: { command: "terraform apply -auto-approve -target=module.cache" } }],
        usage: { input: 62_000 },
      },
    ],
  },
  {
    project: "api-server",
    prompt: "Add pagination to the orders list.",
    files: { "orders.ts": "export const orders = [];\n" },
    script: [
      { text: "I read the list.", calls: [{ tool: "read", input: { path: "orders.ts" } }], usage: { input: 70_000 } },
      slow(2),
    ],
  },
  {
    project: "docs-site",
    prompt: "Translate the help pages to German.",
    files: { "help/en/billing.md": "# Billing\n" },
    script: [
      {
        text: "I read the page.",
        calls: [{ tool: "read", input: { path: "help/en/billing.md" } }],
        usage: { input: 82_000 },
      },
      {
        text: "I write the German page.",
        calls: [{ tool: "write", input: { path: "help/de/billing.md", content: "# Abrechnung\n\nSo bezahlst du.\n" } }],
        usage: { input: 84_000 },
      },
      slow(3),
    ],
  },
];

/** Starts the agents and waits until each of them waits. */
export async function startLiveRuns({ home, projects }) {
  const started = [];
  for (const { project, prompt, files, script, opinion } of runs) {
    const folder = join(projects, project);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const server = await startWireServer(script, {
      afterLast: { text: "Done." },
      ...(opinion === undefined ? {} : { opinion: { text: JSON.stringify(opinion) } }),
    });
    const env = { ANTHROPIC_API_KEY: "a-key-for-nothing", ANTHROPIC_BASE_URL: server.url };
    const child = startProgram(["run", "--answers", "remote", "--max-cost", "5", "--max-time", "0", prompt], {
      home,
      cwd: folder,
      env,
    });
    child.stderr.on("data", (chunk) => process.env["NIGHT_VERBOSE"] && process.stderr.write(chunk));
    child.stdout.resume();
    started.push({ server, child });
  }
  await pause(6_000);
  return {
    async stop() {
      for (const { server, child } of started) {
        const isEnded = child.exitCode !== null || child.signalCode !== null; // then there is no event to wait for
        const ended = isEnded ? undefined : new Promise((resolve) => child.on("close", resolve));
        child.kill("SIGTERM");
        await ended;
        await server.close();
      }
    },
  };
}
