import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble, uuid } from "./values.ts";

const regions = [
  "eu-central-1",
  "eu-west-1",
  "us-east-1",
  "us-west-2",
  "ap-south-1",
  "sa-east-1",
  "ca-central-1",
  "eu-north-1",
  "ap-southeast-2",
  "me-south-1",
] as const;
const services = [
  "cart",
  "search",
  "mailer",
  "auth",
  "ledger",
  "gateway",
  "images",
  "ranking",
  "tax",
  "audit",
  "jobs",
  "web",
] as const;
const bash = (command: string, output: string) => call("bash", { command }, output);
const aws = (service: string, operation: string, parameters: unknown, answer: unknown) =>
  call("use_aws", { service_name: service, operation_name: operation, parameters }, answer);

const podLine = (name: string, ready: string, age: string) =>
  `${name}-${hexId(name.length, 10)}-x7k2p   ${ready}   Running   0   ${age}`;

describe("cloud consoles, legitimate", () => {
  check([
    withoutForce(
      "running instances in ten regions: none",
      times(10, (i) =>
        aws(
          "ec2",
          "describe_instances",
          { region: pick(regions, i) },
          { Reservations: [], ResponseMetadata: { RequestId: uuid(i), HTTPStatusCode: 200, RetryAttempts: 0 } },
        ),
      ),
    ),
    silent(
      "a rollout that kubectl shows pod by pod",
      times(10, (i) => [
        bash(
          "kubectl -n shop rollout status deploy/web --timeout=5s",
          `Waiting for deployment "web" rollout to finish: ${i} of 10 updated replicas are available...`,
        ),
        pause(15_000),
      ]),
    ),
    withoutForce(
      "kubectl exec with grep in each pod, exit code 1",
      times(9, (i) =>
        fails(
          "bash",
          { command: `kubectl -n shop exec deploy/${pick(services, i)} -- grep -R LEGACY_URL /app/config` },
          "command terminated with exit code 1",
        ),
      ),
    ),
    silent(
      "logs of each service through docker exec",
      times(9, (i) =>
        bash(
          `docker exec ${pick(services, i)} tail -n 2 /var/log/app.log`,
          `${at(i)} INFO ${pick(services, i)} handled ${scramble(i) % 9000} requests\n${at(i + 1)} INFO idle`,
        ),
      ),
    ),
    silent(
      "terraform plan after each change of a module",
      times(8, (i) => [
        call(
          "str_replace_based_edit_tool",
          {
            command: "str_replace",
            path: `modules/${pick(services, i)}/main.tf`,
            old_str: "t3.small",
            new_str: "t4g.small",
          },
          "The file has been edited.",
        ),
        bash(
          "env TF_IN_AUTOMATION=1 terraform plan -no-color",
          'Error: Unsupported argument\n  on main.tf line 14: An argument named "cpu_credits" is not expected here.',
        ),
      ]),
    ),
    silent(
      "terraform state show of each resource",
      times(9, (i) =>
        bash(
          `terraform state show aws_instance.${pick(services, i)}`,
          `resource "aws_instance" "${pick(services, i)}" {\n  id = ` +
            `"i-${hexId(i, 17)}"\n  private_ip = "10.0.${i}.${scramble(i) % 255}"\n}`,
        ),
      ),
    ),
    withoutForce(
      "service accounts that are not there, the same 404 about other names",
      times(8, (i) =>
        fails(
          "bash",
          { command: `gcloud iam service-accounts describe ${pick(services, i)}@shop-prod.iam.gserviceaccount.com` },
          `ERROR: (gcloud.iam.service-accounts.describe) NOT_FOUND: Unknown service account ${pick(services, i)}`,
        ),
      ),
    ),
    silent(
      "a queue depth that goes down",
      times(12, (i) =>
        aws(
          "sqs",
          "get_queue_attributes",
          { QueueUrl: "https://sqs/shop", AttributeNames: ["ApproximateNumberOfMessages"] },
          { Attributes: { ApproximateNumberOfMessages: String(5200 - i * 411) } },
        ),
      ),
    ),
    silent(
      "a person asks for the bill of the month, again",
      times(4, (i) => [
        message(),
        aws(
          "ce",
          "get_cost_and_usage",
          { TimePeriod: "2026-04" },
          { Total: "1832.11 USD", ResponseMetadata: { RequestId: uuid(i) } },
        ),
      ]),
    ),
    silent(
      "uptime of each host by ssh",
      times(10, (i) =>
        bash(
          `ssh deploy@10.0.4.${10 + i} 'uptime'`,
          ` 08:1${i % 10}:22 up ${i * 3 + 2} days, load average: 0.${scramble(i) % 90}, 0.2${i}, 0.11`,
        ),
      ),
    ),
    silent(
      "a database that is created, asked for every two minutes",
      times(7, (i) => [
        aws(
          "rds",
          "describe_db_instances",
          { DBInstanceIdentifier: "ledger" },
          { DBInstanceStatus: i < 6 ? "creating" : "available", ResponseMetadata: { RequestId: uuid(i) } },
        ),
        pause(120_000),
      ]),
    ),
  ]);
});

