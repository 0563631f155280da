import type { AgentEvent } from "@sheepdog/agent";

/** The episodes that end because the user told the agent something: the run has not recovered by itself. */
export interface ToldEpisodes {
  add(event: AgentEvent): void;
  has(episode: string): boolean;
}

/** Finds the episodes in the events of a run. */
export function createToldEpisodes(): ToldEpisodes {
  const asked = new Map<string, string>();
  const told = new Set<string>();
  return {
    add(event) {
      if (event.type === "QuestionAsked") {
        const { id, ifContinued } = event.question;
        if (ifContinued.type === "mute" && ifContinued.episode !== undefined) asked.set(id, ifContinued.episode);
      }
      if (event.type === "QuestionAnswered" && event.answer === "tell") {
        const episode = asked.get(event.questionId);
        if (episode !== undefined) told.add(episode);
      }
    },
    has: (episode) => told.has(episode),
  };
}
