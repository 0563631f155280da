export { type Played, type PlayOptions, play } from "./play.ts";
export {
  call,
  compacted,
  fails,
  type Happening,
  inTurn,
  message,
  mute,
  pause,
  restart,
  type ScriptedCall,
  says,
  spend,
  streams,
  times,
  told,
  turn,
} from "./script.ts";
