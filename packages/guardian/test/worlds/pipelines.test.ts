import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const dags = [
  "ingest_orders",
  "ingest_stock",
  "dedupe",
  "currency_rates",
  "daily_margin",
  "mail_digest",
  "ml_features",
  "gdpr_erase",
  "backup_s3",
  "fraud_score",
  "geo_lookup",
  "vacuum_all",
] as const;
const models = [
  "stg_orders",
  "stg_users",
  "dim_product",
  "dim_store",
  "fct_sales",
  "fct_returns",
  "agg_week",
  "agg_month",
  "snap_price",
  "int_margin",
] as const;

const dagRun = (i: number, state: string) => ({
  dag_id: pick(dags, i),
  dag_run_id: `scheduled__${at(i, 3600)}`,
  state,
  start_date: at(i, 3600),
  conf: { shard: i },
});
const compiled = (i: number) =>
  `select ${hexId(i, 6)}_id, sum(amount_${i}) as total\nfrom raw.${pick(models, i)}\ngroup by 1`;
const dbtRun = (model: string) => ({ command: `dbt run --select ${model} --target prod` });

describe("Airflow, dbt and Spark, legitimate", () => {
  check([
    silent(
      "the last run of each DAG",
      times(12, (i) =>
        call(
          "airflow_get_dag_runs",
          { dag_id: pick(dags, i), limit: 1, order_by: "-start_date" },
          { dag_runs: [dagRun(i, i % 4 ? "success" : "failed")], total_entries: 30 + i },
        ),
      ),
    ),
    withoutForce(
      "failed task instances of ten DAGs: none",
      times(10, (i) =>
        call(
          "airflow_list_task_instances",
          { dag_id: pick(dags, i), state: ["failed"] },
          { task_instances: [], total_entries: 0 },
        ),
      ),
    ),
    silent(
      "a backfill for each day",
      times(14, (i) =>
        call(
          "airflow_trigger_dag_run",
          { dag_id: "daily_margin", logical_date: at(i, 86_400).slice(0, 10) },
          { dag_run_id: `manual__${at(i, 86_400)}`, state: "queued" },
        ),
      ),
    ),
    silent(
      "a Spark job whose finished tasks grow",
      times(12, (i) => [
        call(
          "spark_get_stage",
          { app_id: "app-20260504-0007", stage: 3 },
          { status: "ACTIVE", numTasks: 400, numCompleteTasks: 12 + i * 31, executorRunTime: 1000 * i },
        ),
        pause(20_000),
      ]),
    ),
    silent(
      "a process tool that polls a dbt build",
      times(10, (i) =>
        call(
          "process",
          { action: "poll", sessionId: "brisk-otter" },
          {
            running: true,
            stdout:
              `08:0${i}:11  ${i + 1} of 62 OK created sql table model ` +
              `${pick(models, i)} [SELECT ${scramble(i) % 9000}]`,
          },
        ),
      ),
    ),
    silent(
      "the same model run after each edit of it",
      times(7, (i) => [
        call("write_file", { path: "models/fct_sales.sql", content: compiled(i) }, "ok"),
        fails(
          "bash",
          dbtRun("fct_sales"),
          'Database Error in model fct_sales: column reference "store_id" is ambiguous',
        ),
      ]),
    ),
    withoutForce(
      "models with the same complaint about other relations",
      times(9, (i) =>
        fails(
          "bash",
          dbtRun(pick(models, i)),
          `Compilation Error: depends on a node named '${pick(models, i + 1)}' which was not found`,
        ),
      ),
    ),
    withoutForce("the compiled SQL of ten models, read twice for the lineage", [
      ...times(10, (i) => call("dbt_show_compiled", { model: pick(models, i) }, compiled(i))),
      ...times(10, (i) => call("dbt_show_compiled", { model: pick(models, i) }, compiled(i))),
    ]),
    silent(
      "a person asks five times whether the night run is through",
      times(5, () => [
        message(),
        call(
          "airflow_get_dag_run",
          { dag_id: "daily_margin", dag_run_id: "scheduled__2026-05-04" },
          { state: "running", end_date: null },
        ),
      ]),
    ),
    withoutForce(
      "similar edits of one schema file",
      times(12, (i) =>
        call(
          "edit",
          {
            file_path: "models/schema.yml",
            old_string: `- name: ${pick(models, i)}\n`,
            new_string: `- name: ${pick(models, i)}\n    tests: [not_null, unique]\n`,
          },
          "The file models/schema.yml has been updated.",
        ),
      ),
    ),
    withoutForce(
      "partitions that are not in the bucket, exit code 1",
      times(9, (i) =>
        fails(
          "bash",
          { command: `env AWS_PROFILE=etl aws s3 ls s3://lake/orders/dt=${at(i, 86_400).slice(0, 10)}/` },
          "",
        ),
      ),
    ),
    withoutForce(
      "Progress to the channel of the data team",
      times(12, (i) =>
        call(
          "notify",
          { channel: "#data", text: `Progress: ${i + 1} of 12 partitions loaded (${scramble(i) % 90_000} rows)` },
          "ok",
        ),
      ),
    ),
  ]);
});

