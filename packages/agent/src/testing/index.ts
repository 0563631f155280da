export type { Damage, Endless, Fault, Interruption, Refusal } from "./fault.ts";
export { type FaultyTurn, faultyTurns } from "./faulty-turns.ts";
export type { Framing } from "./framing.ts";
export type {
  AfterLast,
  Script,
  ScriptedCall,
  ScriptedFigure,
  ScriptedRequest,
  ScriptedStop,
  ScriptedTurn,
  ScriptedUsage,
  TurnFor,
} from "./script.ts";
export { type ModelRequest, type ScriptedModel, type ScriptedModelOptions, scriptedModel } from "./scripted-model.ts";
export type { Sleep } from "./wait.ts";
export { startWireServer } from "./wire-server/start-wire-server.ts";
export type { WireFormatName } from "./wire-server/wire-format.ts";
export type { WireOutcome, WireRequest, WireServer, WireServerOptions } from "./wire-server/wire-server.ts";
