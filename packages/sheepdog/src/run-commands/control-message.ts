import { detectorNames } from "@sheepdog/guardian";
import type { RunCommand } from "@sheepdog/web/contract";
import type { ControlMessage } from "../control/control-message.ts";
import { limitAmount } from "./limit-amount.ts";

/** Why a command cannot be sent to any run. */
interface RefusedCommand {
  readonly type: "refused";
  readonly reason: string;
}

/** A command as runs receive it: limits in nano-dollars and milliseconds, and names that exist. */
export function controlMessage(command: RunCommand): ControlMessage | RefusedCommand {
  switch (command.type) {
    case "stop":
    case "steer":
    case "reply":
      return command;
    case "limit": {
      const { type, limit, stop } = command;
      const amount = limitAmount(limit, stop);
      return typeof amount === "string" ? refused(amount) : { type, limit, stop: amount };
    }
    case "mute":
    case "unmute": {
      const scope = muteScope(command);
      return "reason" in scope ? scope : { type: command.type, ...scope };
    }
    case "approval": {
      const { type, callId, isAllowed, isAlways, reason } = command;
      const always = isAllowed && isAlways === true ? { isAlways } : {};
      return { type, callId, isAllowed, ...always, ...(reason === undefined ? {} : { reason }) };
    }
    case "answer": {
      const { type, questionId, answer, text = "" } = command;
      if (answer !== "tell") return { type, questionId, answer: { type: answer } };
      if (text.trim() === "") return refused("there is no text in it.");
      return { type, questionId, answer: { type: answer, text } };
    }
    default:
      return command satisfies never;
  }
}

type MuteScope = Omit<Extract<ControlMessage, { readonly type: "mute" | "unmute" }>, "type">;
type MuteCommand = Extract<RunCommand, { readonly type: "mute" | "unmute" }>;

function muteScope({ episode, detector, tool }: MuteCommand): MuteScope | RefusedCommand {
  if (episode === undefined && detector === undefined && tool === undefined)
    return refused("name an episode, a detector or a tool.");
  const known = detectorNames.find((name) => name === detector);
  if (detector !== undefined && known === undefined) return refused(`there is no detector ${detector}.`);
  return {
    ...(episode === undefined ? {} : { episode }),
    ...(known === undefined ? {} : { detector: known }),
    ...(tool === undefined ? {} : { tool }),
  };
}

function refused(reason: string): RefusedCommand {
  return { type: "refused", reason };
}
