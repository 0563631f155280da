import { resolve } from "node:path";
import type { FindOpinion, ReadItem } from "@sheepdog/records";
import { noModelLines } from "../../compose/no-model-lines.ts";
import { type OpinionModel, openOpinionModel } from "../../compose/opinion-model.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { exitCode } from "../../exit-code.ts";
import { writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { confirm } from "../confirm.ts";
import { type AnsweredQuestions, type OpenedSecondOpinions, usageError } from "./answered-questions.ts";
import { findWriteProblem } from "./opinions-file.ts";
import { createQuestionAsker, type QuestionAsker } from "./question-asker.ts";
import { estimateQuestions, estimateSentence } from "./question-estimate.ts";
import { readMaxCost } from "./second-opinion-options.ts";

/** `--second-opinion`: asks the configured model, after the user has agreed. */
export async function openModelOpinions(questions: AnsweredQuestions, saveTo: string): Promise<OpenedSecondOpinions> {
  const { options, readsStdin, io } = questions;
  const maxCost = readMaxCost(options);
  if (!maxCost.ok) return usageError([maxCost.problem], io);
  if (readsStdin) return usageError(["--second-opinion reads recordings twice, so it needs files, not stdin"], io);
  if (options.yes !== true && !(io.stdin.isTTY && io.stderr.isTTY)) return usageError([noTerminal], io);
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return { ok: false, exitCode: exitCode.usage };
  const opened = await openOpinionModel(loaded.config, io.env);
  if (!opened.ok) return usageError(opened.isModelMissing ? noModelLines.slice(0, 1) : opened.problems, io);
  const { model } = opened;
  if (maxCost.nanoUsd !== undefined && !isPriced(model)) return usageError([unpriced(model)], io);
  for (const note of model.notes) await writeMessage(io, plainText(note));
  const estimate = await estimateQuestions(questions, model);
  await writeMessage(io, estimateSentence(estimate, model, maxCost.nanoUsd));
  if (estimate.open > 0 && options.yes !== true && !(await confirm("Ask them?", io))) {
    await writeMessage(io, "no question was asked");
    return { ok: false, exitCode: exitCode.done };
  }
  const writeProblem = await findWriteProblem(resolve(io.cwd, saveTo));
  if (writeProblem !== undefined) return usageError([writeProblem], io);
  const asker = createQuestionAsker(questions, { model, saveTo, maxNanoUsd: maxCost.nanoUsd });
  const findOpinion: FindOpinion = ({ id }) => questions.opinions.get(id);
  return {
    ok: true,
    secondOpinions: {
      policy: questions.policy,
      findOpinion,
      items: answered(questions.read(), asker),
      end: () => asker.end(),
    },
  };
}

const noTerminal =
  "there is no terminal to ask on, so no question was sent; use --yes to send them, or --briefs to read them first";

function isPriced(model: OpinionModel): boolean {
  return model.maxNanoUsd({ system: "", prompt: "?" }) !== null;
}

function unpriced({ name }: OpinionModel): string {
  return (
    `the price of ${name} is not known, so --max-cost cannot be held; ` +
    "use --max-cost off, or set budget.pricing_overrides"
  );
}

async function* answered(items: AsyncIterable<ReadItem>, asker: QuestionAsker): AsyncGenerator<ReadItem> {
  for await (const item of items) {
    if (item.type === "run") await asker.answerAll(item.run);
    yield item;
  }
}
