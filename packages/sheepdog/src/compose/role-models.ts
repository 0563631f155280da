import type { Model, RuntimeOptions } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { chooseModel } from "./choose-model.ts";
import { withModel } from "./with-model.ts";

/** What a model besides that of the run is used for. */
interface Role {
  /** The key of the configuration. */
  readonly key: string;
  /** The model in a sentence, and what happens if it cannot be used. */
  readonly subject: string;
  readonly without: string;
}

type RoleOptions = Pick<RuntimeOptions, "secondOpinionModel" | "judgeModel" | "directorModel" | "nodeModels">;

/** The models with a role of their own, as options of the runtime, and notes about them; or what is wrong. */
export type RoleModels =
  | {
      readonly ok: true;
      readonly options: RoleOptions;
      /** The models of the options. */
      readonly models: readonly Model[];
      /** Say where requests go, if that is not the provider's own address. */
      readonly addressNotes: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The key of the model for second opinions. */
export const SECOND_OPINION_MODEL = "agent.guardian.second_opinion_model";

const secondOpinionRole: Role = {
  key: SECOND_OPINION_MODEL,
  subject: "The model for second opinions",
  without: "the model of the run gives them",
};
const judgeRole: Role = {
  key: "agent.judge.model",
  subject: "The model that judges goals",
  without: "the model of the run judges them",
};
const directorRole: Role = {
  key: "agent.director.model",
  subject: "The model that plans",
  without: "the model of the run plans",
};
const nodeRole: Role = {
  key: "agent.director.models",
  subject: "A model for the nodes of plans",
  without: "no node uses it",
};

/** Chooses the models that the configuration names for a role. One without a key for it is left out, with a note. */
export async function chooseRoleModels(config: Config, env: Io["env"]): Promise<RoleModels> {
  const { guardian, judge, director } = config.agent;
  const choose = (name: string | undefined, role: Role) => chooseForRole(name, role, { config, env });
  const [opinionModel, judgeModel, directorModel, ...nodeModels] = await Promise.all([
    choose(guardian.second_opinion_model, secondOpinionRole),
    choose(judge.model, judgeRole),
    choose(director.model, directorRole),
    ...[...new Set(director.models)].map((name) => choose(name, nodeRole)),
  ]);
  const chosen = [opinionModel, judgeModel, directorModel, ...nodeModels];
  const problems = chosen.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    options: {
      ...(opinionModel.model === undefined ? {} : { secondOpinionModel: opinionModel.model }),
      ...(judgeModel.model === undefined ? {} : { judgeModel: judgeModel.model }),
      ...(directorModel.model === undefined ? {} : { directorModel: directorModel.model }),
      nodeModels: Object.fromEntries(
        nodeModels.flatMap(({ name, model }) => (model === undefined ? [] : [[name, model]])),
      ),
    },
    models: chosen.flatMap(({ model }) => model ?? []),
    addressNotes: chosen.flatMap(({ addressNotes = [] }) => addressNotes),
    notes: chosen.flatMap(({ note }) => note ?? []),
  };
}

/** A model of the configuration: it can be used, cannot be used (`note`), or its name is wrong (`problem`). */
interface ChosenForRole {
  readonly name: string;
  readonly model?: Model;
  readonly addressNotes?: readonly string[];
  readonly note?: string;
  readonly problem?: string;
}

async function chooseForRole(
  name: string | undefined,
  { key, subject, without }: Role,
  { config, env }: { readonly config: Config; readonly env: Io["env"] },
): Promise<ChosenForRole> {
  if (name === undefined) return { name: "" };
  const changed = withModel(config, name, key);
  if (!changed.ok) return { name, problem: changed.problem };
  const chosen = await chooseModel({ ...changed.config, fallback_models: [] }, env);
  if (!chosen.ok) {
    const [problem = "it cannot be loaded."] = chosen.problems;
    return { name, note: `${subject} cannot be used, so ${without}: ${problem}` };
  }
  const addressNotes = chosen.addresses.map(({ name: model, address }) => `${subject} is ${model} at ${address}`);
  return { name, model: chosen.models[0], addressNotes };
}