describe("cloud consoles, loops", () => {
  check([
    stopped(
      "describe a stack that has failed, with a new request id",
      times(30, (i) =>
        aws(
          "cloudformation",
          "describe_stacks",
          { StackName: "shop" },
          {
            Stacks: [
              { StackName: "shop", StackStatus: "ROLLBACK_COMPLETE", StackStatusReason: "The role is not assumable" },
            ],
            ResponseMetadata: { RequestId: uuid(i), HTTPHeaders: { date: at(i, 3), "x-amzn-requestid": uuid(i) } },
          },
        ),
      ),
      { byCall: 10 },
    ),
    stopped(
      "apply that is refused by a state lock",
      times(25, () =>
        fails(
          "bash",
          { command: "terraform apply -auto-approve" },
          "Error: Error acquiring the state lock\n\nLock Info:\n  ID: " +
            `${uuid(1)}\n  Who: ci@runner-3\n  Operation: OperationTypeApply`,
        ),
      ),
      { byCall: 6 },
    ),
    noticed(
      "get pods in a row, the age is the only change",
      times(28, (i) =>
        bash(
          "kubectl -n shop get pods",
          "NAME   READY   STATUS   RESTARTS   " +
            `AGE\n${podLine("web", "0/1", `${40 + i}s`)}\n${podLine("tax", "0/1", `${41 + i}s`)}`,
        ),
      ),
      { byCall: 28 },
    ),
    noticed(
      "login, project and list, round and round",
      times(10, () => [
        bash("gcloud auth list --format=json", '[{"account":"ci@shop","status":"ACTIVE"}]'),
        bash("gcloud config get-value project", "shop-prod"),
        bash("gcloud run services list --format=json", "[]"),
      ]),
      { byCall: 21 },
    ),
    noticed(
      "scaled to three and back to two",
      times(9, () => [
        call(
          "k8s_scale",
          { kind: "Deployment", name: "web", namespace: "shop", replicas: 3 },
          "deployment.apps/web scaled",
        ),
        call(
          "k8s_scale",
          { kind: "Deployment", name: "web", namespace: "shop", replicas: 2 },
          "deployment.apps/web scaled",
        ),
      ]),
      { byCall: 16 },
    ),
    stopped(
      "the same curl by ssh behind timeout",
      times(26, () =>
        bash("timeout 5 ssh bastion 'curl -s http://10.0.7.3/health'", '{"status":"down","reason":"no database"}'),
      ),
      { byCall: 8 },
    ),
    noticed(
      "access is denied for ten bucket names that are made up",
      times(10, (i) =>
        fails(
          "use_aws",
          {
            service_name: "s3",
            operation_name: "put_object",
            parameters: { Bucket: `shop-backup-${i}`, Key: "db.dump" },
          },
          "AccessDenied: Access Denied",
        ),
      ),
    ),
    stopped(
      "restart of a pod that crashes at once",
      times(13, () => [
        bash("kubectl -n shop rollout restart deploy/tax", "deployment.apps/tax restarted"),
        bash("kubectl -n shop logs deploy/tax --tail=1", "panic: TAX_TABLE is not set"),
      ]),
      { byCall: 16 },
    ),
  ]);
});
