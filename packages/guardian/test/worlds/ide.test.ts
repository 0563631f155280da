import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { hexId, pick, scramble } from "./values.ts";

const symbols = [
  "parseHeader",
  "Tokenizer",
  "readFrame",
  "Socket",
  "closeAll",
  "Deadline",
  "mergeRanges",
  "Cursor",
  "flush",
  "Registry",
  "hashKey",
  "Snapshot",
] as const;
const uri = (i: number) => `file:///w/src/${pick(symbols, i).toLowerCase()}.rs`;

const wordings = ["E0502", "cannot borrow as mutable", "borrow checker mutable immutable", "rust two borrows"] as const;
const references = (i: number) => ({
  symbol: pick(symbols, i),
  references: [0, 1].map((row) => ({
    uri: uri(i + row),
    range: { start: { line: scramble(i + row) % 300, character: 4 } },
  })),
});
const frame = (i: number, local: number) => ({
  reason: "step",
  threadId: 1,
  frame: { name: "merge_ranges", line: 40 + (i % 9), source: "src/ranges.rs" },
  locals: { i: String(local), acc: `[${local}, ${local * 2}]` },
});
const cell = (id: string, source: string, output: string, i: number) =>
  call(
    "execute_cell",
    { notebook: "churn.ipynb", cell_id: id, source },
    { output, execution_count: 20 + i, started_at: `2026-05-04T08:${10 + i}:00Z` },
  );

describe("IDE tools, legitimate", () => {
  check([
    silent(
      "references of each symbol",
      times(12, (i) => call("lsp_find_references", { symbol: pick(symbols, i), uri: uri(i) }, references(i))),
    ),
    withoutForce(
      "references of symbols that are used by nothing",
      times(10, (i) => call("find_references", { file: uri(i), line: 10 + i * 4, character: 7 }, { references: [] })),
    ),
    silent(
      "stepping through a loop, the locals move",
      times(22, (i) => call("debug_step_over", { threadId: 1 }, frame(i, i))),
    ),
    silent(
      "continue to the same breakpoint, another item each time",
      times(12, (i) => [
        call(
          "debug",
          { action: "continue", thread: 1 },
          { reason: "breakpoint", line: 88, source: "src/frame.rs", hits: i + 1 },
        ),
        call(
          "debug",
          { action: "evaluate", expression: "frame.len" },
          { result: String(scramble(i) % 1500), type: "usize" },
        ),
      ]),
    ),
    withoutForce(
      "a cell that is changed and run, with the same error",
      times(8, (i) => [
        cell("c4", `df = load(sep='${pick([",", ";", "|", "\\t"], i)}', skip=${i})\ndf['age']`, "KeyError: 'age'", i),
      ]),
    ),
    silent(
      "diagnostics after each edit, the same two remain",
      times(8, (i) => [
        call(
          "edit_file",
          { path: "src/ranges.rs", line: 12 + i, text: `let bound_${i} = limit - ${i};` },
          { applied: true, version: i + 2 },
        ),
        call("get_diagnostics", { uri: "file:///w/src/ranges.rs" }, [
          { line: 88, code: "E0502" },
          { line: 91, code: "E0499" },
        ]),
      ]),
    ),
    silent(
      "an editor tool that views the parts of one long file",
      times(11, (i) =>
        call(
          "str_replace_editor",
          { command: "view", path: "/w/src/registry.rs", view_range: [i * 60 + 1, i * 60 + 60] },
          `${i * 60 + 1}\tfn ${hexId(i, 7)}() {\n${i * 60 + 2}\t    todo(${scramble(i)});\n`,
        ),
      ),
    ),
    withoutForce("ten files opened, and each once more before the rename", [
      ...times(10, (i) =>
        call(
          "open_file",
          { uri: uri(i) },
          `mod ${pick(symbols, i)};\npub fn ${hexId(i, 8)}() -> u${i} { ${scramble(i)} }`,
        ),
      ),
      ...times(10, (i) =>
        call(
          "open_file",
          { uri: uri(i) },
          `mod ${pick(symbols, i)};\npub fn ${hexId(i, 8)}() -> u${i} { ${scramble(i)} }`,
        ),
      ),
    ]),
    withoutForce(
      "symbols that the index does not know",
      times(8, (i) =>
        fails(
          "go_to_definition",
          { symbol: `${pick(symbols, i)}Ext` },
          `No definition found for '${pick(symbols, i)}Ext'`,
        ),
      ),
    ),
    silent(
      "a person asks three times for the problems of the file",
      times(3, () => [
        message(),
        call("get_diagnostics", { uri: uri(2) }, [
          { line: 88, severity: 1, message: "cannot borrow `acc` as mutable" },
        ]),
      ]),
    ),
    withoutForce(
      "similar edits in one file, the same answer",
      times(14, (i) =>
        call(
          "replace_in_file",
          {
            path: "src/codes.rs",
            search: `Code::E${100 + i} => "todo"`,
            replace: `Code::E${100 + i} => "${pick(symbols, i)} failed"`,
          },
          "1 replacement made.",
        ),
      ),
    ),
    silent(
      "screens of an app under xvfb-run, another test each time",
      times(8, (i) =>
        call(
          "terminal",
          { command: `xvfb-run -a npx playwright test ${pick(symbols, i)}.spec.ts` },
          `1 passed (${(scramble(i) % 90) / 10}s) ${pick(symbols, i)}.spec.ts`,
        ),
      ),
    ),
  ]);
});

