import { peer } from "../peer.ts";

const openAIAgents = peer("openai-agents");

/** The part of the SDK that the tests use. It is not installed with this repository, as it needs Node 22. */
export interface Sdk {
  readonly Agent: new (settings: object) => SdkAgent;
  readonly RunState: { fromString(agent: SdkAgent, text: string): Promise<object> };
  run(agent: SdkAgent, input: unknown, options?: object): Promise<SdkResult>;
  tool(settings: object): object;
  setTracingDisabled(isDisabled: boolean): void;
  setDefaultModelProvider(provider: object): void;
  readonly Usage: new (totals: object) => object;
  readonly ScriptedModel: new (replies: readonly object[]) => SdkModel;
  functionCall(name: string, args: object, options: { readonly callId: string }): object;
  assistantMessage(text: string): object;
}

interface SdkAgent {
  asTool(settings: object): object;
}

interface SdkResult {
  readonly finalOutput?: unknown;
  readonly history: readonly unknown[];
  readonly completed?: Promise<void>;
  readonly interruptions?: readonly object[];
  readonly state: { toString(): string; approve(interruption: object): void };
}

export interface SdkModel {
  readonly calls: readonly { readonly request: { readonly input: string | readonly SdkItem[] } }[];
}

interface SdkItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
}

export const { isInstalled, hint } = openAIAgents;

export async function loadSdk(): Promise<Sdk> {
  const file = (name: string) => openAIAgents.url(`@openai/agents/dist/${name}.mjs`);
  const sdk = { ...(await import(file("index"))), ...(await import(file("testing/index"))) } as Sdk; // its exports
  sdk.setTracingDisabled(true);
  return sdk;
}

export type Reply = string | readonly { readonly tool: string; readonly args: object }[];

let callCount = 0;

/** A model that makes these replies; each uses 100 tokens. */
export function scriptedModel(sdk: Sdk, replies: readonly Reply[]): SdkModel {
  const usage = new sdk.Usage({ requests: 1, inputTokens: 90, outputTokens: 10, totalTokens: 100 });
  return new sdk.ScriptedModel(replies.map((reply) => ({ usage, output: outputOf(sdk, reply) })));
}

function outputOf(sdk: Sdk, reply: Reply): object[] {
  if (typeof reply === "string") return [sdk.assistantMessage(reply)];
  return reply.map(({ tool, args }) => sdk.functionCall(tool, args, { callId: `c${callCount++}` }));
}

/** The texts of the notices in each request. */
export function noticesIn({ calls }: SdkModel): string[][] {
  return calls.map(({ request: { input } }) =>
    (typeof input === "string" ? [] : input)
      .map(({ content }) => (typeof content === "string" ? content : ""))
      .filter((text) => text.startsWith("<sheepdog-notice ")),
  );
}
