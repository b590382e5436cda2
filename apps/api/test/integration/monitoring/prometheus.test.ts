import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { HEALTH_LIMITS } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../../scripts/testing/free-port.js";
import { createOrder } from "../../support/orders.js";
import { payApi, send } from "../../support/requests.js";
import { spawnApi } from "../../support/spawned-api.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const files = path.resolve(import.meta.dirname, "../../../../../deploy/monitoring");
const START_LIMIT_MS = 20_000;
/** Two programs start one after the other. */
const TWO_STARTS = { timeout: 3 * START_LIMIT_MS };
const run = promisify(execFile);

const sandbox = await createTestSandbox();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-prometheus-"));
  await cp(files, folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function change(file: string, changes: Record<string, string>): Promise<void> {
  let text = await readFile(path.join(files, file), "utf8");
  for (const [from, to] of Object.entries(changes)) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(path.join(folder, file), text);
}

const testRules = (...tests: string[]) =>
  run("promtool", ["test", "rules", ...tests], { cwd: folder }).then(
    () => "passed",
    (error: { stderr?: string; code?: unknown }) => `${error.code} ${error.stderr}`,
  );

const namesIn = (text: string): Set<string> => new Set(text.match(/\btillgate_[a-z_]+/g));
/** Returns the metric to which a histogram's series belongs. */
const familyOf = (name: string): string => name.replace(/_seconds_(bucket|count|sum)$/, "_seconds");

describe("alert rules", () => {
  it("are silent on healthy metrics, and fire on failing metrics", async () => {
    expect(await testRules("alerts.test.yml", "alerts-after-days.test.yml")).toBe("passed");
  });

  it.each([
    ["never fires", "tillgate_ledger_sound == 0", "tillgate_ledger_sound == 7"],
    [
      "always fires",
      "tillgate_delivery_queue_age_seconds) > 60",
      "tillgate_delivery_queue_age_seconds) >= 0",
    ],
  ])("fail their test if one of the rules %s", async (_what, from, to) => {
    await change("alerts.yml", { [from]: to });
    expect(await testRules("alerts.test.yml")).toContain("FAILED");
    await cp(path.join(files, "alerts.yml"), path.join(folder, "alerts.yml"));
  });
});

it("alert rules have the same limits as the console's health page", async () => {
  const { clockOffsetMs, waitingSegments, deliveryDelaySeconds, backupAgeHours, proofAgeHours } =
    HEALTH_LIMITS;
  const rules = await readFile(path.join(files, "alerts.yml"), "utf8");
  for (const limit of [
    `tillgate_archive_waiting_segments > ${waitingSegments}\n`,
    `max(tillgate_delivery_queue_age_seconds) > ${deliveryDelaySeconds}\n`,
    `tillgate_ledger_proved_timestamp_seconds > ${proofAgeHours} * 3600\n`,
    `tillgate_backup_timestamp_seconds > ${backupAgeHours} * 3600\n`,
    `abs(tillgate_clock_offset_seconds) > ${clockOffsetMs / 1_000} `,
  ])
    expect(rules).toContain(limit);
});

it(
  "Prometheus scrapes a process and loads the alert rules, and the process exports every metric of the rules and the dashboard",
  TWO_STARTS,
  async () => {
    const [metricsPort, port] = [await freePort(), await freePort()];
    const api = await spawnApi(sandbox, { TILLGATE_METRICS_PORT: String(metricsPort) });
    await waitUntil(
      "the API serves",
      () =>
        send(`${api.url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      START_LIMIT_MS,
    );
    const merchant = payApi(api, sandbox.access.merchant);
    const order = await createOrder(merchant);
    expect((await merchant.post(`/orders/${order.order_id}/simulate`, { outcome: "paid" })).status).toBe(200);

    await change("prometheus.yml", {
      "127.0.0.1:9464": `127.0.0.1:${metricsPort}`,
      "scrape_interval: 15s": "scrape_interval: 1s",
      "evaluation_interval: 15s": "evaluation_interval: 1s",
    });
    const prometheus = await startPrometheus(port);
    const request = async (question: string): Promise<unknown> => {
      const { body } = await send(`http://127.0.0.1:${port}/api/v1/${question}`);
      return Reflect.get(Object(body), "data");
    };
    const value = async (query: string): Promise<string | undefined> => {
      const data = await request(`query?query=${encodeURIComponent(query)}`).catch(() => undefined);
      return (data as { result?: { value: [number, string] }[] } | undefined)?.result?.[0]?.value[1];
    };
    try {
      await waitUntil(
        "Prometheus has scraped the process",
        async () => (await value('up{job="tillgate"}')) === "1",
        START_LIMIT_MS,
      );
      const paid = 'tillgate_money_changes_total{kind="payment",status="paid",mode="sandbox",currency="EUR"}';
      expect(await value(paid)).toBe("1");
      expect(await value("tillgate_database_reachable")).toBe("1");
      const { groups } = (await request("rules")) as {
        groups: { rules: { name: string; health: string }[] }[];
      };
      const rules = groups.flatMap((group) => group.rules);
      const reported = await readFile(path.join(files, "alerts.yml"), "utf8");
      expect(rules.map(({ name }) => name)).toEqual(
        [...reported.matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
      );
      expect(rules.filter(({ health }) => health === "err")).toEqual([]);
    } finally {
      prometheus.kill("SIGTERM");
      await once(prometheus, "exit");
    }

    const { text } = await send(`http://127.0.0.1:${metricsPort}/metrics`);
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    for (const file of ["alerts.yml", "grafana-dashboard.json"]) {
      const used = [...namesIn(await readFile(path.join(files, file), "utf8"))];
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((name) => !known.has(familyOf(name)))).toEqual([]);
    }
  },
);

/** Starts Prometheus in the folder. @throws Error if Prometheus is not installed. `npm test` installs it */
async function startPrometheus(port: number): Promise<ChildProcess> {
  const child = spawn(
    "prometheus",
    [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
    { cwd: folder, stdio: "ignore" },
  );
  await once(child, "spawn");
  return child;
}
