import { resolve } from "node:path";
import { type FindOpinion, openQuestions, type ReadItem } from "@sheepdog/records";
import { writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import {
  type AnsweredQuestions,
  type OpenedSecondOpinions,
  type SecondOpinionInput,
  usageError,
} from "./answered-questions.ts";
import { openBriefsFolder } from "./briefs-folder.ts";
import { type ReadOpinions, readOpinionsFile, readSavedOpinions } from "./opinions-file.ts";
import { askingPolicy } from "./second-opinion-options.ts";
import { withUniqueIds } from "./unique-runs.ts";

/** The answers of a model are saved here, in the current folder. */
const DEFAULT_FILE = "sheepdog-opinions.jsonl";

/** Reads the answers, and prepares to write the questions or to ask a model, as the options say. */
export async function openSecondOpinions(input: SecondOpinionInput): Promise<OpenedSecondOpinions> {
  const { options, io } = input;
  const saveTo = options.saveOpinions ?? options.opinions ?? DEFAULT_FILE;
  const readFiles = [
    options.opinions === undefined ? noOpinions : await readOpinionsFile(resolve(io.cwd, options.opinions)),
    options.secondOpinion === true ? await readSavedOpinions(resolve(io.cwd, saveTo)) : noOpinions,
  ];
  const problems = [...new Set(readFiles.flatMap((file) => (file.ok ? [] : file.problems)))];
  if (problems.length > 0) return usageError(problems, io);
  const opinions = new Map(readFiles.flatMap((file) => (file.ok ? [...file.opinions] : [])));
  const questions: AnsweredQuestions = {
    ...input,
    policy: askingPolicy(input.policy, options),
    read: () => withUniqueIds(input.read()),
    opinions,
  };
  if (options.secondOpinion === true) {
    const { openModelOpinions } = await import("./model-opinions.ts");
    return openModelOpinions(questions, saveTo);
  }
  return options.briefs === undefined ? replayOpinions(questions) : writeBriefs(questions, options.briefs);
}

const noOpinions: ReadOpinions = { ok: true, opinions: new Map() };

/** `--opinions`: says in the end how many answers belong to no question. */
function replayOpinions({ policy, read, opinions, options, io }: AnsweredQuestions): OpenedSecondOpinions {
  const used = new Set<string>();
  const findOpinion: FindOpinion = ({ id }) => {
    used.add(id);
    return opinions.get(id);
  };
  const end = async () => {
    const unused = [...opinions.keys()].filter((id) => !used.has(id)).length;
    const answers = `${counted(unused, "answer")} to no question about these recordings`;
    if (unused > 0) await writeMessage(io, `${plainText(options.opinions ?? "")}: ${answers}`);
    return true;
  };
  return { ok: true, secondOpinions: { policy, findOpinion, items: read(), end } };
}

/** `--briefs`: writes the questions that have no answer yet. Nothing is sent. */
async function writeBriefs(questions: AnsweredQuestions, folder: string): Promise<OpenedSecondOpinions> {
  const { policy, read, opinions, io } = questions;
  const findOpinion: FindOpinion = ({ id }) => opinions.get(id);
  let briefs: ReturnType<typeof openBriefsFolder>;
  try {
    briefs = openBriefsFolder(resolve(io.cwd, folder));
  } catch (error) {
    return usageError([`--briefs ${folder}: ${error instanceof Error ? error.message : String(error)}`], io);
  }
  async function* writeEach(): AsyncGenerator<ReadItem> {
    for await (const item of read()) {
      if (item.type === "run") await briefs.add(openQuestions(item.run, policy, findOpinion));
      yield item;
    }
  }
  const end = async () => {
    await briefs.end();
    await writeMessage(io, writtenSentence(briefs.count, plainText(folder)));
    return true;
  };
  return { ok: true, secondOpinions: { policy, findOpinion, items: writeEach(), end } };
}

function writtenSentence(count: number, folder: string): string {
  if (count === 0) return `no question is open; ${folder}/index.jsonl is empty`;
  return (
    `${counted(count, "question")} in ${folder}, listed in index.jsonl; answer each with a line ` +
    `{"id": "…", "verdict": "stuck", "working" or "unsure", "advice": "…"} in a file for --opinions`
  );
}
