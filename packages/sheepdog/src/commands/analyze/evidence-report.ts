import type { Report } from "./report.ts";

export const evidenceReport: Report = async () => {};
