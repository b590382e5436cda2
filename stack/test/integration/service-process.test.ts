import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
// The built module: services preload a file that exists only in the build (exit-with-parent.js).
import { createFailureCounts } from "../../dist/failure-counts.js";
import { startService } from "../../dist/service-process.js";
import { type Closing, closeAll, startServices } from "../../dist/start-services.js";
import { findFreeBasePort } from "../../src/ports.js";

let folder: string;
let port: number;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-services-"));
  port = await findFreeBasePort();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
});

const healthyServer = `
  import { createServer } from "node:http";
  const server = createServer((request, response) => response.end("ok"));
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
  process.on("SIGTERM", () => { console.log("ending"); server.close(() => process.exit(0)); server.closeAllConnections(); });
`;

async function start(program: string) {
  const entry = path.join(folder, "service.mjs");
  await writeFile(entry, program);
  const service = await startService(
    {
      name: "shop",
      entry,
      workingDirectory: folder,
      environment: { PORT: String(port) },
      healthUrls: [`http://127.0.0.1:${port}/healthz`],
    },
    path.join(folder, "logs"),
  );
  stops.push(() => service.stop());
  return service;
}

const signal = new AbortController().signal;

/** Starts a supervised service. @returns its program file, a function that stops it, and the reported lines. */
async function startSupervised(program: string) {
  const entry = path.join(folder, "service.mjs");
  await writeFile(entry, program);
  const closing: Closing = [];
  const reported: string[] = [];
  const errors: string[] = [];
  const stop = () => closeAll(closing);
  stops.push(stop);
  await startServices(
    [
      {
        name: "shop",
        entry,
        workingDirectory: folder,
        environment: { PORT: String(port) },
        healthUrls: [`http://127.0.0.1:${port}/healthz`],
      },
    ],
    {
      logFolder: path.join(folder, "logs"),
      signal,
      report: (line, level) => (level === "error" ? errors : reported).push(line),
      failures: createFailureCounts([]),
    },
    closing,
  );
  return { entry, stop, reported, errors };
}

const SUICIDAL = `${healthyServer} setTimeout(() => process.kill(process.pid, "SIGKILL"), 400);`;

describe("a supervised service", () => {
  it("is restarted when it is killed, and its log continues", async () => {
    const { entry, reported, errors } = await startSupervised(SUICIDAL);
    await writeFile(entry, healthyServer);
    await expect.poll(() => reported, { timeout: 10_000 }).toContain("shop is running again.");
    expect(reported[0]).toMatch(
      /^shop was killed by SIGKILL\.\nRestarting shop in 1 s\. Its log is .*shop\.log\.$/,
    );
    expect(errors).toEqual([]);
    expect(await readFile(path.join(folder, "logs/shop.log"), "utf8")).toBe("listening\nlistening\n");
  });

  it("is reported once as an error if it fails three times within 15 minutes, and restarts continue", async () => {
    const { entry, reported, errors } = await startSupervised(SUICIDAL);
    await expect.poll(() => errors, { timeout: 15_000 }).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^shop failed three times within 15 minutes\..* Find the cause in .*shop\.log\. Last failure: shop was killed by SIGKILL\.$/,
    );
    const recoveries = () => reported.filter((line) => line === "shop is running again.").length;
    const before = recoveries();
    await writeFile(entry, healthyServer);
    await expect.poll(recoveries, { timeout: 15_000 }).toBeGreaterThan(before);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  }, 40_000);

  it("is stopped immediately while it waits for its restart", async () => {
    const { stop, reported } = await startSupervised(SUICIDAL);
    await expect.poll(() => reported.length, { timeout: 10_000 }).toBe(1);
    const stopping = performance.now();
    await stop();
    expect(performance.now() - stopping).toBeLessThan(500);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it("makes startup fail if its first start fails", async () => {
    await expect(startSupervised("process.exit(3);")).rejects.toThrow("shop exited with code 3.");
  });
});

describe("a service of the stack", () => {
  it("counts as started when it responds, and finishes its work on SIGTERM", async () => {
    const service = await start(healthyServer);
    await service.healthy(signal);
    await service.stop();
    expect(await readFile(service.logFile, "utf8")).toBe("listening\nending\n");
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it("is reported with its name, exit code and last output if it exits while starting", async () => {
    const service = await start(`console.log("PORT must be a number."); process.exit(3);`);
    await expect(service.healthy(signal)).rejects.toThrow(
      /shop exited with code 3\.[\s\S]*PORT must be a number\./,
    );
  });

  it("is reported with its signal if it is killed later", async () => {
    const service = await start(
      `${healthyServer} setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);`,
    );
    await service.healthy(signal);
    expect(await service.exited).toBe("was killed by SIGKILL");
  });

  it("fails with only the lines that explain why it cannot start", async () => {
    const service = await start(
      `console.log("{}"); console.error("The shop cannot start:\\n  PORT: is required"); process.exit(1);`,
    );
    await expect(service.healthy(signal)).rejects.toThrow(/^The shop cannot start:\n {2}PORT: is required$/);
  });

  it("keeps the log of its previous run", async () => {
    const first = await start(healthyServer);
    await first.healthy(signal);
    await first.stop();
    const second = await start(healthyServer);
    await second.healthy(signal);
    expect(await readFile(`${second.logFile}.previous`, "utf8")).toBe("listening\nending\n");
  });

  it("stops waiting for the health check when the start is cancelled", async () => {
    const service = await start("setInterval(() => {}, 1000);");
    const cancelled = new AbortController();
    const healthy = service.healthy(cancelled.signal);
    cancelled.abort(new Error("cancelled"));
    await expect(healthy).rejects.toThrow();
  });

  it("stops when the stack is killed with SIGKILL", async () => {
    const entry = path.join(folder, "service.mjs");
    await writeFile(entry, healthyServer);
    const module = pathToFileURL(path.resolve("stack/dist/service-process.js")).href;
    const script = `import { startService } from ${JSON.stringify(module)};
      const service = await startService({ name: "shop", entry: ${JSON.stringify(entry)}, workingDirectory: "/",
        environment: { PORT: "${port}" }, healthUrls: ["http://127.0.0.1:${port}/"] }, ${JSON.stringify(path.join(folder, "logs"))});
      await service.healthy(new AbortController().signal);
      process.stdout.write("healthy");
      setInterval(() => {}, 1000);`;
    const stack = spawn(process.execPath, ["--input-type=module", "-e", script]);
    await once(stack.stdout, "data");
    stack.kill("SIGKILL");
    await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow(), {
      timeout: 10_000,
      interval: 50,
    });
  });
});
