import type { RecordedRun } from "@sheepdog/records";
import { expect, test } from "vitest";
import { maskedRecording } from "./masked-recording.ts";
import { createSameIds, recordingId } from "./recording-entry.ts";

const secret = `ghp_${"a1B2c3D4".repeat(5)}`;

test("no text of a recording keeps a secret, and ids still name each other", () => {
  const position = { file: `/home/${secret}`, line: 1, entry: `message ${secret}` };
  const run: RecordedRun = {
    id: `run-${secret}`,
    source: `agent ${secret}`,
    model: `m ${secret}`,
    provider: `p ${secret}`,
    task: `t ${secret}`,
    outcome: `o ${secret}`,
    project: `/srv/${secret}`,
    parent: `run-${secret}`,
    steps: [
      {
        turn: 0,
        text: secret,
        agent: `a ${secret}`,
        model: `m ${secret}`,
        usage: { inputTokens: 7, request: `req ${secret}` },
        opinions: [{ request: `q ${secret}`, verdict: "working", advice: `use ${secret}` }],
        calls: [
          { name: `n ${secret}`, args: { a: secret }, result: secret, isError: null, child: `run-${secret}`, position },
        ],
        position,
      },
    ],
  };
  const masked = maskedRecording(run);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect([masked.parent, masked.steps[0]?.calls[0]?.child]).toEqual([masked.id, masked.id]);
  expect(masked.steps[0]?.usage?.inputTokens).toBe(7);
  expect(masked.steps[0]?.position?.line).toBe(1);
});

test("a masked run is found by the same id as the recorded one", () => {
  const { id } = maskedRecording({ id: secret, steps: [] });
  expect(recordingId("/runs.jsonl", id, 0)).toBe(recordingId("/runs.jsonl", secret, 0));
});

test("runs whose ids are equal without their secrets are told apart by their order", () => {
  const sameIds = createSameIds();
  expect([sameIds(secret), sameIds(`ghp_${"Z9y8X7w6".repeat(5)}`), sameIds("other")]).toEqual([0, 1, 0]);
});
