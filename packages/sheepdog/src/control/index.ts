export { callKey } from "./call-key.ts";
export type { ControlMessage } from "./control-message.ts";
export { followLiveEvents } from "./live-events.ts";
export { createOpenQuestions, type OpenQuestions } from "./open-questions.ts";
export { receiveMessages } from "./receive-messages.ts";
export { type Asker, withRemoteAnswers } from "./remote-answers.ts";
export { createRunPort } from "./run-port.ts";
export { sendMessage } from "./send-message.ts";
export { createUnreachableQuestions, type UnreachableQuestions } from "./unreachable-questions.ts";
