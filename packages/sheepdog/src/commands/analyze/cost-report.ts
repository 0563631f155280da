import type { Report } from "./report.ts";

export const costReport: Report = async () => {};
