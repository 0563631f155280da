import { oneLine } from "../perceive/one-line.ts";
import type { Level } from "../policy/rungs.ts";
import type { SignalOf } from "../signal.ts";
import type { Episode } from "../state/episode.ts";
import type { Finding } from "../state/finding.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { OpenRequest, Opinions } from "../state/opinion.ts";
import type { StepContext } from "../state/step-context.ts";
import { confirmation } from "../words.ts";

/**
 * The answer to a request. `stuck`: the agent is told, and similar calls count like equal ones. `working`: the rungs of
 * the episode become higher, and what it refused is allowed again. `unsure`: the rules decide. An answer to anything
 * but the open request of an episode changes nothing.
 */
export function onOpinion(context: StepContext, signal: SignalOf<"opinion">): readonly Intervention[] {
  const { state } = context;
  const episode = state.episodes.find(({ opinions }) => opinions?.open?.id === signal.request);
  const opinions = episode?.opinions;
  if (episode === undefined || opinions?.open === undefined) return [];
  const answered: Episode = {
    ...episode,
    ...liftedBlocks(episode, signal),
    opinions: answeredOpinions(opinions, signal),
  };
  const level = state.stopped === undefined ? levelToSay(answered) : undefined;
  const intervention =
    level === undefined ? undefined : tell(context, { episode: answered, level, request: opinions.open });
  const said: Episode =
    answered.level === undefined && level !== undefined ? { ...answered, level, lastNoticeTurn: state.turn } : answered;
  state.episodes = state.episodes.map((other) => (other === episode ? said : other));
  return intervention === undefined ? [] : [intervention];
}

/** A side effect that was refused stays refused: the opinion may be wrong, and the harm would be done. */
function liftedBlocks({ detector }: Episode, { verdict }: SignalOf<"opinion">): Partial<Episode> {
  return verdict === "working" && detector !== "side-effect-repeat" ? { blocks: [], similarCalls: undefined } : {};
}

function answeredOpinions({ open, ...opinions }: Opinions, { verdict, advice }: SignalOf<"opinion">): Opinions {
  return {
    ...opinions,
    verdict,
    advice: verdict === "stuck" ? oneLine(advice ?? "") : undefined,
    working: opinions.working + (verdict === "working" ? 1 : 0),
    undecided: verdict === "unsure" ? open?.level : undefined,
  };
}

/** A hint where nothing was said so far; the advice where a hint changed nothing; nothing where there is none. */
function levelToSay({ opinions, level, isClosed, isMuted }: Episode): Level | undefined {
  if (opinions?.verdict !== "stuck" || isClosed || isMuted) return undefined;
  if (level === undefined) return "hint";
  return opinions.advice === undefined ? undefined : "warn";
}

interface Told {
  readonly episode: Episode;
  readonly level: Level;
  readonly request: OpenRequest;
}

function tell({ policy, state, words }: StepContext, { episode, level, request }: Told): Intervention {
  const advice = episode.opinions?.advice;
  const finding: Finding = { ...request.finding, words: "", prints: [] };
  const facts = { denials: episode.denials, isFirst: true, secondOpinion: advice };
  return createIntervention(finding, {
    id: `${episode.id}/opinion`,
    level,
    effect: "tell",
    call: state.callCount - 1,
    message: level === "hint" || advice === undefined ? words(finding, "hint", facts) : confirmation(advice),
    isApplied: policy.mode !== "observe",
  });
}
