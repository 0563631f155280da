import type { Report } from "./report.ts";

export const answerReport: Report = async () => {};
