export { type PlayOptions, type PlayResult, play } from "./play.ts";
export {
  asTurns,
  call,
  compacted,
  fails,
  message,
  mute,
  pause,
  restart,
  type ScriptedCall,
  type ScriptStep,
  says,
  signal,
  spend,
  streams,
  times,
  turn,
} from "./script.ts";