describe("Airflow, dbt and Spark, loops", () => {
  check([
    stopped(
      "one task cleared and failed in the same way",
      times(13, (i) => [
        call(
          "airflow_clear_task",
          { dag_id: "ingest_orders", task_id: "load", dag_run_id: "scheduled__2026-05-04" },
          { cleared: 1 },
        ),
        call(
          "airflow_get_task_log",
          { dag_id: "ingest_orders", task_id: "load", try_number: 1 },
          `[${at(i)}] {taskinstance.py:1847} ERROR - Task failed with ` +
            "exception: FileNotFoundError: /lake/orders/2026-05-04.json",
        ),
      ]),
      { byCall: 16 },
    ),
    stopped(
      "a queued run, asked for without a pause",
      times(30, (i) =>
        call(
          "airflow_get_dag_run",
          { dag_id: "dedupe", dag_run_id: "manual__1" },
          {
            state: "queued",
            note: null,
            etag: hexId(i, 12),
            request_id: hexId(i + 7, 12),
            duration_ms: 4 + (scramble(i) % 9),
          },
        ),
      ),
      { byCall: 15 },
    ),
    stopped(
      "a build that stops at the same missing profile",
      times(25, (i) =>
        fails(
          "bash",
          { command: "nohup dbt build --profiles-dir ." },
          `08:${10 + i}:07  Encountered an error:\nRuntime Error\n  Could not find profile named 'prod'`,
        ),
      ),
      { byCall: 6 },
    ),
    noticed(
      "four passes over ten models",
      times(40, (i) => call("dbt_show_compiled", { model: pick(models, i) }, compiled(i % 10))),
      { byCall: 40 },
    ),
    hinted(
      "data preview in other words, the same rows",
      times(10, (i) =>
        call(
          "dataframe_query",
          {
            instruction:
              `${pick(["show", "display", "print", "give me", "list"], i)} the ` +
              `${pick(["rows", "records"], i)} with negative margin, try ${i}`,
          },
          "| store | week | margin |\n|---|---|---|\n| Oslo S | 2026-W14 | -120.50 |\n| Bergen | 2026-W15 " +
            "| -88.10 |\n| Bodø | 2026-W15 | -7.35 |\n| Hamar | 2026-W16 | -431.00 |\n(4 rows of 18211)",
        ),
      ),
    ),
    noticed(
      "pause, unpause, trigger",
      times(10, () => [
        call("airflow_pause_dag", { dag_id: "dedupe" }, { is_paused: true }),
        call("airflow_unpause_dag", { dag_id: "dedupe" }, { is_paused: false }),
        call("airflow_get_dag", { dag_id: "dedupe" }, { is_active: true }),
      ]),
      { byCall: 24 },
    ),
    noticed(
      "a connection that is refused for other ports and hosts",
      times(12, (i) =>
        fails(
          "spark_submit",
          { master: `spark://10.0.0.${i + 2}:7077`, file: "job.py" },
          `Failed to connect to master: Connection refused: /10.0.0.${i + 2}:7077`,
        ),
      ),
    ),
  ]);
});
