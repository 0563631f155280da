import { peer } from "../peer.ts";
import { type Reply, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

/** The functions of the AI SDK that the tests call; both versions have them. */
export type AiSdk = Pick<
  typeof import("ai"),
  "generateText" | "streamText" | "stepCountIs" | "tool" | "jsonSchema" | "wrapLanguageModel" | "ToolLoopAgent"
>;

export interface Version {
  readonly name: string;
  readonly isInstalled: boolean;
  load(): Promise<AiSdk>;
  model(replies: readonly Reply[]): ScriptedModel;
}

const ai7 = peer("ai-7");

/** Every version that the guard supports, each as its real package. */
export const versions: readonly Version[] = [
  {
    name: "ai 6",
    isInstalled: true,
    load: () => import("ai"),
    model: (replies) => scriptedModel("v3", replies),
  },
  {
    name: `ai 7${ai7.hint}`,
    isInstalled: ai7.isInstalled,
    load: async () => (await import(ai7.url("ai/dist/index.js"))) as AiSdk, // the functions above are the same
    model: (replies) => scriptedModel("v4", replies),
  },
];
