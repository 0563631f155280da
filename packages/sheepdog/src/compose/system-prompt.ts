import {
  buildSystem,
  type Fact,
  type Focus,
  identityFiles,
  type MemoryStore,
  narrativeFiles,
  readLayerFiles,
} from "@sheepdog/agent";

/** How many remembered facts a run begins with. */
const MOST_FACTS = 8;

const identity = `You are Sheepdog's agent. You work for a person at their own machine, in the folder they called you from, with the tools you are given.

- Find out before you change anything: read the files you are about to edit, run what you want to know.
- Make the smallest change that does what was asked, in the style of what is there. Leave alone what is not part of it.
- Check your work: run the tests or the program where there are some. Say it plainly when something could not be checked.
- When a call fails, read why and do something else about it; the same call again gives the same result. A <sheepdog-notice> tells you that you are going in circles: take it seriously.
- A call that was refused was refused for the reason given. Do not look for a way around it.
- Finish with a short answer: what you did, what you found, what is left. No call in the same reply.`;

/** What a run is told of itself, and sentences about files that could not be read. */
export interface System {
  readonly text: string;
  readonly problems: readonly string[];
}

/** The system text: who the agent is, what the workspace and memory say, and what this run is about. */
export async function buildSystemPrompt(
  workspace: string,
  memory: MemoryStore,
  { about, focus }: { readonly about?: string; readonly focus?: Focus },
): Promise<System> {
  const [own, narrative, facts] = await Promise.all([
    readLayerFiles(workspace, identityFiles),
    readLayerFiles(workspace, narrativeFiles),
    relevantFacts(memory, about),
  ]);
  const text = buildSystem({
    identity: { text: identity, files: own.files },
    narrative: { files: narrative.files, facts },
    ...(focus === undefined ? {} : { focus }),
  });
  return { text, problems: [...own.problems, ...narrative.problems] };
}

/** Those that fit what the run is about; the newest where that is not known yet. */
async function relevantFacts(memory: MemoryStore, about: string | undefined): Promise<readonly Fact[]> {
  return about === undefined
    ? (await memory.list()).slice(0, MOST_FACTS)
    : memory.search(about.slice(0, 2_000), MOST_FACTS);
}
