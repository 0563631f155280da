import type { Model } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { chooseModel } from "./choose-model.ts";
import { withModel } from "./with-model.ts";

/** The model that gives second opinions, if the run's own does not, and notes about it; or what is wrong. */
export type SecondOpinionModel =
  | {
      readonly ok: true;
      readonly model?: Model;
      readonly addressNotes: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The key of the configuration. */
export const SECOND_OPINION_MODEL = "agent.guardian.second_opinion_model";

/** Chooses the model of `agent.guardian.second_opinion_model`. Without a key for it, the run's own model is asked. */
export async function chooseSecondOpinionModel(config: Config, env: Io["env"]): Promise<SecondOpinionModel> {
  const name = config.agent.guardian.second_opinion_model;
  if (name === undefined) return { ok: true, addressNotes: [], notes: [] };
  const changed = withModel(config, name, SECOND_OPINION_MODEL);
  if (!changed.ok) return { ok: false, problems: [changed.problem] };
  const chosen = await chooseModel({ ...changed.config, fallback_models: [] }, env);
  if (!chosen.ok) {
    const [problem = "it cannot be loaded."] = chosen.problems;
    const note = `The model for second opinions cannot be used, so the model of the run gives them: ${problem}`;
    return { ok: true, addressNotes: [], notes: [note] };
  }
  const addressNotes = chosen.addresses.map(
    ({ name: model, address }) => `The model for second opinions is ${model} at ${address}`,
  );
  return { ok: true, model: chosen.models[0], addressNotes, notes: [] };
}
