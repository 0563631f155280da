import {
  buildSystem,
  type Fact,
  identityFiles,
  type MemoryStore,
  narrativeFiles,
  readLayerFiles,
  type Stores,
} from "@sheepdog/agent";
import { isFolderTrusted } from "../config/folder-trust.ts";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { describeEnvironment } from "./environment/describe-environment.ts";
import { lessonLines } from "./lesson-lines.ts";

/** The number of remembered facts in the system prompt. */
const MAX_FACTS = 8;

const identity = [
  "You are Sheepdog's agent. You work for a user on their own machine, in the folder they started you in, with the " +
    "tools you are given.",
  "",
  "- Find out before you change anything: read the files you are about to edit, run what you want to know.",
  "- Make the smallest change that does what was asked, in the style of the existing code. Leave everything else " +
    "alone.",
  "- Check your work: run the tests or the program if there are any. Say plainly what you could not check.",
  "- When a call fails, read why and try something else; the same call again gives the same result. " +
    "A <sheepdog-notice> tells you that you are going in circles: take it seriously.",
  "- A call was refused for the reason given. Do not look for a way around it.",
  "- Finish with a short answer: what you did, what you found, what is left. Make no call in the same reply.",
].join("\n");

/** The system prompt, and sentences about files that could not be read. */
export interface SystemPrompt {
  readonly text: string;
  readonly problems: readonly string[];
}

/** What the system prompt is built from, besides memory. */
export interface SystemPromptOptions {
  /** The workspace, as an absolute path. */
  readonly cwd: string;
  readonly home: Home;
  readonly env: Io["env"];
  readonly about?: string;
  /** The number of lessons from earlier calls. */
  readonly maxLessons: number;
}

/** Builds the system prompt from the agent's identity, the workspace and its files, and memory. */
export async function buildSystemPrompt(
  { memory, lessons: lessonStore }: Pick<Stores, "memory" | "lessons">,
  { cwd, home, env, about, maxLessons }: SystemPromptOptions,
): Promise<SystemPrompt> {
  const [identityLayer, narrativeLayer, facts, lessons, environment, isTrusted] = await Promise.all([
    readLayerFiles(cwd, identityFiles),
    readLayerFiles(cwd, narrativeFiles),
    relevantFacts(memory, about),
    lessonLines(lessonStore, { about, now: Date.now(), limit: maxLessons }),
    describeEnvironment({ workspace: cwd, env }, Date.now()),
    isFolderTrusted(home, cwd),
  ]);
  const text = buildSystem({
    identity: { text: identity, files: identityLayer.files, isFolderTrusted: isTrusted },
    // After the files, because it changes more often: a prompt cache keeps what stands before it.
    narrative: { files: [...narrativeLayer.files, { name: "environment", text: environment }], facts, lessons },
  });
  return { text, problems: [...identityLayer.problems, ...narrativeLayer.problems] };
}

/** The facts that match the prompt; the newest ones if there is no prompt yet. */
async function relevantFacts(memory: MemoryStore, about: string | undefined): Promise<readonly Fact[]> {
  return about === undefined
    ? (await memory.list()).slice(0, MAX_FACTS)
    : memory.search(about.slice(0, 2_000), MAX_FACTS);
}
