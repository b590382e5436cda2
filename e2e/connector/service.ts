import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import type { Running } from "./bench.js";
import { eventually } from "./bench.js";

export type ServiceOptions = {
  running: Running;
  /** SQLite file of the connector's records. */
  recordsFile: string;
  /** Value of CONNECTOR_STORES. */
  stores: object[];
  port: number;
  sweepSeconds?: number;
  /** Address for Tillgate's webhooks. Default: the address of the service. */
  publicUrl?: string;
  /** OTLP endpoint for the service's traces. Default: none. */
  traceCollector?: string;
};

export type Service = {
  url: string;
  healthKey: string;
  stop(): Promise<void>;
};

const program = path.resolve(import.meta.dirname, "../../plugin/connector/dist/main.js");

export async function startService(options: ServiceOptions): Promise<Service> {
  const { running, recordsFile, stores, port, sweepSeconds = 120 } = options;
  const url = `http://127.0.0.1:${port}`;
  const healthKey = randomBytes(24).toString("hex");
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      CONNECTOR_DATABASE_URL: `file:${recordsFile}`,
      CONNECTOR_URL: options.publicUrl ?? url,
      TILLGATE_API_URL: running.api,
      CONNECTOR_STORES: JSON.stringify(stores),
      CONNECTOR_SWEEP_SECONDS: String(sweepSeconds),
      CONNECTOR_HEALTH_KEY: healthKey,
      CONNECTOR_TRACE_COLLECTOR: options.traceCollector ?? "",
      LOG_LEVEL: "warn",
    },
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`The connector exited with code ${child.exitCode}.`);
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`GET /readyz responded with ${status}.`);
  });
  return { url, healthKey, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
