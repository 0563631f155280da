export type { AnswerMessage, ControlMessage, MuteScope } from "./control-message.ts";
export { createOpenQuestions, type OpenQuestions } from "./open-questions.ts";
export { receiveMessages } from "./receive-messages.ts";
export { type Asker, withRemoteAnswers } from "./remote-answers.ts";
export { type CommandOutcome, createRunPort, type RunPort } from "./run-port.ts";
export { sendMessage } from "./send-message.ts";
