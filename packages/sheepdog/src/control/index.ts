export type { ControlMessage } from "./control-message.ts";
export { receiveMessages } from "./receive-messages.ts";
export { sendMessage } from "./send-message.ts";
