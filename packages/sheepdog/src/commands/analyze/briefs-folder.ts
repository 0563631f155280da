import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, type Question, sha256 } from "@sheepdog/records";

/** Writes questions into a folder: one file each, and an index. */
export interface BriefsFolder {
  readonly count: number;
  add(questions: readonly Question[]): Promise<void>;
  /** Writes `index.jsonl` with the id, the file and the place of each question. */
  end(): Promise<void>;
}

/** Creates the folder. Only this user can read it: briefs hold parts of the recording. */
export function openBriefsFolder(folder: string): BriefsFolder {
  makeFolder(folder);
  const index: string[] = [];
  return {
    get count() {
      return index.length;
    },
    async add(questions) {
      for (const question of questions) {
        const file = fileName(question.id);
        await writeFile(join(folder, file), `${JSON.stringify(question, null, 2)}\n`, { mode: 0o600 });
        index.push(`${JSON.stringify({ id: question.id, file, place: placeText(question) })}\n`);
      }
    },
    end: () => writeFile(join(folder, "index.jsonl"), index.join(""), { mode: 0o600 }),
  };
}

/** Where the question is asked, counted as in reports: indexes in data begin at 0. */
function placeText({ call }: Question): string {
  return call < 0 ? "before the first call" : `after call ${call + 1}`;
}

const MAX_NAME = 150;

/** The id as a file name. An id that cannot be one is shortened, and gets a hash so that names stay different. */
function fileName(id: string): string {
  const safe = id.replaceAll(/[^\w.-]/g, "_").slice(0, MAX_NAME);
  return safe === id && !id.startsWith(".") ? `${id}.json` : `_${safe}-${sha256.of(id).slice(0, 8)}.json`;
}
