/**
 * The names of the OpenTelemetry semantic conventions for generative AI that Sheepdog uses, and their version.
 *
 * Source: `model/gen-ai/` of github.com/open-telemetry/semantic-conventions at the tag below. It is the last release
 * that contains them: they have moved to a repository of their own, which has no release yet. All of them have the
 * stability "development", so a later version may rename them. `testing/gen-ai-conventions.json` lists all names of
 * the release; a test compares what is emitted with it, and the list with the package of the same version.
 */
export const CONVENTIONS_VERSION = "1.41.1";

/** Says to a receiver which version the names are of. */
export const SCHEMA_URL: string = `https://opentelemetry.io/schemas/${CONVENTIONS_VERSION}`;

/** Attributes of the conventions. */
export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversation: "gen_ai.conversation.id",
  agentName: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  requestModel: "gen_ai.request.model",
  requestMaxTokens: "gen_ai.request.max_tokens",
  requestStream: "gen_ai.request.stream",
  responseId: "gen_ai.response.id",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  timeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cacheWriteTokens: "gen_ai.usage.cache_creation.input_tokens",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  evaluationName: "gen_ai.evaluation.name",
  evaluationScore: "gen_ai.evaluation.score.value",
  evaluationLabel: "gen_ai.evaluation.score.label",
  evaluationExplanation: "gen_ai.evaluation.explanation",
  errorType: "error.type",
  serverAddress: "server.address",
  serverPort: "server.port",
} as const;

/** The values of `gen_ai.operation.name`. */
export const operation = { chat: "chat", invokeAgent: "invoke_agent", executeTool: "execute_tool" } as const;

/** The event of the conventions that carries a verdict. */
export const EVALUATION_EVENT = "gen_ai.evaluation.result";
