// Temporary: stands for the views that do not exist yet.
import type { AgentEvent } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";

const none = async (..._: readonly unknown[]): Promise<object | undefined> => undefined;
export const overviewView = none;
export const runsView = none;
export const runView = none;
export const eventsView = none;
export const callView = none;
export const whatIfView = none;
export const feedView = none;
export const budgetsView = none;
export const findingsView = none;
export const settingsView = none;
export const doctorView = none;
export const auditView = none;
export const memoryView = none;
export const saveJudgement = none;
export const toWireEvent = (event: AgentEvent): WireEvent => event;