describe("IDE tools, loops", () => {
  check([
    stopped(
      "a cell run again, only the count goes up",
      times(26, (i) => cell("c4", "df['age'].mean()", "KeyError: 'age'", i)),
      { byCall: 8 },
    ),
    stopped(
      "hover over the same word",
      times(25, () =>
        call(
          "lsp_hover",
          { uri: uri(1), position: { line: 88, character: 12 } },
          { contents: "fn read_frame(&mut self) -> Result<Frame>" },
        ),
      ),
      { byCall: 6 },
    ),
    stopped(
      "a breakpoint in a line that has no code",
      times(25, (i) =>
        fails(
          "debug_set_breakpoint",
          { source: "src/frame.rs", line: 90 },
          `Breakpoint ${i + 3} could not be verified: no executable code at src/frame.rs:90`,
        ),
      ),
      { byCall: 6 },
    ),
    hinted(
      "the meaning of one error, asked in other words",
      times(10, (i) =>
        call(
          "ask_docs",
          {
            query: `${pick(wordings, i)} ${pick(["fix", "why", "example"], i)} ${i}`,
          },
          "E0502: a variable already borrowed as immutable was borrowed as " +
            "mutable. Erroneous code: fn bar(x: &mut i32) {} fn foo(a: &mut i32) " +
            '{ let y = &a; bar(a); println!("{}", y); } To fix this error, ' +
            "finish using the immutable borrow before the mutable one begins.",
        ),
      ),
    ),
    noticed(
      "format, undo, format, undo",
      times(10, () => [
        call("format_document", { uri: uri(3) }, { edits: 4 }),
        call("undo", { uri: uri(3) }, { edits: 4 }),
      ]),
      { byCall: 16 },
    ),
    noticed(
      "restart the kernel, import, fail",
      times(10, (i) => [
        call("restart_kernel", { notebook: "churn.ipynb" }, { status: "ok", kernel_id: hexId(i, 12) }),
        cell("c1", "import torchx", "ModuleNotFoundError: No module named 'torchx'", i),
        call("list_cells", { notebook: "churn.ipynb" }, { cells: ["c1", "c2", "c3", "c4"] }),
      ]),
      { byCall: 21 },
    ),
    noticed(
      "docker exec pytest with the time of the run, nothing is changed",
      times(12, (i) =>
        call(
          "bash",
          { command: "docker exec api pytest -q tests/test_ranges.py" },
          "FAILED tests/test_ranges.py::test_merge - AssertionError\n1 " +
            `failed, 8 passed in ${(scramble(i) % 300) / 100}s`,
        ),
      ),
      { byCall: 9 },
    ),
  ]);
});
