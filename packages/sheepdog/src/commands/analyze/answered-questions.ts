import type { Policy } from "@sheepdog/guardian";
import type { Opinion } from "@sheepdog/guardian/opinion";
import type { FindOpinion, ReadItem } from "@sheepdog/records";
import { exitCode } from "../../exit-code.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { SecondOpinionOptions } from "./second-opinion-options.ts";

/** Recordings whose questions are answered as far as there are answers. */
interface SecondOpinions {
  readonly policy: Policy;
  readonly findOpinion: FindOpinion;
  /** The recordings; when a run is yielded, its questions have been written or asked. */
  readonly items: AsyncIterable<ReadItem>;
  /** Finishes the files and says on stderr what was done. Returns false if something failed. */
  end(): Promise<boolean>;
}

export type OpenedSecondOpinions =
  | { readonly ok: true; readonly secondOpinions: SecondOpinions }
  | { readonly ok: false; readonly exitCode: number };

/** What second opinions are opened with. */
export interface SecondOpinionInput {
  readonly options: SecondOpinionOptions;
  readonly policy: Policy;
  /** Whether stdin is one of the recordings. */
  readonly readsStdin: boolean;
  /** Reads the recordings from their beginning. */
  read(): AsyncIterable<ReadItem>;
  readonly io: Io;
}

/** Questions, and the answers that are known so far. */
export interface AnsweredQuestions extends SecondOpinionInput {
  readonly opinions: Map<string, Opinion>;
}

/** Reports problems with the command line or with a file. */
export async function usageError(problems: readonly string[], io: Io): Promise<OpenedSecondOpinions> {
  for (const problem of problems) await writeMessage(io, plainText(problem));
  return { ok: false, exitCode: exitCode.usage };
}
